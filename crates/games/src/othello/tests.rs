use super::{Othello, State};
use ludens_core::{
    AROUND, CellBoard, Game, Move, Notation, Params, Played, Player, Rng, Turn, conformance, perft,
};
use std::collections::{HashMap, HashSet};

fn open(text: &str) -> Othello {
    let params: Params = text.parse().unwrap();
    Othello::configure(&params.check(Othello::SETTINGS).unwrap()).unwrap()
}

fn legal(game: &Othello, state: &State) -> Vec<String> {
    let mut legal = Vec::new();
    game.legal_moves(state, &mut legal);
    legal.iter().map(|&mv| game.move_text(state, mv)).collect()
}

#[test]
fn conforms_on_every_size() {
    for text in ["othello", "othello:size=4,reward=discs", "othello:size=6,cells=plain"] {
        conformance(&open(text), 200).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
}

#[test]
fn black_has_four_first_moves() {
    let game = open("othello");
    let mut state = game.start();
    assert_eq!(legal(&game, &state), ["d3", "c4", "f5", "e6"]);
    let mv = game.parse_move(&state, "d3").unwrap();
    game.play(&mut state, mv);
    assert_eq!(
        game.state_text(&state),
        "......../......../...x..../...xx.../...xo.../......../......../........ o"
    );
    assert_eq!(legal(&game, &state), ["c3", "e3", "c5"]);
    let drawn = "    a  b  c  d  e  f  g  h
 1  .  .  .  .  .  .  .  .
 2  .  .  .  .  .  .  .  .
 3  .  .  . (x) .  .  .  .
 4  .  .  .  x  x  .  .  .
 5  .  .  .  x  o  .  .  .
 6  .  .  .  .  .  .  .  .
 7  .  .  .  .  .  .  .  .
 8  .  .  .  .  .  .  .  .
";
    assert_eq!(game.scene(&state, Some(Played::Move(mv))).to_text(), drawn);
}

#[test]
fn one_disc_turns_runs_in_all_eight_directions() {
    let game = open("othello");
    let before = "x.x.x.../.ooo..../xo.ox.../.ooox.../x.xxx.../......../......../........ x";
    let after = "x.x.x.../.xxx..../xxxxx.../.xxxx.../x.xxx.../......../......../........ -";
    let mut state = game.parse_state(before).unwrap();
    let mv = game.parse_move(&state, "c3").unwrap();
    game.play(&mut state, mv);
    assert_eq!(game.state_text(&state), after);
}

#[test]
fn who_cannot_play_passes() {
    let game = open("othello:size=4");
    let mut state = game.parse_state("xo../xxx./xxxx/xxx. o").unwrap();
    assert_eq!(legal(&game, &state), ["pass"]);
    game.play(&mut state, game.pass());
    assert_eq!(game.turn(&state), Turn::Player(Player(0)));
    assert_eq!(legal(&game, &state), ["c1"]);
}

#[test]
fn the_reward_is_the_outcome_or_the_share_of_discs() {
    let last = "xxxx/xxxx/oooo/ooo. x";
    for (text, gained) in [("othello:size=4", 1.0), ("othello:size=4,reward=discs", 0.375)] {
        let game = open(text);
        let mut state = game.parse_state(last).unwrap();
        let mv = game.parse_move(&state, "d4").unwrap();
        let rewards = game.play(&mut state, mv);
        assert_eq!(game.state_text(&state), "xxxx/xxxx/ooxx/ooox -");
        assert_eq!(rewards.first(2), [gained, -gained], "{text}");
    }
}

/// Counts as Bik does (aartbik.com, Perft for Reversi): a game that ended earlier counts as one.
fn published_count(game: &Othello, state: &State, depth: u32) -> u64 {
    if depth == 1 {
        return game.count_legal_moves(state, &mut Vec::new()).max(1) as u64;
    }
    let mut legal = Vec::new();
    game.legal_moves(state, &mut legal);
    if legal.is_empty() {
        return 1;
    }
    let count = |mv: &Move| {
        let mut next = *state;
        game.play(&mut next, *mv);
        published_count(game, &next, depth - 1)
    };
    legal.iter().map(count).sum()
}

#[test]
fn published_counts_include_games_that_ended_earlier() {
    for game in variants("othello") {
        assert_eq!(published_count(&game, &game.start(), 10), 24_571_284);
        assert_eq!(perft(&game, &game.start(), 10), 24_571_284 - 228);
    }
}

#[test]
fn eleven_moves_are_counted_as_published() {
    let game = open("othello");
    assert_eq!(published_count(&game, &game.start(), 11), 212_258_800);
}

/// The empty cells from which a person, walking along all rays, would turn a disc.
fn playable_by_walking(size: usize, own: u64, other: u64) -> u64 {
    let empty = (0..size * size).filter(|&cell| (own | other) >> cell & 1 == 0);
    let playable = empty.filter(|&cell| turned_by_walking(size, cell, own, other) != 0);
    playable.map(|cell| 1 << cell).sum()
}

/// Walks along all rays from `cell`, as a person would.
fn turned_by_walking(size: usize, cell: usize, own: u64, other: u64) -> u64 {
    let mut turned = 0;
    for (dx, dy) in AROUND {
        let (mut x, mut y, mut run) = ((cell % size) as isize, (cell / size) as isize, 0);
        loop {
            (x, y) = (x + dx, y + dy);
            let sides = 0..size as isize;
            if !sides.contains(&x) || !sides.contains(&y) {
                break;
            }
            let bit = 1 << (y as usize * size + x as usize);
            if own & bit != 0 {
                turned |= run;
            }
            if other & bit == 0 {
                break;
            }
            run |= bit;
        }
    }
    turned
}

/// The rules as this processor computes them, and as those without AVX2 do.
fn variants(text: &str) -> [Othello; 2] {
    let game = open(text);
    [Othello { avx2: None, ..game.clone() }, game]
}

#[test]
fn every_variant_finds_what_walking_finds() {
    let mut rng = Rng::seeded(1);
    for _ in 0..2_000 {
        let (filled, colors) = (rng.bits() | rng.bits(), rng.bits());
        for (size, text) in [(4, "othello:size=4"), (6, "othello:size=6"), (8, "othello")] {
            let cells = u64::MAX >> (64 - size * size);
            let (own, other) = (filled & colors & cells, filled & !colors & cells);
            for (cell, game) in (0..size * size).flat_map(|i| variants(text).map(|game| (i, game)))
            {
                if filled >> cell & 1 == 1 {
                    continue;
                }
                let turned = turned_by_walking(size, cell, own, other);
                let placed = game.place(cell as u32, own, other);
                assert_eq!(placed.turned, turned, "{text} {cell} {own:x} {other:x}");
                let (own_next, other_next) = (other & !turned, own | turned | 1 << cell);
                assert_eq!(placed.playable, playable_by_walking(size, own_next, other_next));
                assert_eq!(game.playable(own, other) >> cell & 1 == 1, turned != 0);
            }
        }
    }
}

#[test]
fn every_variant_finds_what_walking_finds_in_games() {
    let mut rng = Rng::seeded(2);
    for _ in 0..200 {
        for [plain, fast] in ["othello:size=4", "othello:size=6", "othello"].map(variants) {
            let mut state = plain.start();
            while let Turn::Player(mover) = state.turn {
                let (own, other) = (state.discs[mover.index()], state.discs[mover.other().index()]);
                assert_eq!(state.playable, playable_by_walking(plain.size, own, other));
                let mv = plain.random_move(&state, &mut rng, &mut Vec::new());
                let mut same = state;
                assert_eq!(plain.play(&mut state, mv), fast.play(&mut same, mv));
                assert_eq!(state, same);
            }
        }
    }
}

/// The final difference of discs, as the first player sees it, when both play perfectly.
fn solve(game: &Othello, state: State, known: &mut HashMap<State, i32>) -> i32 {
    if let Some(&value) = known.get(&state) {
        return value;
    }
    let mut legal = Vec::new();
    game.legal_moves(&state, &mut legal);
    let mut worth = |mv: &Move| {
        let mut next = state;
        game.play(&mut next, *mv);
        solve(game, next, known)
    };
    let values: Vec<i32> = legal.iter().map(&mut worth).collect();
    let value = match state.turn {
        Turn::Player(Player(0)) => values.into_iter().max(),
        _ => values.into_iter().min(),
    };
    let [black, white] = state.discs.map(|discs| discs.count_ones() as i32);
    let value = value.unwrap_or(black - white);
    known.insert(state, value);
    value
}

#[test]
fn the_second_player_wins_on_sixteen_cells_by_eight() {
    let game = open("othello:size=4");
    assert_eq!(solve(&game, game.start(), &mut HashMap::new()), -8);
}

#[test]
fn the_perfect_game_on_36_cells_ends_16_to_20() {
    let game = open("othello:size=6");
    // Feinstein's solution of 1993, its columns and rows moved to begin with a and 1.
    let moves = "c2 b4 c5 d2 e4 e3 d1 c1 b1 d5 d6 f4 b3 b2 f3 f2 e2 b6 a4 c6 a6 a2 b5 a5 e6 e5 a3 \
                 a1 f5 f6 e1 f1";
    let mut state = game.start();
    for text in moves.split_whitespace() {
        if legal(&game, &state) == ["pass"] {
            game.play(&mut state, game.pass());
        }
        let mv = game.parse_move(&state, text).unwrap();
        game.play(&mut state, mv);
    }
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!(state.discs.map(u64::count_ones), [16, 20]);
}

#[test]
fn cells_tell_where_the_next_disc_may_go() {
    let game = open("othello:size=4");
    let mut cells = [9; 16];
    game.read_cells(&game.start(), Player(0), &mut cells);
    assert_eq!(cells, [0, 3, 0, 0, 3, 2, 1, 0, 0, 1, 2, 3, 0, 0, 3, 0]);
    game.read_cells(&game.start(), Player(1), &mut cells);
    assert_eq!(cells, [0, 3, 0, 0, 3, 1, 2, 0, 0, 2, 1, 3, 0, 0, 3, 0]);
}

#[test]
fn impossible_states_are_refused() {
    let game = open("othello:size=4");
    let message = |text| game.parse_state(text).unwrap_err().to_string();
    assert!(message("..../.o../..../.... x").contains("never empty"));
    assert!(message("..../.ox./.xo./.... -").contains("somebody can play"));
    assert!(message("..../.xx./.xx./.... o").contains("- is next"));
    for text in ["", "..../.ox./.xo./....", "..../.ox./.xo. x", "..../.ox./.xo./.... z"] {
        assert!(message(text).contains("4 rows of 4 cells"), "{text}");
    }
}

#[test]
fn rectangles_and_lines_cover_the_board_modulo_symmetry() {
    let layout = open("othello").layout();
    let set = &layout.tuple_sets[0];
    // 12 rectangles of 3 x 2, 8 lines along rows and 4 along diagonals.
    assert_eq!((set.name, set.tuples.len()), ("rectangles-lines", 24));
    let images: HashSet<_> = set.tuples.iter().map(|t| layout.canonical_tuple(t)).collect();
    assert_eq!(images.len(), 24);
    assert!(set.tuples.contains(&vec![0, 9, 18, 27, 36, 45]), "a diagonal");
    // Two rectangles fit on 4 x 4 in different ways: at the edge and in the middle; no line does.
    assert_eq!(open("othello:size=4").layout().tuple_sets[0].tuples.len(), 2);
}
