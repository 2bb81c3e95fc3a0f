//! The solver against a plain search, against itself and against known facts.

use ludens_experts::connect4::{
    Cache, MoveScores, OpeningBook, Outcome, Position, Solver, WIDTH, final_stones,
};
use std::path::PathBuf;

/// Cells by row, from the bottom, and column: 0 for free, 1 and 2 for the players.
type Grid = [[u8; 7]; 6];

/// Tries everything; knows neither bits nor bounds.
fn plain_score(grid: &mut Grid, stones: usize) -> i8 {
    let mut best = None;
    for column in 0..7 {
        let Some(row) = (0..6).find(|&row| grid[row][column] == 0) else { continue };
        grid[row][column] = 1 + (stones % 2) as u8;
        let score = if completes_line(grid, row, column) {
            22 - (stones / 2 + 1) as i8
        } else {
            -plain_score(grid, stones + 1)
        };
        grid[row][column] = 0;
        best = best.max(Some(score));
    }
    best.unwrap_or(0)
}

fn completes_line(grid: &Grid, row: usize, column: usize) -> bool {
    let owner = grid[row][column];
    let mine = |up: i32, right: i32| {
        let (row, column) = (row as i32 + up, column as i32 + right);
        (0..6).contains(&row)
            && (0..7).contains(&column)
            && grid[row as usize][column as usize] == owner
    };
    [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(up, right)| {
        let run = |sign| (1..4).take_while(|i| mine(sign * i * up, sign * i * right)).count();
        run(1) + run(-1) >= 3
    })
}

fn grid(moves: &str) -> Grid {
    let mut grid = Grid::default();
    for (stones, mv) in moves.bytes().enumerate() {
        let column = usize::from(mv - b'1');
        let row = (0..6).find(|&row| grid[row][column] == 0).expect("the column is open");
        grid[row][column] = 1 + (stones % 2) as u8;
    }
    grid
}

/// Random games with so many stones that nobody has won yet.
struct RandomPositions {
    seed: u64,
    stones: usize,
}

impl RandomPositions {
    fn below(&mut self, n: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.seed >> 33) as usize % n
    }
}

impl Iterator for RandomPositions {
    type Item = (String, Position);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut moves = String::new();
            for _ in 0..self.stones {
                moves.push(char::from(b'1' + self.below(7) as u8));
            }
            if let Ok(position) = Position::from_moves(&moves) {
                return Some((moves, position));
            }
        }
    }
}

fn games(stones: usize) -> RandomPositions {
    RandomPositions { seed: 7 + stones as u64, stones }
}

/// Random games with many stones: full columns are skipped instead of tried again.
fn late_games(stones: usize, count: usize) -> Vec<(String, Position)> {
    let mut games = games(stones);
    let mut found = Vec::new();
    while found.len() < count {
        let mut moves = String::new();
        let mut position = Position::default();
        while position.stones() < stones {
            let open: Vec<_> = (0..WIDTH)
                .filter(|&column| position.can_play(column) && !position.wins_with(column))
                .collect();
            let Some(&column) = open.get(games.below(7)) else {
                if open.is_empty() { break } else { continue }
            };
            position = position.after(column);
            moves.push(char::from(b'1' + column as u8));
        }
        if position.stones() == stones {
            found.push((moves, position));
        }
    }
    found
}

/// Positions and the scores of their moves, on which other solvers agree; `-` for a full column.
const KNOWN: [(&str, &str); 24] = [
    ("751264273325", "-11 1 2 0 1 -2 -11"),
    ("261352714535", "-3 -3 -3 -10 2 -3 -3"),
    ("6525151612527", "5 -14 -14 -14 -14 -14 -14"),
    ("5636532114646", "-2 -3 -2 2 0 -3 -3"),
    ("11754453265744", "2 3 2 2 13 -2 2"),
    ("651733215112377", "-13 -13 -13 0 -13 -13 -13"),
    ("56567346332364674", "2 3 9 4 -12 -1 -1"),
    ("165157356714622615", "8 -9 9 -4 -9 -9 -6"),
    ("311541535762221771", "0 2 3 -11 5 0 -1"),
    ("64317456613442643227", "-11 -11 11 -11 0 -11 -11"),
    ("641222117433731557271", "2 2 10 11 0 2 10"),
    ("774414163562651665552", "5 -10 -10 -10 -10 -10 -10"),
    ("1616242727335226413213", "-10 - -10 -10 -10 4 -10"),
    ("3563674146147362622333", "-10 -10 - 9 10 -10 -10"),
    ("51121462765754163163667", "-9 -9 -9 -9 8 - -9"),
    ("54515274141231212231366", "- -9 10 10 -9 -9 -9"),
    ("636446723346173155722233", "-9 -9 - -9 -9 -9 0"),
    ("2243233223153575237155456", "-1 - - 0 - -7 -7"),
    ("24646211254672476117754462", "7 7 -8 - 8 7 7"),
    ("42144232364463767437275731", "-8 -8 -8 - -8 -8 6"),
    ("61663144363337167347154475", "-8 -8 - -8 8 -7 -8"),
    ("12664465447157375266477511", "-8 -8 7 -8 -8 -8 -8"),
    ("74622541671571615616717226", "- -8 -8 8 -8 - 8"),
    ("55737742771372465333546161", "-8 7 -8 8 -8 -8 -"),
];

