//! Times the solver on random positions: `solve_bench [count] [table MiB] [stones] [moves file]`.
//!
//! Without book and cache; the player to move has no immediate win. Stones are numbers separated
//! by commas. A moves file gets the positions, one per line, so that others can be timed on them.

use ludens_experts::connect4::{Position, Solver, WIDTH};
use std::io::Write;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().map_or(Ok(200), |text| text.parse())?;
    let mebibytes: usize = arguments.next().map_or(Ok(64), |text| text.parse())?;
    let stones = arguments.next().unwrap_or("8,12,16,20,24".into());
    let mut file = arguments.next().map(std::fs::File::create).transpose()?;
    println!("stones  mean ms  median ms  max ms  nodes each  million nodes/s");
    for stones in stones.split(',') {
        let stones = stones.parse()?;
        let mut seed = 2026 + stones as u64;
        let mut solver = Solver::new(mebibytes << 20)?;
        let mut times = Vec::new();
        for _ in 0..count {
            let (moves, position) = random_position(stones, &mut seed);
            if let Some(file) = &mut file {
                writeln!(file, "{moves}")?;
            }
            let start = Instant::now();
            solver.score(position);
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        report(stones, &mut times, solver.nodes());
    }
    Ok(())
}

fn report(stones: usize, times: &mut [f64], nodes: u64) {
    let total: f64 = times.iter().sum();
    let count = times.len();
    times.sort_by(f64::total_cmp);
    println!(
        "{stones:6} {:8.3} {:10.3} {:7.1} {:11} {:16.1}",
        total / count as f64,
        times[count / 2],
        times[count - 1],
        nodes / count as u64,
        nodes as f64 / total / 1e3
    );
}

/// Plays at random until nobody has won and the player to move cannot win at once.
fn random_position(stones: usize, seed: &mut u64) -> (String, Position) {
    loop {
        let mut moves = String::new();
        let mut position = Position::default();
        while position.stones() < stones && !position.wins_at_once() {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let column = (*seed >> 33) as usize % WIDTH;
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
