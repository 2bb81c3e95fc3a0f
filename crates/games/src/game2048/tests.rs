use super::*;
use ludens_core::{Notation, conformance, perft};

fn game() -> Game2048 {
    Game2048::default()
}

fn state(text: &str) -> State {
    game().parse_state(text).unwrap()
}

/// The text after a move, and what it gained.
fn played(before: &str, mv: &str) -> (String, f32) {
    let (game, mut state) = (game(), state(before));
    let mv = game.parse_move(&state, mv).unwrap();
    let gained = game.play(&mut state, mv)[Player(0)];
    (game.state_text(&state), gained)
}

#[test]
fn conforms() {
    conformance(&game(), 200).unwrap();
}

/// Slides by lists of tiles; shares nothing with the tables.
fn plain_slide(row: [u8; 4]) -> ([u8; 4], u32) {
    let mut tiles: Vec<u8> = row.into_iter().filter(|&tile| tile != 0).collect();
    let (mut out, mut gained) = (Vec::new(), 0);
    while !tiles.is_empty() {
        let tile = tiles.remove(0);
        if tiles.first() == Some(&tile) {
            tiles.remove(0);
            out.push(tile + 1);
            gained += 2u32.pow(u32::from(tile) + 1);
        } else {
            out.push(tile);
        }
    }
    out.resize(4, 0);
    (out.try_into().unwrap(), gained)
}

#[test]
fn every_row_slides_as_a_list_of_tiles_does() {
    for row in 0..=u16::MAX {
        let cells = rows::unpacked(row);
        assert_eq!(rows::slide(cells), plain_slide(cells), "{cells:?}");
    }
}

fn random_state(rng: &mut Rng, exponents: usize) -> State {
    let mut state = State::new(0, 0, false);
    (0..CELLS).for_each(|cell| state.set(cell, rng.below(exponents) as u8));
    state
}

#[test]
fn the_tables_and_the_slow_way_agree_in_every_direction() {
    let rng = &mut Rng::seeded(1);
    for i in 0..20_000 {
        let before = random_state(rng, 2 + i % 15);
        for direction in 0..4 {
            let (mut fast, mut slow) = (before, before);
            let gained = game().play(&mut fast, Move(direction))[Player(0)];
            assert_eq!(gained, slow.slide_large(direction) as f32);
            assert_eq!((fast.low(), fast.high()), (slow.low(), slow.high()));
            let moves = (slow.low(), slow.high()) != (before.low(), before.high());
            assert_eq!(before.directions() >> direction & 1 == 1, moves, "{before:?} {direction}");
        }
    }
}

#[test]
fn directions_know_tiles_of_every_size() {
    let rng = &mut Rng::seeded(2);
    for _ in 0..20_000 {
        let mut before = random_state(rng, 3);
        let lifted: Vec<u8> = (0..CELLS).map(|cell| before.exponent(cell)).collect();
        lifted
            .iter()
            .enumerate()
            .for_each(|(cell, &e)| before.set(cell, [0, 16, 1][usize::from(e)]));
        for direction in 0..4 {
            let mut after = before;
            after.slide_large(direction);
            assert_eq!(before.directions() >> direction & 1 == 1, after != before, "{before:?}");
        }
    }
}

#[test]
fn a_tile_merges_once_per_move() {
    let before = "2 2 2 2/4 . 2 2/2 2 4 ./. . . 2 player 1";
    let after = "4 4 . ./4 4 . ./4 4 . ./2 . . . chance";
    assert_eq!(played(before, "left"), (after.into(), 16.0));
    let after = ". . 4 4/. . 4 4/. . 4 4/. . . 2 chance";
    assert_eq!(played(before, "right"), (after.into(), 16.0));
    let after = "2 4 4 4/4 . 4 2/2 . . ./. . . . chance";
    assert_eq!(played(before, "up"), (after.into(), 12.0));
    let after = ". . . ./2 . . ./4 . 4 2/2 4 4 4 chance";
    assert_eq!(played(before, "down"), (after.into(), 12.0));
}

