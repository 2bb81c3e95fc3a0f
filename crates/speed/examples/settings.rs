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
            "{:<16} {:>9.0} games/s {:>9.0} moves/s {:>6.2} x {:<9} {:>5.1} M looks/s of {:.0} M",
            speed.name,
            speed.games,
            speed.moves,
            speed.ratio,
            speed.peer,
            speed.looks / 1e6,
            speed.limit.reads / 1e6,
        );
    }
}
