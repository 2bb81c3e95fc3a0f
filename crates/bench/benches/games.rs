//! The time each game takes for what is done again and again.

use divan::Bencher;
use divan::counter::ItemsCount;
use ludens_registry::{GAMES, Part, open_game};

fn main() {
    divan::main();
}

/// Random games in one iteration.
const PLAYOUTS: u64 = 20;

/// States in one iteration.
const STATES: usize = 1000;

fn games() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|entry| entry.name)
}

/// The games that have such a part: not all have groups, or moves.
fn games_with(part: Part) -> impl Iterator<Item = &'static str> {
    let has = move |name: &&str| open_game(name).is_ok_and(|game| game.sample(1, 1).size(part) > 0);
    games().filter(has)
}

#[divan::bench(args = games())]
fn playouts(bencher: Bencher<'_, '_>, name: &str) {
    let game = open_game(name).expect("the table opens");
    bencher.counter(ItemsCount::new(PLAYOUTS)).bench(|| game.playouts(PLAYOUTS, 1));
}

#[divan::bench(args = games())]
fn perft(bencher: Bencher<'_, '_>, name: &str) {
    let game = open_game(name).expect("the table opens");
    let depth = (1..12).take_while(|&depth| game.perft(depth) < 100_000).last().unwrap_or(1);
    bencher.counter(ItemsCount::new(game.perft(depth))).bench(|| game.perft(depth));
}

#[divan::bench(args = games_with(Part::LegalMoves))]
fn legal_moves(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, name, Part::LegalMoves);
}

#[divan::bench(args = games_with(Part::Play))]
fn play(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, name, Part::Play);
}

#[divan::bench(args = games_with(Part::ReadCells))]
fn read_cells(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, name, Part::ReadCells);
}

#[divan::bench(args = games_with(Part::ReadGroups))]
fn read_groups(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, name, Part::ReadGroups);
}

fn measure(bencher: Bencher<'_, '_>, name: &str, part: Part) {
    let mut sample = open_game(name).expect("the table opens").sample(STATES, 1);
    bencher.counter(ItemsCount::new(sample.size(part))).bench_local(|| sample.run(part));
}
