//! The openings of a contest.

use ludens_core::{Game, Invalid, Move, Notation, Played, Player, Rng, Turn};
use ludens_files::read_text;
use std::collections::HashSet;
use std::path::Path;

/// An opening: a state, and the moves and events that precede the agents' first move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Opening<S> {
    /// The state at which agents begin.
    pub start: S,
    /// The moves and events that follow, which agents observe.
    pub played: Vec<Played>,
}

impl<S: Clone> Opening<S> {
    /// The start of the game, without moves.
    pub fn start<G: Game<State = S>>(game: &G) -> Opening<S> {
        Opening { start: game.start(), played: Vec::new() }
    }

    /// The state in which the agents take over.
    pub fn state<G: Game<State = S>>(&self, game: &G) -> S {
        let mut state = self.start.clone();
        for &what in &self.played {
            match what {
                Played::Move(mv) => game.play(&mut state, mv),
                Played::Event(event) => game.resolve(&mut state, event),
            };
        }
        state
    }
}

/// Which openings to play, before the game is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// The start only.
    Start,
    /// So many random moves, drawn anew for each round.
    Random(usize),
    /// At most so many random moves, drawn anew for each round; each number is equally likely.
    RandomWithin(usize),
    /// Every position after so many moves, each once.
    All(usize),
    /// Every sequence of so many moves, even if several lead to the same position.
    Sequences(usize),
    /// Every position after at most this many moves, the start included, each once.
    Within(usize),
    /// Every position after at most so many moves that is no mirror image of another.
    Unlike(usize),
    /// Each line is a state, or moves from the start.
    Lines(Vec<String>),
}

/// More openings than this are refused.
const MOST: usize = 1_000_000;

/// Longer files of openings are refused.
const LONGEST_FILE: u64 = 256 << 20;

/// The number of attempts to draw a random opening that does not end the game.
const TRIES: usize = 1_000;

const KINDS: [&str; 8] =
    ["start", "random", "random-within", "all", "sequences", "within", "unlike", "file"];

impl Openings {
    /// Reads `start`, `random:4`, `random-within:1`, `all:4`, `sequences:4`, `within:1`, `unlike:1`
    /// or `file:path`.
    ///
    /// In a file each line holds a state, or moves from the usual start with spaces between them;
    /// empty lines and lines that begin with `#` are skipped.
    ///
    /// # Errors
    ///
    /// On unknown words, numbers that are none, and files that cannot be read.
    pub fn parse(text: &str) -> Result<Openings, Invalid> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let moves = || {
            let number = rest.parse::<usize>().ok().filter(|n| (1..=1_000).contains(n));
            number.ok_or_else(|| Invalid(format!("expected {kind}:moves, found {text:?}")))
        };
        match kind {
            "start" if rest.is_empty() => Ok(Openings::Start),
            "random" => Ok(Openings::Random(moves()?)),
            "random-within" => Ok(Openings::RandomWithin(moves()?)),
            "all" => Ok(Openings::All(moves()?)),
            "sequences" => Ok(Openings::Sequences(moves()?)),
            "within" => Ok(Openings::Within(moves()?)),
            "unlike" => Ok(Openings::Unlike(moves()?)),
            "file" => {
                let read = read_text(Path::new(rest), LONGEST_FILE);
                let read = read.map_err(|e| Invalid(format!("cannot read {rest:?}: {e}")))?;
                let wanted = |line: &&str| !line.is_empty() && !line.starts_with('#');
                Ok(Openings::Lines(
                    read.lines().map(str::trim).filter(wanted).map(Into::into).collect(),
                ))
            }
            _ => Err(Invalid::unknown("kind of opening", kind, KINDS)),
        }
    }

    /// The openings of this game.
    ///
    /// # Errors
    ///
    /// If there are none, too many, or a line that is neither state nor moves.
    pub fn book<G: Notation>(&self, game: &G) -> Result<OpeningSuite<G::State>, Invalid> {
        let book = match self {
            Openings::Start => OpeningSuite::fixed(vec![Opening::start(game)]),
            Openings::Random(moves) => OpeningSuite::drawn(game, *moves, *moves)?,
            Openings::RandomWithin(moves) => OpeningSuite::drawn(game, 0, *moves)?,
            Openings::Sequences(moves) => OpeningSuite::fixed(sequences(game, *moves)?),
            Openings::All(moves) => {
                let mut seen = HashSet::new();
                OpeningSuite::distinct(sequences(game, *moves)?, |o| seen.insert(o.state(game)))
            }
            Openings::Within(moves) => {
                let mut seen = HashSet::new();
                OpeningSuite::distinct(up_to(game, *moves)?, |o| seen.insert(o.state(game)))
            }
            Openings::Unlike(moves) => {
                let mut seen = HashSet::new();
                OpeningSuite::distinct(up_to(game, *moves)?, |o| {
                    is_unlike(game, &o.state(game), &mut seen)
                })
            }
            Openings::Lines(lines) => {
                let opening = |(i, line): (usize, &String)| {
                    read_line(game, line).map_err(|e| e.about(format_args!("opening {}", i + 1)))
                };
                OpeningSuite::fixed(
                    lines.iter().enumerate().map(opening).collect::<Result<_, _>>()?,
                )
            }
        };
        if book.openings.is_empty() && book.random.is_none() {
            return Err(Invalid("there are no openings".into()));
        }
        Ok(book)
    }
}

