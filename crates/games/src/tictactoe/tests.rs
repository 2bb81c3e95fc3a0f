use super::*;
use ludens_core::{conformance, perft};
use std::collections::HashSet;

#[test]
fn conforms() {
    conformance(&TicTacToe, 400).unwrap();
}

fn explore(state: State, seen: &mut HashSet<State>) -> u64 {
    seen.insert(state);
    let mut legal = Vec::new();
    TicTacToe.legal_moves(&state, &mut legal);
    let after = |mv: &Move| {
        let mut next = state;
        TicTacToe.play(&mut next, *mv);
        next
    };
    if legal.is_empty() { 1 } else { legal.iter().map(|mv| explore(after(mv), seen)).sum() }
}

#[test]
fn there_are_255168_games_and_5478_states() {
    let mut seen = HashSet::new();
    assert_eq!(explore(State::default(), &mut seen), 255_168);
    assert_eq!(seen.len(), 5_478);
    assert_eq!(perft(&TicTacToe, &State::default(), 9), 127_872);
}

fn best(state: State) -> i32 {
    let mut legal = Vec::new();
    TicTacToe.legal_moves(&state, &mut legal);
    let worth = |mv: &Move| {
        let mut next = state;
        let gained = TicTacToe.play(&mut next, *mv)[state.mover()] as i32;
        if gained > 0 { gained } else { -best(next) }
    };
    legal.iter().map(worth).max().unwrap_or(0)
}

#[test]
fn perfect_play_is_a_draw() {
    assert_eq!(best(State::default()), 0);
}

#[test]
fn impossible_states_are_refused() {
    let message = |text| TicTacToe.parse_state(text).unwrap_err().to_string();
    assert!(message("xx./.../...").contains("2 crosses and 0 noughts"));
    assert!(message("xxx/oo./..o").contains("ended earlier"));
    assert!(message("x../...").contains("three rows"));
    assert!(message("x../.?./...").contains("three rows"));
}

#[test]
fn features_count_open_lines_and_forks() {
    let read = |text: &str, pov| {
        let mut numbers = [0.0; 9];
        read_lines(&TicTacToe, &TicTacToe.parse_state(text).unwrap(), pov, &mut numbers);
        numbers
    };
    let corners = "x../.o./..x";
    // Each x has two open sides; they cross in the two empty corners. Of the lines of o, the
    // middle row and column and one diagonal are open, and cross only in o itself.
    let expected = [4.0, 0.0, 0.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0];
    assert_eq!(read(corners, Player(0)), expected);
    let swapped = [3.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 2.0, 0.0];
    assert_eq!(read(corners, Player(1)), swapped);
    assert_eq!(read("xxx/oo./...", Player(0))[2], 1.0);
    assert_eq!(read(".../.../...", Player(0))[8], 8.0);
}

#[test]
fn features_count_the_lines_that_cross_in_a_cell() {
    let mut numbers = [0.0; 45];
    let state = TicTacToe.parse_state("x../oo./..x").unwrap();
    read_crossings(&TicTacToe, &state, Player(0), &mut numbers);
    // In b1 a row of x and a column of o; in c1 two lines of x and one of o; in c2 a column of x
    // and the row that o wins with.
    assert_eq!(numbers[5..10], [1.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(numbers[10..15], [2.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(numbers[25..30], [1.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(numbers[..5], [0.0; 5], "the cell is not empty");
}
