//! How fast games are played without learning, and networks of neurons learn.

use crate::network::online_steps;
use crate::{Clock, Effort, SETTINGS, SpeedRun};
use ludens_core::{Agent, Game, Invalid, Notation, Params, Rng, Turn};
use ludens_games::{Connect4, Hex, Othello, TicTacToe};
use ludens_search::{Mcts, MctsSettings};
use serde::Serialize;
use std::time::Instant;

/// Play, or work of a network, whose speed is measured.
#[derive(Copy, Clone, Debug)]
pub struct Play {
    /// The name.
    pub name: &'static str,
    /// What is done.
    pub about: &'static str,
    /// What is counted.
    pub unit: &'static str,
    kind: PlayKind,
}

#[derive(Copy, Clone, Debug)]
enum PlayKind {
    Playouts(&'static str),
    Search,
    Greedy,
    /// Learning with two threads at once.
    TwoThreads,
    /// Online steps of a network; one in so many inputs is not zero.
    Network(usize),
}

/// How fast something is done, per second of CPU time; with several threads, by the clock.
#[derive(Clone, Debug, Serialize)]
pub struct Pace {
    /// The name.
    pub name: &'static str,
    /// What is done.
    pub about: &'static str,
    /// What is counted.
    pub unit: &'static str,
    /// How many.
    pub speed: f64,
    /// How much slower the slowest window was, as a share of the best.
    pub spread: f64,
}

const fn playouts(name: &'static str, about: &'static str, game: &'static str) -> Play {
    Play { name, about, unit: "games", kind: PlayKind::Playouts(game) }
}

const fn network(name: &'static str, about: &'static str, one_in: usize) -> Play {
    Play { name, about, unit: "steps", kind: PlayKind::Network(one_in) }
}

/// All of them, in the order they are shown.
pub const PLAYS: &[Play] = &[
    playouts("random-connect4", "Connect-4, random games", "connect4"),
    playouts("random-othello", "Othello, random games", "othello"),
    playouts("random-hex", "Hex 6x6, random games", "hex"),
    playouts("random-tictactoe", "TicTacToe, random games", "tictactoe"),
    Play {
        name: "mcts-connect4",
        about: "Connect-4, Monte Carlo tree search from the start",
        unit: "simulations",
        kind: PlayKind::Search,
    },
    Play {
        name: "greedy-2048",
        about: "2048, a trained network of four 6-tuples, greedy play",
        unit: "moves",
        kind: PlayKind::Greedy,
    },
    Play {
        name: "two-threads-2048",
        about: "2048, four 6-tuples, TD(0), two threads, per second of elapsed time",
        unit: "moves",
        kind: PlayKind::TwoThreads,
    },
    network("network", "One online step of a network 198-80-1, all inputs set", 1),
    network("network-sparse", "The same, one input in six set, as in board games", 6),
];

/// Simulations of one search.
const SIMULATIONS: u64 = 20_000;

/// Measures how fast something is done. It is always the same.
///
/// # Errors
///
/// If a game cannot be opened.
pub fn measure_play(play: &Play, effort: &Effort) -> Result<Pace, Invalid> {
    let mut work: Box<dyn FnMut(u64) -> u64> = match play.kind {
        PlayKind::Playouts("connect4") => random_games::<Connect4>()?,
        PlayKind::Playouts("othello") => random_games::<Othello>()?,
        PlayKind::Playouts("hex") => random_games::<Hex>()?,
        PlayKind::Playouts(_) => random_games::<TicTacToe>()?,
        PlayKind::Search => search()?,
        PlayKind::Greedy => greedy(effort)?,
        PlayKind::TwoThreads => two_threads(effort)?,
        PlayKind::Network(one_in) => online_steps(one_in)?,
    };
    let by_clock = matches!(play.kind, PlayKind::TwoThreads);
    let amount = enough_for(effort.seconds, |amount| window(&mut work, amount, by_clock).1);
    let speed = |_| {
        let (done, seconds) = window(&mut work, amount, by_clock);
        done as f64 / seconds
    };
    let speeds: Vec<f64> = (0..effort.windows.max(1)).map(speed).collect();
    let best = speeds.iter().copied().fold(0.0, f64::max);
    let slowest = speeds.iter().copied().fold(f64::INFINITY, f64::min);
    let Play { name, about, unit, .. } = *play;
    Ok(Pace { name, about, unit, speed: best, spread: 1.0 - slowest / best })
}

/// How much takes at least so many seconds. It is asked twice: what is done first may take longer, as it
/// finds nothing prepared.
fn enough_for(seconds: f64, mut time: impl FnMut(u64) -> f64) -> u64 {
    let mut amount = 1;
    while time(amount) < seconds || time(amount) < seconds {
        amount *= 2;
    }
    amount
}

/// What was done, and how many seconds this thread was busy with it, or passed.
fn window(work: &mut dyn FnMut(u64) -> u64, amount: u64, by_clock: bool) -> (u64, f64) {
    let (clock, begun) = (Clock::start(), Instant::now());
    let done = work(amount);
    (done, if by_clock { begun.elapsed().as_secs_f64() } else { clock.seconds() })
}

fn usual<G: Notation>() -> Result<G, Invalid> {
    G::configure(&Params { name: G::NAME.into(), pairs: Vec::new() }.check(G::SETTINGS)?)
}

/// Plays so many random games, always from the same stream.
fn random_games<G: Notation>() -> Result<Box<dyn FnMut(u64) -> u64>, Invalid> {
    let (game, mut scratch) = (usual::<G>()?, Vec::new());
    Ok(Box::new(move |games| {
        let rng = &mut Rng::seeded(1);
        for _ in 0..games {
            let mut state = game.start();
            while let Turn::Player(_) = game.turn(&state) {
                let mv = game.random_move(&state, rng, &mut scratch);
                game.play(&mut state, mv);
            }
            std::hint::black_box(&state);
        }
        games
    }))
}

fn search() -> Result<Box<dyn FnMut(u64) -> u64>, Invalid> {
    let game = usual::<Connect4>()?;
    Ok(Box::new(move |searches| {
        let (settings, rng) = (
            MctsSettings { iterations: SIMULATIONS, ..MctsSettings::default() },
            &mut Rng::seeded(1),
        );
        for _ in 0..searches {
            let mut agent = Mcts::new(settings, None);
            std::hint::black_box(agent.move_values(&game, &game.start(), rng));
        }
        searches * SIMULATIONS
    }))
}

/// A network for 2048 that has learned for a while.
fn trained(effort: &Effort) -> Result<SpeedRun, Invalid> {
    let setting = SETTINGS.iter().find(|setting| setting.name == "2048").expect("it is there");
    let mut run = SpeedRun::open(setting.text, 1)?;
    run.learn((setting.warm_up as f64 * effort.warm_up) as u64);
    Ok(run)
}

fn greedy(effort: &Effort) -> Result<Box<dyn FnMut(u64) -> u64>, Invalid> {
    let mut run = trained(effort)?;
    Ok(Box::new(move |games| run.play(games).moves))
}

fn two_threads(effort: &Effort) -> Result<Box<dyn FnMut(u64) -> u64>, Invalid> {
    let mut run = trained(effort)?;
    Ok(Box::new(move |games| run.learn_shared(games, 2).moves))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_beginning_does_not_count() {
        let mut calls = 0;
        let mut time = |amount: u64| {
            calls += 1;
            if calls == 1 { 5.0 } else { amount as f64 / 100.0 }
        };
        assert_eq!(enough_for(0.4, &mut time), 64);
        assert_eq!(enough_for(0.4, |_| 1.0), 1);
    }

    #[test]
    fn everything_but_large_tables_can_be_measured_in_a_moment() {
        let effort = Effort { windows: 1, seconds: 0.01, warm_up: 0.0 };
        for play in PLAYS.iter().filter(|play| !play.name.ends_with("2048")) {
            let pace = measure_play(play, &effort).unwrap();
            assert!(pace.speed > 0.0 && pace.spread >= 0.0, "{pace:?}");
        }
    }
}