/// The openings of one game.
#[derive(Clone, Debug)]
pub struct OpeningSuite<S> {
    /// Those to choose from, unless they are drawn.
    pub openings: Vec<Opening<S>>,
    /// The least and the largest number of random moves to draw instead.
    pub random: Option<(usize, usize)>,
    /// The number of openings left out as duplicates.
    pub repeated: usize,
}

impl<S: Clone> OpeningSuite<S> {
    fn fixed(openings: Vec<Opening<S>>) -> OpeningSuite<S> {
        OpeningSuite { openings, random: None, repeated: 0 }
    }

    fn drawn<G: Game<State = S>>(
        game: &G,
        least: usize,
        most: usize,
    ) -> Result<OpeningSuite<S>, Invalid> {
        let long_enough = draw(game, most, &mut Rng::derived(0, "opening", 0));
        long_enough.ok_or_else(|| too_long(most))?;
        Ok(OpeningSuite { random: Some((least, most)), ..OpeningSuite::fixed(Vec::new()) })
    }

    fn distinct(
        mut openings: Vec<Opening<S>>,
        keep: impl FnMut(&Opening<S>) -> bool,
    ) -> OpeningSuite<S> {
        let all = openings.len();
        openings.retain(keep);
        OpeningSuite { repeated: all - openings.len(), ..OpeningSuite::fixed(openings) }
    }

    /// The openings of so many rounds.
    ///
    /// Listed openings are played in turn; if not all equally often, in an order drawn from `seed`.
    pub fn schedule(self, seed: u64, rounds: usize) -> OpeningSchedule<S> {
        let mut order: Vec<usize> = (0..self.openings.len()).collect();
        if self.random.is_none() && !rounds.is_multiple_of(order.len()) {
            Rng::derived(seed, "openings", 0).shuffle(&mut order);
        }
        OpeningSchedule { suite: self, order, seed }
    }
}

/// The openings of the rounds of a contest, each made when it is played.
#[derive(Clone, Debug)]
pub struct OpeningSchedule<S> {
    suite: OpeningSuite<S>,
    order: Vec<usize>,
    seed: u64,
}

