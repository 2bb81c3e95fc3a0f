use super::*;
use ludens_core::{Params, conformance, perft};
use std::collections::HashMap;

fn nim(text: &str) -> Nim {
    Nim::configure(&text.parse::<Params>().unwrap().check(Nim::SETTINGS).unwrap()).unwrap()
}

#[test]
fn conforms() {
    for text in [
        "nim",
        "nim:heaps=1,size=1",
        "nim:heaps=4,size=7,take=3",
        "nim:heaps=6,size=20",
        "nim:players=3",
        "nim:heaps=5,size=4,take=2,players=3,third=0.5",
    ] {
        conformance(&nim(text), 200).unwrap();
    }
}

fn wins(game: &Nim, state: State, known: &mut HashMap<State, bool>) -> bool {
    if let Some(&wins) = known.get(&state) {
        return wins;
    }
    let mut legal = Vec::new();
    game.legal_moves(&state, &mut legal);
    let wins = legal.iter().any(|&mv| {
        let mut next = state;
        let gained = game.play(&mut next, mv)[state.mover];
        gained == 1.0 || !wins(game, next, known)
    });
    known.insert(state, wins);
    wins
}

#[test]
fn the_mover_wins_exactly_if_the_nim_sum_is_not_zero() {
    // With at most `take` at once a heap counts modulo take + 1 (Bouton 1901 for whole heaps).
    for text in ["nim", "nim:heaps=3,size=7,take=3", "nim:heaps=4,size=4", "nim:size=6,take=5"] {
        let (game, mut known) = (nim(text), HashMap::new());
        for state in every_state(&game) {
            let sum = state.heaps.iter().fold(0, |sum, n| sum ^ (n % (game.take + 1)));
            let wins = wins(&game, state, &mut known);
            assert_eq!(wins, sum != 0, "{text}: {}", game.state_text(&state));
        }
    }
}

fn every_state(game: &Nim) -> Vec<State> {
    let base = usize::from(game.size) + 1;
    let state = |id: usize| {
        let mut state = game.start();
        for (i, pieces) in state.heaps[..game.heaps].iter_mut().enumerate() {
            *pieces = (id / base.pow(i as u32) % base) as u8;
        }
        state
    };
    (0..base.pow(game.heaps as u32)).map(state).collect()
}

/// Counts with plain vectors, sharing nothing with the game.
fn count(heaps: &[usize], take: usize, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut total = 0;
    for i in 0..heaps.len() {
        for n in 1..=heaps[i].min(take) {
            let mut next = heaps.to_vec();
            next[i] -= n;
            total += count(&next, take, depth - 1);
        }
    }
    total
}

#[test]
fn counts_agree_with_a_plain_recursion() {
    for (text, heaps, take) in
        [("nim", vec![5; 3], 5), ("nim:heaps=2,size=7,take=2", vec![7; 2], 2)]
    {
        for depth in 1..=6 {
            let game = nim(text);
            let counted = perft(&game, &game.start(), depth);
            assert_eq!(counted, count(&heaps, take, depth), "{text} {depth}");
        }
    }
}

#[test]
fn of_three_players_the_one_after_the_last_taker_gets_most() {
    let game = nim("nim:players=3");
    let mut state = game.parse_state("0 2 0 player 2").unwrap();
    let mv = game.parse_move(&state, "b2").unwrap();
    assert_eq!(game.play(&mut state, mv).first(3), [0.2, 0.0, 1.0]);
    assert_eq!((game.turn(&state), state.mover), (Turn::Over, Player(2)));
}

#[test]
fn many_heaps_keep_only_shifts_and_mirrors() {
    let number = |heaps| orders(heaps).len();
    assert_eq!([1, 2, 3, 4, 5, 6].map(number), [1, 2, 6, 24, 10, 12]);
}

#[test]
fn mistakes_are_refused() {
    let chosen = "nim:size=3,take=4".parse::<Params>().unwrap().check(Nim::SETTINGS).unwrap();
    let message = Nim::configure(&chosen).unwrap_err().to_string();
    assert_eq!(message, "take=4 is more than a heap holds, size=3");
    for text in ["", "5 5 player 1", "5 5 6 player 1", "5 5 5 player 3", "5  5 player 1", "5 5 5"] {
        let message = nim("nim").parse_state(text).unwrap_err().to_string();
        assert!(message.contains("3 heaps of at most 5"), "{message}");
    }
}
