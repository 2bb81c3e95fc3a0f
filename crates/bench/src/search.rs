//! How fast positions of Connect-4 are solved, and lines tried by Monte Carlo tree search.

use crate::number;
use crate::speed::seconds;
use ludens_core::{Player, Rng};
use ludens_registry::connect4::{Position, Solver, WIDTH};
use ludens_registry::open_game;
use serde_json::json;
use std::time::Instant;

/// Memory of the solver, the default of the command.
const TABLE_BYTES: usize = 128 << 20;

/// Lines tried for one move.
const ITERATIONS: u64 = 100_000;

/// Searches measured; the best one counts.
const SEARCHES: usize = 5;

/// Solves `count` random positions of each number of stones without book and cache; the player to
/// move has no immediate win. Prints the positions too, so that others can be timed on them.
pub(crate) fn solve(count: &str, stones: &[&str]) -> Result<(), String> {
    let count = number(count)?;
    for stones in stones {
        let stones = number(stones)? as usize;
        let mut rng = Rng::derived(2026, "solve", stones as u64);
        let mut solver = Solver::new(TABLE_BYTES).map_err(|e| e.to_string())?;
        let drawn: Vec<_> = (0..count).map(|_| random_position(stones, &mut rng)).collect();
        let mut times = Vec::new();
        let mut solve = |position: Position| {
            let begun = Instant::now();
            let score = solver.score(position);
            times.push(begun.elapsed().as_secs_f64() * 1e3);
            score
        };
        // One position takes less than a tick of the clock that counts CPU time; all take many.
        let (scores, busy) =
            seconds(|| drawn.iter().map(|(_, position)| solve(*position)).collect::<Vec<_>>());
        let told = drawn.iter().zip(scores);
        let positions: Vec<_> =
            told.map(|((moves, _), score)| json!({"moves": moves, "score": score})).collect();
        let total = busy * 1e3;
        times.sort_by(f64::total_cmp);
        println!(
            "{}",
            json!({
                "stones": stones,
                "mean": total / count as f64,
                "median": times[times.len() / 2],
                "nodes": solver.nodes() as f64 / total * 1e3,
                "positions": positions,
            })
        );
    }
    Ok(())
}

/// Prints the lines tried per second from the start of Connect-4.
pub(crate) fn mcts() -> Result<(), String> {
    let game = open_game("connect4").map_err(|e| e.to_string())?;
    let search = |seed: usize| {
        let mut live = game.live(seed as u64);
        let agent = format!("mcts:iterations={ITERATIONS}");
        live.seat(Player(0), &agent).expect("mcts plays every game");
        let (_, took) = seconds(|| live.choose().expect("mcts plays on"));
        ITERATIONS as f64 / took
    };
    let best = (0..SEARCHES).map(search).fold(0.0, f64::max);
    println!("{}", json!({"iterations": best}));
    Ok(())
}

/// Plays at random until nobody has won and the player to move cannot win at once.
fn random_position(stones: usize, rng: &mut Rng) -> (String, Position) {
    loop {
        let (mut moves, mut position) = (String::new(), Position::default());
        while position.stones() < stones && !position.wins_at_once() {
            let column = rng.below(WIDTH);
            if position.can_play(column) {
                position = position.after(column);
                moves.push(char::from(b'1' + column as u8));
            }
        }
        if position.stones() == stones && !position.wins_at_once() {
            return (moves, position);
        }
    }
}