fn read_scores(text: &str) -> MoveScores {
    let mut scores = text.split(' ').map(|score| score.parse().ok());
    std::array::from_fn(|_| scores.next().expect("seven scores"))
}

fn solver() -> Solver {
    Solver::new(16 << 20).expect("16 MiB are there")
}

fn position(moves: &str) -> Position {
    Position::from_moves(moves).expect("an open game")
}

/// A path of its own for a test, removed at the end.
struct TempPath(PathBuf);

impl TempPath {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("ludens-solver-{name}-{}", std::process::id())))
    }
}

impl Drop for TempPath {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn scores_are_those_of_a_plain_search() {
    let mut solver = solver();
    for (stones, count) in [(28, 10), (30, 40), (32, 200), (35, 300), (38, 200), (41, 100)] {
        for (moves, position) in late_games(stones, count) {
            let plain = plain_score(&mut grid(&moves), stones);
            assert_eq!(solver.score(position), plain, "{moves}");
        }
    }
}

#[test]
fn known_positions_have_their_known_scores() {
    let mut solver = solver();
    for (moves, scores) in KNOWN {
        assert_eq!(solver.move_scores(position(moves)), read_scores(scores), "{moves}");
    }
}

#[test]
fn a_position_scores_like_its_best_move_and_a_move_like_its_child() {
    let mut solver = solver();
    for (moves, position) in games(14).take(15).chain(games(18).take(15)).chain(late_games(26, 30))
    {
        let scores = solver.move_scores(position);
        assert_eq!(scores.iter().flatten().copied().max(), Some(solver.score(position)), "{moves}");
        for (column, score) in scores.into_iter().enumerate() {
            assert_eq!(score.is_some(), position.can_play(column), "{moves}");
            if position.can_play(column) && !position.wins_with(column) {
                let child = self::solver().score(position.after(column));
                assert_eq!(score, Some(-child), "{moves} then {}", column + 1);
            }
        }
    }
}

#[test]
fn mirror_images_score_alike() {
    for (moves, position) in games(13).take(20) {
        let mut reversed = solver().move_scores(position.mirrored());
        reversed.reverse();
        assert_eq!(solver().move_scores(position), reversed, "{moves}");
    }
}

#[test]
fn the_size_of_the_table_changes_no_score() {
    let (mut small, mut large) = (Solver::new(0).unwrap(), Solver::new(64 << 20).unwrap());
    for (moves, position) in games(20).take(40) {
        assert_eq!(small.score(position), large.score(position), "{moves}");
    }
    assert!(small.nodes() > large.nodes());
}

#[test]
fn the_outcome_is_the_sign_of_the_score() {
    for (moves, position) in games(15).take(20).chain(late_games(25, 50)) {
        let outcome = solver().outcome(position);
        assert_eq!(outcome, Outcome::of(solver().score(position)), "{moves}");
    }
}

#[test]
fn the_principal_line_ends_when_the_score_says() {
    let mut solver = solver();
    for (moves, start) in games(16).take(20).chain(late_games(27, 50)) {
        let score = solver.score(start);
        let line = solver.principal_line(start);
        assert_eq!(start.stones() + line.len(), final_stones(score, start.stones()), "{moves}");
        let (last, before) = line.split_last().unwrap();
        let end = before.iter().fold(start, |position, &column| position.after(column));
        assert_eq!(end.wins_with(*last), score != 0, "{moves}");
    }
}

#[test]
fn a_full_board_is_a_draw_without_moves() {
    let (moves, last) = late_games(41, 20)
        .into_iter()
        .find(|(_, position)| !position.wins_at_once())
        .expect("a random game that nobody wins");
    let column = (0..WIDTH).find(|&column| last.can_play(column)).unwrap();
    let full = last.after(column);
    assert_eq!(solver().score(full), 0, "{moves}");
    assert_eq!(solver().move_scores(full), [None; WIDTH]);
    assert_eq!(solver().outcome(full), Outcome::Draw);
    assert!(solver().principal_line(full).is_empty());
}

#[test]
fn a_book_answers_without_search() {
    let eight = position("44444411");
    let mut solver = solver();
    assert!(solver.use_book(Ok(OpeningBook::from_scores(8, [(eight, -5)]))).is_none());
    assert_eq!(solver.score(eight.mirrored()), -5, "whatever the book says");
    assert_eq!(solver.nodes(), 0);
}

#[test]
fn the_embedded_book_says_what_the_search_finds() {
    let mut solver = solver();
    let book = OpeningBook::embedded().expect("the book is whole");
    // Early ends are found fast.
    for (key, score) in book.entries().filter(|(_, score)| score.abs() > 9).step_by(50) {
        let position = Position::from_key(key).expect("a key of a position");
        assert_eq!(solver.score(position), score, "{position:?}");
    }
}

#[test]
fn a_missing_book_is_a_warning_and_no_wrong_score() {
    let mut solver = solver();
    let warning = solver.use_book(OpeningBook::open("/nowhere/at/all".as_ref())).unwrap();
    assert!(warning.to_string().starts_with("the opening book cannot be read"));
    let (moves, position) = games(20).next().unwrap();
    assert_eq!(solver.score(position), self::solver().score(position), "{moves}");
}

/// What follows the positions within one move, games that are over and won at once left out.
fn followers(positions: &[Position]) -> Vec<Position> {
    let open = |p: &Position, column: usize| p.can_play(column) && !p.wins_with(column);
    let of = |&p: &Position| (0..WIDTH).filter(move |c| open(&p, *c)).map(move |c| p.after(c));
    positions.iter().flat_map(of).filter(|position| !position.is_full()).collect()
}

#[test]
fn a_whole_book_leaves_nothing_to_search_behind_it() {
    for (moves, start) in games(20).take(30) {
        let mut teacher = solver();
        let ends = followers(&followers(&followers(&[start])));
        let ends = ends.into_iter().filter(|end| !end.wins_at_once());
        let book = OpeningBook::from_scores(23, ends.map(|end| (end, teacher.score(end))));
        let mut solver = solver();
        solver.use_book(Ok(book));
        assert_eq!(solver.score(start), teacher.score(start), "{moves}");
        // A few questions, each about at most 1 + 7 + 49 + 343 positions.
        assert!(solver.nodes() <= 1600, "{} nodes for {moves}", solver.nodes());
    }
}

#[test]
fn the_search_finds_book_positions_below_the_root() {
    let seven = position("4444441");
    let mut solver = solver();
    let book = (0..WIDTH).filter(|&column| seven.can_play(column)).map(|column| {
        let score = if column == 6 { -4 } else { 3 };
        (seven.after(column), score)
    });
    solver.use_book(Ok(OpeningBook::from_scores(8, book)));
    assert_eq!(solver.score(seven), 4);
}

#[test]
fn a_cache_answers_in_later_runs() {
    let scratch = TempPath::new("later");
    let takes_long = |position: &Position| {
        let mut solver = solver();
        solver.score(*position);
        solver.nodes() > 100_000
    };
    let (moves, hard) = games(13).find(|(_, position)| takes_long(position)).unwrap();
    let scores = |solver: &mut Solver| -> MoveScores {
        solver.use_cache(Cache::open(&scratch.0, 1 << 20).unwrap());
        solver.move_scores(hard)
    };
    let (mut first, mut second) = (solver(), solver());
    assert_eq!(scores(&mut first), scores(&mut second), "{moves}");
    assert!(first.nodes() > 0);
    assert_eq!(second.nodes(), 0);
}

#[test]
#[ignore = "needs LUDENS_REFERENCE, a file of positions with the score of every move"]
fn scores_are_those_of_the_reference_file() {
    let path = std::env::var("LUDENS_REFERENCE").expect("LUDENS_REFERENCE names a file");
    let text = std::fs::read_to_string(path).unwrap();
    let mut solver = Solver::new(1 << 30).unwrap();
    solver.use_book(OpeningBook::embedded());
    for line in text.lines().skip(1) {
        let (moves, scores) = line.split_once(',').unwrap();
        let mut expected = [None; WIDTH];
        for (slot, score) in expected.iter_mut().zip(scores.split(',')) {
            *slot = (!score.is_empty()).then(|| score.parse().unwrap());
        }
        assert_eq!(solver.move_scores(position(moves)), expected, "{moves}");
    }
}
