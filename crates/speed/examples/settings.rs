//! Prints how fast each setting is learned: `settings [name...]`.

use ludens_speed::{Effort, SETTINGS, measure};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let effort = Effort { windows: 6, seconds: 0.3, warm_up: 1.0 };
    for setting in SETTINGS {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == setting.name) {
            continue;
        }
        let speed = measure(setting, &effort).expect("the settings are valid");
        println!(
            "{:<16} {:>9.0} games/s {:>9.0} moves/s {:>6.0} ns a move",
            speed.name,
            speed.games,
            speed.moves,
            1e9 / speed.moves,
        );
    }
}
