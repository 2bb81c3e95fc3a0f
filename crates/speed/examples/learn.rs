//! Learns a fixed number of games, for profilers: `learn <setting> <games>`.

use ludens_speed::{Clock, SETTINGS, open};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let setting = SETTINGS.iter().find(|s| s.name == args[1]).expect("a setting of the suite");
    let games = args[2].parse().expect("a number of games");
    let mut run = open(setting.text, 1).expect("the settings are valid");
    run.learn(games / 2);
    let clock = Clock::start();
    let played = counted_rounds(&mut *run, games);
    let nanoseconds = 1e9 * clock.seconds() / played.moves as f64;
    println!("{{\"done\": {}, \"nanoseconds\": {nanoseconds:.0}}}", played.moves);
}

/// What profilers look for by its name, here and in the other programs that are counted.
#[inline(never)]
fn counted_rounds(run: &mut dyn ludens_speed::Run, games: u64) -> ludens_speed::Played {
    run.learn(games)
}
