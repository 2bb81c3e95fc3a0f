//! Prints docs/performance.md: `cargo xtask speed` keeps it.

use ludens_speed::{
    Clock, Effort, PLAYS, Pace, SETTINGS, Speed, SpeedRun, SpeedSetting, measure, measure_all,
    measure_play,
};
use std::time::Instant;

/// For the table of all settings.
const LONG: Effort = Effort { windows: 15, seconds: 0.4, warm_up: 1.0 };

/// For the curves.
const SHORT: Effort = Effort { windows: 4, seconds: 0.2, warm_up: 0.1 };

fn main() {
    let [date, commit] = ["DATE", "COMMIT"].map(|name| std::env::var(name).unwrap_or_default());
    let head = include_str!("page/head.md").trim_end().replace("PROCESSOR", &processor());
    println!("{}", head.replace("DATE", &date).replace("COMMIT", &commit));
    println!("\n| setting | games/s | moves/s | ns a move | memory | spread |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    let speeds = measure_all(SETTINGS, &LONG).expect("the settings are valid");
    for speed in &speeds {
        println!("{}", row(speed));
    }
    println!("\n{}", include_str!("page/played.md").trim_end());
    println!("\n| measured | speed | spread |\n| --- | ---: | ---: |");
    for play in PLAYS {
        println!("{}", played(&measure_play(play, &LONG).expect("the settings are valid")));
    }
    println!("\n{}", include_str!("page/peers.md").trim_end());
    println!("\n{}", include_str!("page/curves.md").trim_end());
    println!("\n| changed | to | games/s | microseconds a move |\n| --- | ---: | ---: | ---: |");
    curves();
    println!("\n{}", include_str!("page/threads.md").trim_end());
    println!("\n| setting | threads | moves/s | elapsed time | CPU time |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    threads();
    println!("\n{}", include_str!("page/tail.md").trim_end());
}

fn row(speed: &Speed) -> String {
    format!(
        "| {} | {} | {} | {} | {:.1} MB | {:.0} % |",
        speed.about,
        round(speed.games),
        round(speed.moves),
        round(1e9 / speed.moves),
        speed.bytes as f64 / 1e6,
        100.0 * speed.spread
    )
}

fn played(pace: &Pace) -> String {
    format!(
        "| {} | {} {}/s | {:.0} % |",
        pace.about,
        round(pace.speed),
        pace.unit,
        100.0 * pace.spread,
    )
}

/// Three digits, with commas.
fn round(number: f64) -> String {
    let digits = (number.max(1.0).log10().floor() - 2.0).max(0.0);
    let scale = 10f64.powf(digits);
    let whole = ((number / scale).round() * scale) as u64;
    let text = whole.to_string();
    let groups = text.as_bytes().rchunks(3).rev().map(|g| String::from_utf8_lossy(g).into_owned());
    groups.collect::<Vec<_>>().join(",")
}

fn curves() {
    for count in [10, 20, 40, 70, 150] {
        let changed = format!("count = {count}");
        point("Connect-4 TD-FARL, tuples", count, "connect4-farl", "count = 70", &changed);
    }
    for length in [4, 5, 6, 8] {
        let changed = format!("length = {length}");
        point("Connect-4 TD-FARL, tuple length", length, "connect4-farl", "length = 8", &changed);
    }
    for (symmetries, changed) in [(8, "count = 50"), (1, "count = 50\nsymmetries = false")] {
        point("Othello, symmetries", symmetries, "othello", "count = 50", changed);
    }
    for horizon in [1, 2, 4, 7] {
        let changed = format!("cut = 0.01\nhorizon = {horizon}");
        point("Othello lambda 0.5, horizon", horizon, "othello-lambda", "cut = 0.01", &changed);
    }
}

fn point(what: &str, value: usize, name: &str, from: &str, to: &str) {
    let setting = SETTINGS.iter().find(|s| s.name == name).expect("a setting of the suite");
    assert!(setting.text.contains(from), "{name} says {from}");
    let text = setting.text.replacen(from, to, 1).leak();
    let speed =
        measure(&SpeedSetting { text, ..*setting }, &SHORT).expect("the settings are valid");
    println!("| {what} | {value} | {} | {:.2} |", round(speed.games), 1e6 / speed.moves);
}

/// What the system says of the processor, where it says anything (Linux).
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let said = |name: &str| {
        let line =
            text.lines().find(|line| line.split(':').next().is_some_and(|n| n.trim() == name));
        line.and_then(|line| line.split_once(": ")).map_or("unknown", |(_, what)| what)
    };
    format!("{}, family {}, model {}", said("model name"), said("cpu family"), said("model"))
}

/// How several threads learn together.
const TOGETHER: [(&str, &str, Way); 3] = [
    ("Connect-4 TD-FARL", "connect4-farl", Way::Shared),
    ("Connect-4 TD-FARL, deterministic", "connect4-farl", Way::Batches),
    ("2048, four 6-tuples, TD(0)", "2048", Way::Shared),
];

/// How threads share the work.
#[derive(Copy, Clone, PartialEq)]
enum Way {
    /// One thread alone, on weights that nobody else may change.
    Alone,
    /// On weights of one player, on copies, or on the same weights without locks.
    Shared,
    /// Games are played with the weights as they were before the batch, and learned in order.
    Batches,
}

fn threads() {
    for (about, name, way) in TOGETHER {
        let ways = [(Way::Alone, 1), (way, 1), (way, 2)];
        let mut all = ways.map(|(way, threads)| Together::begin(name, way, threads));
        // In turn, so that what slows the machine for a while slows all of them.
        for _ in 0..15 {
            all.iter_mut().for_each(Together::take_window);
        }
        let [alone, shared @ ..] = &all;
        for found in shared {
            println!(
                "| {about} | {} | {} | {:.2} | {:.2} |",
                found.threads,
                round(found.by_clock),
                found.by_clock / alone.by_clock,
                found.threads as f64 * found.by_work / alone.by_work
            );
        }
    }
}

/// Threads that learn together, and the best that was seen of them, in moves per second.
struct Together {
    run: SpeedRun,
    way: Way,
    threads: usize,
    games: u64,
    /// Seconds that passed.
    by_clock: f64,
    /// Seconds that the threads were busy, all of them together.
    by_work: f64,
}

impl Together {
    fn begin(name: &str, way: Way, threads: usize) -> Together {
        let setting = SETTINGS.iter().find(|s| s.name == name).expect("a setting of the suite");
        let batches = setting.text.replacen("[learner]", "[learner]\nbatch = 32", 1);
        let text = if way == Way::Batches { &batches } else { setting.text };
        let run = SpeedRun::open(text, 1).expect("the settings are valid");
        // As many games at once as a run lets threads learn.
        let (warm_up, games) = if name == "2048" { (1000, 1000) } else { (2000, 8000) };
        let mut found = Together { run, way, threads, games, by_clock: 0.0, by_work: 0.0 };
        found.learn(warm_up);
        found
    }

    fn learn(&mut self, games: u64) -> f64 {
        let played = match self.way {
            Way::Alone => self.run.learn(games),
            Way::Shared => self.run.learn_shared(games, self.threads),
            Way::Batches => self.run.learn_batches(games, self.threads),
        };
        played.moves as f64
    }

    fn take_window(&mut self) {
        let (clock, begun) = (Clock::of_all_threads(), Instant::now());
        let moves = self.learn(self.games);
        self.by_clock = self.by_clock.max(moves / begun.elapsed().as_secs_f64());
        self.by_work = self.by_work.max(moves / clock.seconds());
    }
}
