//! Random playouts and counted sequences per second of CPU time.

use ludens_registry::{AnyGame, open_game};
use ludens_speed::Clock;
use serde_json::json;

/// Windows measured; the best one counts, because other work on the machine only ever slows.
const WINDOWS: usize = 7;

/// Length of one window, in seconds.
const WINDOW: f64 = 0.4;

/// Prints the speed of each game, one a line.
pub(crate) fn measure(specs: &[&str]) -> Result<(), String> {
    for spec in specs {
        let game = open_game(spec).map_err(|e| e.to_string())?;
        let (playouts, moves) = playouts(&*game);
        let (depth, sequences) = sequences(&*game);
        println!(
            "{}",
            json!({
                "game": spec,
                "playouts": playouts,
                "moves": moves,
                "perft_depth": depth,
                "perft": sequences,
            })
        );
    }
    Ok(())
}

/// Random games per second, and moves per second.
fn playouts(game: &dyn AnyGame) -> (f64, f64) {
    let mut games = 1;
    while seconds(|| game.playouts(games, 0)).1 < WINDOW {
        games *= 2;
    }
    let window = |seed: usize| {
        let (played, took) = seconds(|| game.playouts(games, seed as u64));
        (played.games as f64 / took, played.moves as f64 / took)
    };
    (0..WINDOWS).map(window).max_by(|a, b| a.0.total_cmp(&b.0)).expect("there are windows")
}

/// A depth that fits a window, and the sequences of that many turns counted per second.
fn sequences(game: &dyn AnyGame) -> (u32, f64) {
    let (mut best, mut fruit) = (0, 1);
    for depth in 1.. {
        let (counted, seconds) = seconds(|| game.perft(depth));
        if counted < fruit {
            break;
        }
        let growth = counted as f64 / fruit as f64;
        (best, fruit) = (depth, counted);
        if seconds * growth > WINDOW {
            break;
        }
    }
    let repeat = |rounds| seconds(|| (0..rounds).map(|_| game.perft(best)).sum::<u64>());
    let mut rounds = 1;
    while repeat(rounds).1 < WINDOW {
        rounds *= 2;
    }
    let window = |_| {
        let (counted, took) = repeat(rounds);
        counted as f64 / took
    };
    (best, (0..WINDOWS).map(window).fold(0.0, f64::max))
}

/// What `work` makes, and how long it keeps this thread busy.
pub(crate) fn seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let clock = Clock::start();
    let made = work();
    (made, clock.seconds())
}