impl<S: Clone> OpeningSchedule<S> {
    /// The opening of a round.
    pub fn opening<G: Game<State = S>>(&self, game: &G, round: usize) -> Opening<S> {
        if let Some((least, most)) = self.suite.random {
            let rng = &mut Rng::derived(self.seed, "opening", round as u64);
            // One possible number draws nothing, so that older seeds mean what they meant.
            let more = if least < most { rng.below(most - least + 1) } else { 0 };
            return draw(game, least + more, rng).unwrap_or_else(|| Opening::start(game));
        }
        self.suite.openings[self.order[round % self.order.len()]].clone()
    }
}

/// A random sequence with so many moves, and events between them, after which a player is to move.
fn draw<G: Game>(game: &G, moves: usize, rng: &mut Rng) -> Option<Opening<G::State>> {
    (0..TRIES).find_map(|_| draw_once(game, moves, rng))
}

fn draw_once<G: Game>(game: &G, moves: usize, rng: &mut Rng) -> Option<Opening<G::State>> {
    let mut opening = Opening::start(game);
    let (mut state, mut left, mut scratch) = (game.start(), moves, Vec::new());
    loop {
        let what = match game.turn(&state) {
            Turn::Over => return None,
            Turn::Player(_) if left == 0 => return Some(opening),
            Turn::Player(_) => {
                left -= 1;
                let mv = game.random_move(&state, rng, &mut scratch);
                game.play(&mut state, mv);
                Played::Move(mv)
            }
            Turn::Chance => {
                let event = game.draw(&state, rng);
                game.resolve(&mut state, event);
                Played::Event(event)
            }
        };
        opening.played.push(what);
    }
}

fn too_long(moves: usize) -> Invalid {
    Invalid(format!("no game was found that goes on after {moves} moves"))
}

/// Every sequence of this many moves that does not end the game.
fn sequences<G: Game>(game: &G, moves: usize) -> Result<Vec<Opening<G::State>>, Invalid> {
    if game.has_chance() {
        return Err(Invalid("openings can only be listed in games without chance".into()));
    }
    let mut all = vec![(Opening::start(game), game.start())];
    let mut legal: Vec<Move> = Vec::new();
    for _ in 0..moves {
        let mut longer = Vec::new();
        for (opening, state) in &all {
            legal.clear();
            game.legal_moves(state, &mut legal);
            for &mv in &legal {
                let (mut opening, mut state) = (opening.clone(), state.clone());
                game.play(&mut state, mv);
                opening.played.push(Played::Move(mv));
                if game.turn(&state) != Turn::Over {
                    longer.push((opening, state));
                }
            }
            if longer.len() > MOST {
                return Err(Invalid(format!("there are more than {MOST} openings")));
            }
        }
        all = longer;
    }
    if all.is_empty() { Err(too_long(moves)) } else { Ok(all.into_iter().map(|a| a.0).collect()) }
}

/// Every sequence of at most so many moves, the shortest first.
fn up_to<G: Game>(game: &G, moves: usize) -> Result<Vec<Opening<G::State>>, Invalid> {
    let mut all = vec![Opening::start(game)];
    for n in 1..=moves {
        all.extend(sequences(game, n)?);
    }
    Ok(all)
}

/// Whether the state is no symmetric image of a state seen before.
fn is_unlike<G: Notation>(game: &G, state: &G::State, seen: &mut HashSet<(Turn, Vec<u8>)>) -> bool {
    let layout = game.layout();
    let mut cells = vec![0; layout.num_cells()];
    game.read_cells(state, Player(0), &mut cells);
    let image = |symmetry: &Vec<u16>| {
        let mut image = vec![0; cells.len()];
        symmetry.iter().zip(&cells).for_each(|(&to, &value)| image[usize::from(to)] = value);
        image
    };
    let least = layout.symmetries.iter().map(image).min().expect("the identity is a symmetry");
    seen.insert((game.turn(state), least))
}

