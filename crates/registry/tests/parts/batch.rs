//! Many states at once.

use ludens_core::{Move, Player, Turn};
use ludens_registry::open_game;

#[test]
fn games_side_by_side_are_played_at_once() {
    let mut batch = open_game("tictactoe").unwrap().batch(1);
    batch.add_starts(2);
    let rewards = batch.play(&[Move(0), Move(4)]).unwrap();
    assert!(rewards.iter().all(|r| r.first(2) == [0.0, 0.0]));
    let mut cells = [0; 18];
    batch.read_cells(Some(Player(0)), &mut cells);
    assert_eq!((cells[0], cells[9 + 4]), (1, 1));
    let mut legal = [false; 18];
    batch.read_legal(&mut legal);
    assert_eq!(legal.iter().filter(|&&legal| legal).count(), 16);
    let refused = batch.play(&[Move(1), Move(4)]).unwrap_err().to_string();
    assert!(refused.starts_with("state 1: move 4 is not legal; legal: 0, 1"), "{refused}");
    assert_eq!(batch.turn(0), Turn::Player(Player(1)));
}

#[test]
fn chance_replies_and_copies_go_their_own_way() {
    let mut batch = open_game("2048").unwrap().batch(1);
    batch.add_random(30);
    assert_eq!(batch.len(), 30);
    let (mut legal, size) = ([false; 120], 4);
    batch.read_legal(&mut legal);
    let first = |legal: &[bool]| Move(legal.iter().position(|&legal| legal).unwrap() as u32);
    let moves: Vec<Move> = legal.chunks(size).map(first).collect();
    let mut other = batch.fork();
    batch.play(&moves).unwrap();
    assert_ne!(batch.text(3), other.text(3));
    other.play(&moves).unwrap();
    assert_eq!(batch.text(3), other.text(3));
}
