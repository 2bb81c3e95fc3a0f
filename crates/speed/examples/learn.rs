//! Learns a fixed number of games, for profilers: `learn <setting> <games>`; or plays them by what half
//! as many taught: `learn <setting> <games> play`.

use ludens_speed::{Clock, Played, Run, SETTINGS, open};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let setting = SETTINGS.iter().find(|s| s.name == args[1]).expect("a setting of the suite");
    let games = args[2].parse().expect("a number of games");
    let mut run = open(setting.text, 1).expect("the settings are valid");
    run.learn(games / 2);
    let clock = Clock::start();
    let played = counted_rounds(&mut *run, games, args.get(3).is_some_and(|way| way == "play"));
    let nanoseconds = 1e9 * clock.seconds() / played.moves as f64;
    println!("{{\"done\": {}, \"nanoseconds\": {nanoseconds:.0}}}", played.moves);
}

/// What profilers look for by its name, here and in the other programs that are counted.
#[inline(never)]
fn counted_rounds(run: &mut dyn Run, games: u64, plays: bool) -> Played {
    if plays { run.play(games) } else { run.learn(games) }
}