fn read_line<G: Notation>(game: &G, line: &str) -> Result<Opening<G::State>, Invalid> {
    if let Ok(start) = game.parse_state(line) {
        return live(game, Opening { start, played: Vec::new() });
    }
    let (mut opening, mut state) = (Opening::start(game), game.start());
    for text in line.split_whitespace() {
        let mv = game.parse_move(&state, text).map_err(|e| {
            e.about(format_args!("{line:?} is neither a state nor a sequence of moves"))
        })?;
        game.play(&mut state, mv);
        opening.played.push(Played::Move(mv));
    }
    live(game, opening)
}

fn live<G: Notation>(game: &G, opening: Opening<G::State>) -> Result<Opening<G::State>, Invalid> {
    match game.turn(&opening.state(game)) {
        Turn::Over => Err(Invalid("the game is over before it begins".into())),
        _ => Ok(opening),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_games::TicTacToe;

    fn book(text: &str) -> Result<OpeningSuite<<TicTacToe as Game>::State>, Invalid> {
        Openings::parse(text)?.book(&TicTacToe)
    }

    type State = <TicTacToe as Game>::State;

    fn rounds(book: &OpeningSuite<State>, seed: u64, rounds: usize) -> Vec<Opening<State>> {
        let schedule = book.clone().schedule(seed, rounds);
        (0..rounds).map(|round| schedule.opening(&TicTacToe, round)).collect()
    }

    #[test]
    fn openings_are_counted_as_they_should_be() {
        let count = |text| (book(text).unwrap().openings.len(), book(text).unwrap().repeated);
        assert_eq!(count("start"), (1, 0));
        assert_eq!(count("sequences:2"), (72, 0));
        assert_eq!(count("all:3"), (252, 252));
        assert_eq!(count("within:1").0, 10);
        // Corner, edge and centre, and the empty board.
        assert_eq!(count("unlike:1").0, 4);
    }

    #[test]
    fn random_openings_depend_on_seed_and_round_only() {
        let book = book("random:4").unwrap();
        let rounds = |seed, n| rounds(&book, seed, n);
        assert_eq!(rounds(1, 3), rounds(1, 9)[..3]);
        assert_ne!(rounds(1, 3), rounds(2, 3));
        assert!(rounds(1, 9).iter().all(|o| o.played.len() == 4));
    }

    #[test]
    fn at_most_so_many_random_moves_are_played_each_number_alike() {
        let rounds = book("random-within:1").unwrap().schedule(1, 400);
        let rounds: Vec<_> = (0..400).map(|round| rounds.opening(&TicTacToe, round)).collect();
        let none = rounds.iter().filter(|opening| opening.played.is_empty()).count();
        assert!((160..240).contains(&none), "{none}");
        assert!(rounds.iter().all(|opening| opening.played.len() <= 1));
    }

    #[test]
    fn every_opening_is_played_equally_often_if_the_rounds_allow() {
        let book = book("sequences:1").unwrap();
        assert_eq!(rounds(&book, 1, 9), book.openings);
        let drawn: HashSet<_> = rounds(&book, 1, 8).into_iter().collect();
        assert_eq!(drawn.len(), 8);
    }

    #[test]
    fn lines_are_states_or_moves() {
        let lines = |text: &str| Openings::Lines(vec![text.into()]).book(&TicTacToe);
        assert_eq!(lines("b2 a1").unwrap().openings[0].played.len(), 2);
        assert!(lines("x../.o./...").unwrap().openings[0].played.is_empty());
        assert!(lines("b2 b2").unwrap_err().to_string().contains("neither a state nor"));
        assert!(lines("xxx/oo./...").unwrap_err().to_string().contains("over before"));
    }

    #[test]
    fn mistakes_are_explained() {
        let message = |text| book(text).unwrap_err().to_string();
        assert!(message("randon:4").contains("did you mean \"random\"?"));
        assert!(message("random:x").contains("expected random:moves"));
        assert!(message("random:9").contains("no game was found"));
        assert!(message("file:/nowhere").contains("cannot read"));
    }
}
