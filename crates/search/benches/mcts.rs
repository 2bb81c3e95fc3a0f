//! How many lines Monte Carlo tree search tries in a second, on one core.

use ludens_core::{Agent, Notation, Params, Rng};
use ludens_games::{Connect4, Othello, TicTacToe};
use ludens_search::{Mcts, MctsSettings};
use std::fs;
use std::sync::LazyLock;
use std::time::Instant;

/// Seconds on a processor so far, where the system tells; else seconds since the first call.
fn busy() -> f64 {
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    let waited = FIRST.elapsed().as_secs_f64();
    let told = fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or(waited, |ns| ns / 1e9)
}

fn main() {
    time(&open::<Connect4>());
    time(&open::<Othello>());
    time(&open::<TicTacToe>());
}

fn open<G: Notation>() -> G {
    let params = Params { name: G::NAME.into(), pairs: Vec::new() };
    let chosen = params.check(G::SETTINGS).expect("nothing is set");
    G::configure(&chosen).expect("defaults go together")
}

fn time<G: Notation>(game: &G) {
    let name = G::NAME;
    for iterations in [1_000, 10_000, 100_000] {
        let settings = MctsSettings { iterations, ..MctsSettings::default() };
        let (mut agent, mut rng) = (Mcts::new(settings, None), Rng::seeded(1));
        let repeats = 400_000 / iterations;
        let begun = busy();
        for _ in 0..repeats {
            let values = agent.move_values(game, &game.start(), &mut rng);
            assert!(values.is_some_and(|v| v.iter().all(|x| x.abs() <= 1.0)));
        }
        let rate = (repeats * iterations) as f64 / (busy() - begun);
        println!("{name:10} {iterations:7} lines per move: {rate:10.0} lines/s");
    }
}
