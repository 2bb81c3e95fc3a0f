use super::{Connect4, State};
use ludens_core::{
    CellBoard, Game, Invalid, Move, Notation, Params, Played, Player, Turn, conformance,
};
use std::collections::{HashMap, HashSet};

fn try_open(text: &str) -> Result<Connect4, Invalid> {
    let params: Params = text.parse()?;
    Connect4::configure(&params.check(Connect4::SETTINGS)?)
}

fn open(text: &str) -> Connect4 {
    try_open(text).unwrap()
}

fn after(game: &Connect4, moves: &str) -> State {
    moves.chars().fold(game.start(), |mut state, column| {
        let mv = game.parse_move(&state, &column.to_string()).unwrap();
        game.play(&mut state, mv);
        state
    })
}

fn children(game: &Connect4, state: &State) -> Vec<State> {
    let mut legal = Vec::new();
    game.legal_moves(state, &mut legal);
    let child = |mv: &Move| {
        let mut next = *state;
        game.play(&mut next, *mv);
        next
    };
    legal.iter().map(child).collect()
}

#[test]
fn conforms_on_every_kind_of_board() {
    for text in [
        "connect4",
        "connect4:cells=plain",
        "connect4:columns=8,rows=7",
        "connect4:columns=7,rows=8,line=5",
        "connect4:columns=4,rows=4,line=3,cells=plain",
        "connect4:columns=9,rows=6,line=9",
    ] {
        conformance(&open(text), 200).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
}

#[test]
fn lines_win_in_every_direction() {
    let game = open("connect4");
    for (moves, winner) in [
        ("1122334", Player(0)),
        ("1212121", Player(0)),
        ("12233434464", Player(0)),
        ("76655454424", Player(0)),
        ("71726364", Player(1)),
    ] {
        let (last, before) = (moves.len() - 1, &moves[..moves.len() - 1]);
        let mut state = after(&game, before);
        assert_eq!(game.turn(&state), Turn::Player(winner), "{moves}");
        let mv = game.parse_move(&state, &moves[last..]).unwrap();
        assert_eq!(game.play(&mut state, mv)[winner], 1.0, "{moves}");
        assert_eq!(game.turn(&state), Turn::Over);
    }
}

/// How many states there are after 0, 1, 2, ... stones.
fn states_by_stones(game: &Connect4, most: usize) -> Vec<usize> {
    let mut layer = HashSet::from([game.start()]);
    let mut counts = Vec::new();
    while !layer.is_empty() && counts.len() <= most {
        counts.push(layer.len());
        layer = layer.iter().flat_map(|state| children(game, state)).collect();
    }
    counts
}

#[test]
fn as_many_states_are_reached_as_published() {
    let counts = states_by_stones(&open("connect4"), 8);
    assert_eq!(counts, [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275], "OEIS A212693");
    let small = states_by_stones(&open("connect4:columns=4,rows=4"), 16);
    assert_eq!(small.iter().sum::<usize>(), 161_029, "Tromp's table of board sizes");
}

/// How many different games there are.
fn count_games(game: &Connect4) -> u64 {
    let mut layer = vec![(game.start(), 1)];
    let mut ended = 0;
    while !layer.is_empty() {
        let mut next = Vec::new();
        for (state, ways) in layer {
            match game.turn(&state) {
                Turn::Over => ended += ways,
                _ => next.extend(children(game, &state).into_iter().map(|child| (child, ways))),
            }
        }
        // Sorting merges equal states in less time than a hash map.
        next.sort_unstable_by_key(|(state, _)| state.stones);
        next.dedup_by(|(state, ways), (kept, sum)| {
            let same = state == kept;
            *sum += if same { *ways } else { 0 };
            same
        });
        layer = next;
    }
    ended
}

#[test]
fn there_are_152505051772_games_of_five_columns_and_four_rows() {
    assert_eq!(count_games(&open("connect4:columns=5,rows=4")), 152_505_051_772, "OEIS A342329");
}

/// What perfect play brings to the player to move.
fn solve(game: &Connect4, state: State, known: &mut HashMap<State, i32>) -> i32 {
    if let Some(&value) = known.get(&state) {
        return value;
    }
    let worth = |next: State| match game.turn(&next) {
        Turn::Over => i32::from(next.stones.iter().any(|&stones| game.has_line(stones))),
        _ => -solve(game, next, known),
    };
    let value = children(game, &state).into_iter().map(worth).max().unwrap();
    known.insert(state, value);
    value
}

#[test]
fn perfect_play_on_four_by_four_is_a_draw_and_three_in_a_row_are_easy() {
    for (text, value) in [("connect4:columns=4,rows=4", 0), ("connect4:columns=4,rows=4,line=3", 1)]
    {
        let game = open(text);
        assert_eq!(solve(&game, game.start(), &mut HashMap::new()), value, "{text}");
    }
}

#[test]
fn cells_tell_the_next_drops() {
    let game = open("connect4:columns=4,rows=4");
    let state = game.parse_state("o.../x.../o.../x..x").unwrap();
    let mut cells = [9; 16];
    game.read_cells(&state, Player(0), &mut cells);
    assert_eq!(cells, [2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 3, 1, 3, 3, 1]);
    let mut groups = [9; 4];
    game.read_groups(&state, Player(0), &mut groups);
    assert_eq!(groups, [0b1111 + 0b0101, 0, 0, 1 + 1]);
    game.read_groups(&state, Player(1), &mut groups);
    assert_eq!(groups, [0b1111 + 0b1010, 0, 0, 1]);
    assert_eq!(game.layout().groups[3].states.len(), 31);
    assert!(open("connect4:columns=7,rows=8").layout().groups.is_empty());
}

#[test]
fn the_scene_shows_columns_and_the_last_stone() {
    let game = open("connect4");
    let state = after(&game, "4453");
    assert_eq!(game.state_text(&state), "......./......./......./......./...o.../..oxx..");
    let drawn = " 1  2  3  4  5  6  7
 .  .  .  .  .  .  .
 .  .  .  .  .  .  .
 .  .  .  .  .  .  .
 .  .  .  .  .  .  .
 .  .  .  o  .  .  .
 .  . (o) x  x  .  .
";
    let scene = game.scene(&state, Some(Played::Move(Move(2))));
    assert_eq!(scene.to_text(), drawn);
}

#[test]
fn impossible_states_are_refused() {
    let game = open("connect4:columns=4,rows=4");
    let message = |text| game.parse_state(text).unwrap_err().to_string();
    assert!(message("..../..../x.../....").contains("floats"));
    assert!(message("..../..../..../xx..").contains("2 times x and 0 times o"));
    assert!(message("..../..../..../o...").contains("x begins"));
    assert!(message("..../..../oooo/xxxx").contains("ended earlier"));
    assert!(message("..../o.../xo../xx..").contains("no stone on top"));
    assert!(message("..../..../....").contains("4 rows of 4 cells"));
    assert!(message("..../..../..../...?").contains("4 rows of 4 cells"));
    assert!(message("").contains("found \"\""));
}

#[test]
fn boards_that_do_not_fit_are_refused() {
    let message = |text| try_open(text).unwrap_err().to_string();
    assert_eq!(
        message("connect4:columns=8,rows=8"),
        "columns * (rows + 1) is at most 64, and 8 * (8 + 1) is 72"
    );
    assert!(message("connect4:line=8").contains("a line of 8 does not fit 7 columns and 6 rows"));
}
