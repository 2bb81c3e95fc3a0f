use super::*;
use ludens_core::{Notation, conformance, perft};
use std::collections::HashMap;

#[test]
fn conforms() {
    for (size, swap, games) in
        [(6, false, 200), (2, false, 200), (3, true, 200), (8, true, 40), (9, false, 40)]
    {
        conformance(&Hex::new(size, swap), games).unwrap();
    }
    // The checks of a game grow with the sixth power of the size.
    conformance(&Hex::new(13, true), 4).unwrap();
}

/// Whether the player's stones join his edges: a plain walk over cells and their neighbours.
fn joins(game: &Hex, layout: &CellLayout, cells: &[u8], player: usize) -> bool {
    let size = game.size;
    let along = |cell: usize| if player == 0 { cell / size } else { cell % size };
    let stone = |cell: usize| usize::from(cells[cell]) == player + 1;
    let mut todo: Vec<usize> = (0..cells.len()).filter(|&c| along(c) == 0 && stone(c)).collect();
    let mut seen = vec![false; cells.len()];
    while let Some(cell) = todo.pop() {
        if std::mem::replace(&mut seen[cell], true) {
            continue;
        }
        if along(cell) == size - 1 {
            return true;
        }
        let next = layout.neighbours[cell].iter().map(|&c| usize::from(c));
        todo.extend(next.filter(|&c| stone(c)));
    }
    false
}

fn cells(game: &Hex, state: &State) -> Vec<u8> {
    let mut cells = vec![0; game.num_cells()];
    game.read_cells(state, Player(0), &mut cells);
    cells
}

#[test]
fn the_winner_is_found_as_soon_as_a_plain_search_finds_one() {
    for size in 2..=13 {
        let (game, mut rng) = (Hex::new(size, false), Rng::derived(1, "hex", size as u64));
        let layout = game.layout();
        for _ in 0..30 {
            let mut state = game.start();
            while let Turn::Player(me) = game.turn(&state) {
                let mv = game.random_move(&state, &mut rng, &mut Vec::new());
                let won = game.play(&mut state, mv)[me] == 1.0;
                let cells = cells(&game, &state);
                assert_eq!(won, joins(&game, &layout, &cells, me.index()), "size {size}");
                assert!(!joins(&game, &layout, &cells, me.other().index()), "size {size}");
            }
        }
    }
}

#[test]
fn every_full_board_has_exactly_one_winner() {
    for size in 2..=13 {
        let (game, mut rng) = (Hex::new(size, false), Rng::derived(2, "hex", size as u64));
        let layout = game.layout();
        for _ in 0..100 {
            let mut cells: Vec<u8> = (0..game.num_cells()).map(|i| 1 + (i % 2) as u8).collect();
            rng.shuffle(&mut cells);
            let plain = [0, 1].map(|p| joins(&game, &layout, &cells, p));
            assert!(plain[0] != plain[1], "size {size}: {cells:?}");
            for (player, &won) in plain.iter().enumerate() {
                let own = (0..cells.len()).filter(|&c| usize::from(cells[c]) == player + 1);
                let stones = own.fold(Wide::default(), |set, cell| set | Wide::bit(cell));
                assert_eq!(game.wide.search(player, stones).1, won);
            }
        }
    }
}

/// Counts by plain cells and the plain search above.
fn count(game: &Hex, layout: &CellLayout, cells: &mut [u8], depth: u32) -> u64 {
    let stones = cells.iter().filter(|&&c| c != 0).count();
    let over = (0..2).any(|p| joins(game, layout, cells, p));
    if depth == 0 || over {
        return u64::from(depth == 0);
    }
    let mut total = 0;
    for cell in 0..cells.len() {
        if cells[cell] == 0 {
            cells[cell] = 1 + (stones % 2) as u8;
            total += count(game, layout, cells, depth - 1);
            cells[cell] = 0;
        }
    }
    total
}

#[test]
fn counts_agree_with_a_plain_recursion() {
    for (size, depths) in [(2, 1..=4), (3, 1..=9), (4, 1..=5)] {
        let game = Hex::new(size, false);
        for depth in depths {
            let counted = perft(&game, &game.start(), depth);
            let plain = count(&game, &game.layout(), &mut vec![0; size * size], depth);
            assert_eq!(counted, plain, "size {size}, depth {depth}");
        }
    }
}

fn wins(game: &Hex, state: State, known: &mut HashMap<State, bool>) -> bool {
    if let Some(&wins) = known.get(&state) {
        return wins;
    }
    let mut legal = Vec::new();
    game.legal_moves(&state, &mut legal);
    let wins = legal.iter().any(|&mv| {
        let mut next = state;
        game.play(&mut next, mv)[state.mover] == 1.0 || !wins(game, next, known)
    });
    known.insert(state, wins);
    wins
}

#[test]
fn the_first_player_wins_unless_the_second_may_swap() {
    for size in 2..=3 {
        let (plain, swap) = (Hex::new(size, false), Hex::new(size, true));
        assert!(wins(&plain, plain.start(), &mut HashMap::new()));
        assert!(!wins(&swap, swap.start(), &mut HashMap::new()));
    }
}

#[test]
fn a_swap_mirrors_the_first_stone_into_the_other_colour() {
    let game = Hex::new(4, true);
    let mut state = game.parse_state("..x./..../..../.... player 2").unwrap();
    let swap = game.parse_move(&state, "swap").unwrap();
    assert_eq!(game.play(&mut state, swap), Rewards::NONE);
    assert_eq!(game.state_text(&state), "..../..../o.../.... player 1");
    assert!(game.parse_move(&state, "swap").is_err());
    assert!(state.joined[1].contains(8));
    let mv = game.parse_move(&state, "b3").unwrap();
    game.play(&mut state, mv);
    assert_eq!(game.state_text(&state), "..../..../ox../.... player 2");
    assert!(game.parse_move(&state, "swap").is_err());
}

#[test]
fn chains_run_along_hexagons_and_not_across_corners() {
    let game = Hex::new(3, false);
    // b1-a2-a3 is a chain; a1-b2 is not, for their hexagons share no side.
    let won = game.parse_state(".xo/xo./x.. player 2").unwrap();
    assert_eq!(game.turn(&won), Turn::Over);
    let open = game.parse_state("xo./.x./o.x player 2").unwrap();
    assert_eq!(game.turn(&open), Turn::Player(Player(1)));
}

#[test]
fn impossible_states_are_refused() {
    let game = Hex::new(3, false);
    let message = |text| game.parse_state(text).unwrap_err().to_string();
    for text in
        ["", ".../... player 1", ".../.../..., player 1", "..é/../... player 1", ".../.../..."]
    {
        assert!(message(text).contains("3 rows of 3 cells"), "{}", message(text));
    }
    assert!(message("x../.../... player 1").contains("1 x and 0 o cannot be"));
    assert!(message("o../.../... player 1").contains("0 x and 1 o cannot be"));
    assert!(message("x../xo./xoo player 1").contains("ended earlier"));
    assert!(Hex::new(3, true).parse_state("o../.../... player 1").is_ok());
}