#[test]
fn tiles_beyond_32768_merge_as_all_others_do() {
    let before = "32768 32768 2 ./. . . ./. . . ./. . . . player 1";
    let after = "65536 2 . ./. . . ./. . . ./. . . . chance";
    assert_eq!(played(before, "left"), (after.into(), 65_536.0));
    let before = "65536 . . ./65536 . . ./4 . . ./4 . . . player 1";
    let after = ". . . ./. . . ./131072 . . ./8 . . . chance";
    assert_eq!(played(before, "down"), (after.into(), 131_080.0));
    let before = "16384 16384 16384 16384/2 2 . ./. . . ./. . . . player 1";
    let after = ". . 32768 32768/. . . 4/. . . ./. . . . chance";
    assert_eq!(played(before, "right"), (after.into(), 65_540.0));
    assert_eq!(state("2 . . ./. . . ./. . . ./. . . 65536 player 1").packed(), None);
    assert_eq!(state("2 4 . ./. . . ./. . . ./. . . 8 player 1").packed(), Some(0x3 << 60 | 0x21));
}

#[test]
fn a_game_goes_on_with_the_largest_tiles() {
    let rng = &mut Rng::seeded(3);
    let game = game();
    for _ in 0..200 {
        let mut state = state("65536 32768 16384 8192/65536 4096 2 2/. . . ./. . . . player 1");
        let mut gained = 0.0;
        loop {
            assert_eq!(game.parse_state(&game.state_text(&state)), Ok(state));
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    let event = game.draw(&state, rng);
                    assert_eq!(state.exponent(event.0 as usize / 2), 0);
                    game.resolve(&mut state, event);
                }
                Turn::Player(_) => {
                    let mv = game.random_move(&state, rng, &mut Vec::new());
                    gained += game.play(&mut state, mv)[Player(0)];
                }
            }
        }
        assert!(gained > 0.0);
    }
}

#[test]
fn a_game_ends_when_nothing_moves() {
    let stuck = state("2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2 player 1");
    assert_eq!(game().turn(&stuck), Turn::Over);
    let merges = state("2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 4 player 1");
    assert_eq!(game().turn(&merges), Turn::Player(Player(0)));
    let large = state("65536 2 4 2/131072 4 2 4/2 8 4 2/4 2 8 4 player 1");
    assert_eq!(game().turn(&large), Turn::Over);
}

#[test]
fn chance_adds_a_2_nine_times_in_ten_and_two_tiles_at_the_start() {
    let (game, rng, mut counts) = (game(), &mut Rng::seeded(4), [0; 32]);
    let mut start = game.start();
    for _ in 0..160_000 {
        counts[game.draw(&start, rng).0 as usize] += 1;
    }
    for cell in counts.chunks(2) {
        assert!((8_600..9_400).contains(&cell[0]) && (850..1_150).contains(&cell[1]), "{counts:?}");
    }
    game.resolve(&mut start, tile(5, true));
    assert_eq!(game.state_text(&start), ". . . ./. 4 . ./. . . ./. . . . chance");
    game.resolve(&mut start, tile(8, false));
    assert_eq!(game.state_text(&start), ". . . ./. 4 . ./2 . . ./. . . . player 1");
    assert_eq!(game.event_text(&start, tile(9, false)), "2@b3");
}

#[test]
fn starts_are_counted() {
    assert_eq!(perft(&game(), &game().start(), 1), 32);
    assert_eq!(perft(&game(), &game().start(), 2), 32 * 30);
}

#[test]
fn impossible_states_are_refused() {
    let message = |text| game().parse_state(text).unwrap_err().to_string();
    for text in [
        "",
        "2 2 . ./. . . ./. . . ./. . . .",
        "2 2 . ./. . . ./. . . . player 1",
        "2 3 . ./. . . ./. . . ./. . . . player 1",
        "2 2 . ./. . . ./. . . ./. . . 262144 player 1",
        "2  2 ./. . . ./. . . ./. . . . player 1",
        "02 2 . ./. . . ./. . . ./. . . . player 1",
    ] {
        assert!(message(text).contains("four rows of four tiles"), "{}", message(text));
    }
    assert!(message("2 2 2 2/2 2 2 2/2 2 2 2/2 2 2 2 chance").contains("no room"));
    assert!(message(". . . ./. 2 . ./. . . ./. . . . player 1").contains("two tiles"));
    let twice = "131072 131072 . ./. . . ./. . . ./. . . . player 1";
    assert!(message(twice).contains("sum up to 262144; possible is 262140"));
}
