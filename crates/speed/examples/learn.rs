//! Learns a fixed number of games, for profilers: `learn <setting> <games>`.

use ludens_speed::{Clock, SETTINGS, open};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let setting = SETTINGS.iter().find(|s| s.name == args[1]).expect("a setting of the suite");
    let games = args[2].parse().expect("a number of games");
    let mut run = open(setting.text, 1).expect("the settings are valid");
    run.learn(games / 2);
    let clock = Clock::start();
    let played = measured(&mut *run, games);
    let nanoseconds = 1e9 * clock.seconds() / played.moves as f64;
    println!("{played:?} {nanoseconds:.0} ns a move");
}

/// What profilers look for by its name.
#[inline(never)]
fn measured(run: &mut dyn ludens_speed::Run, games: u64) -> ludens_speed::Played {
    run.learn(games)
}
