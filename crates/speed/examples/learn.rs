//! Learns a fixed number of games, for profilers and comparisons: `learn <setting> <games> [way]`. The
//! way is `play`, by what half as many games taught and without learning, or a number of threads.

use ludens_speed::{Clock, GamesPlayed, SETTINGS, SpeedRun};
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let setting = SETTINGS.iter().find(|s| s.name == args[1]).expect("a setting of the suite");
    let games = args[2].parse().expect("a number of games");
    let mut run = SpeedRun::open(setting.text, 1).expect("the settings are valid");
    let way = args.get(3).map_or("", String::as_str);
    match way.parse() {
        Ok(threads) => run.learn_shared(games / 2, threads),
        Err(_) => run.learn(games / 2),
    };
    let (clock, begun) = (Clock::start(), Instant::now());
    let played = counted_rounds(&mut run, games, way);
    // Several threads are compared by the time that passes.
    let by_clock = begun.elapsed().as_secs_f64();
    let seconds = if way.parse::<usize>().is_ok() { by_clock } else { clock.seconds() };
    let nanoseconds = 1e9 * seconds / played.moves as f64;
    println!("{{\"done\": {}, \"nanoseconds\": {nanoseconds:.0}}}", played.moves);
}

/// What profilers look for by its name, here and in the other programs that are counted.
#[inline(never)]
fn counted_rounds(run: &mut SpeedRun, games: u64, way: &str) -> GamesPlayed {
    match way.parse() {
        Ok(threads) => run.learn_shared(games, threads),
        Err(_) if way == "play" => run.play(games),
        Err(_) => run.learn(games),
    }
}
