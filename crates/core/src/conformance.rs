//! The conformance tests that every game must pass.

mod board;

use crate::{
    Bitboards, Cancellation, CellLayout, Event, Invalid, Move, Notation, Player, Rewards, Rng, Turn,
};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A violated contract of a game, and the state that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What is wrong.
    pub what: String,
    /// The state that shows it, as the game itself writes it.
    pub state: String,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n  in state {}", self.what, self.state)
    }
}

impl std::error::Error for Violation {}

/// Turns after which a game counts as endless; fewer for the games of the tests here.
const ENDLESS: usize = if cfg!(test) { 1_000 } else { 1_000_000 };

/// Plays `games` random games and checks the contracts of a game in every state.
///
/// The contracts are those of [`Game`](crate::Game), [`CellBoard`](crate::CellBoard), [`Bitboards`]
/// and [`Notation`]. Each game is also played as its image under one of the symmetries, which take
/// turns.
///
/// # Errors
///
/// The first violation found.
pub fn conformance<G: Notation + Bitboards>(game: &G, games: u64) -> Result<(), Violation> {
    let layout = game.layout();
    board::check_layout(game, &layout)?;
    for seed in (0..games).take_while(|_| !Cancellation::requested()) {
        let rng = Rng::derived(seed, "conformance", 0);
        let symmetry = seed as usize % layout.symmetries.len();
        let states = Pair { state: game.start(), image: game.map_start(symmetry) };
        Check { game, layout: &layout, symmetry, rng }.play_out(states)?;
    }
    Ok(())
}

/// Plays one random game from `state` and checks the same contracts in every state.
///
/// # Errors
///
/// The first violation found.
pub fn conformance_from<G: Notation + Bitboards>(
    game: &G,
    state: &G::State,
    seed: u64,
) -> Result<(), Violation> {
    let layout = game.layout();
    board::check_layout(game, &layout)?;
    let rng = Rng::derived(seed, "conformance", 0);
    let states = Pair { state: state.clone(), image: state.clone() };
    Check { game, layout: &layout, symmetry: 0, rng }.play_out(states)
}

/// A state and its image under the symmetry that is being checked.
struct Pair<S> {
    state: S,
    image: S,
}

struct Check<'a, G> {
    game: &'a G,
    layout: &'a CellLayout,
    symmetry: usize,
    rng: Rng,
}

impl<G: Notation + Bitboards> Check<'_, G> {
    fn play_out(mut self, mut pair: Pair<G::State>) -> Result<(), Violation> {
        let mut total = Rewards::NONE;
        for _ in 0..ENDLESS {
            self.check_state(&pair)?;
            total += match self.game.turn(&pair.state) {
                Turn::Over => return self.check_over(&pair.state, total),
                Turn::Chance => self.draw_event(&mut pair)?,
                Turn::Player(player) => self.play_move(&mut pair, player)?,
            };
        }
        self.fail(&pair.state, format!("the game has not ended after {ENDLESS} turns"))
    }

    fn check_state(&self, pair: &Pair<G::State>) -> Result<(), Violation> {
        let Pair { state, image } = pair;
        self.check_text(state)?;
        self.check_cells(state)?;
        self.check_features(state)?;
        self.check_image(pair)?;
        let (a, b) = (self.game.turn(state), self.game.turn(image));
        self.ensure(a == b, state, || {
            let (a, b) = (turn_text(a), turn_text(b));
            format!("the turn is {a}, but {b} in the image")
        })
    }

    fn check_text(&self, state: &G::State) -> Result<(), Violation> {
        let text = self.game.state_text(state);
        let plain = !text.is_empty() && !text.contains(['\n', '\t']);
        self.ensure(plain, state, || format!("the state's text is not one line: {text:?}"))?;
        let read = match self.game.parse_state(&text) {
            Ok(read) => read,
            Err(e) => return self.fail(state, format!("parse_state rejects {text:?}: {e}")),
        };
        self.ensure(read == *state, state, || {
            format!("parse_state returns another state: {read:?} instead of {state:?}")
        })?;
        self.ensure(hash(&read) == hash(state), state, || "equal states hash differently".into())
    }

    fn check_over(&self, state: &G::State, total: Rewards) -> Result<(), Violation> {
        let (moves, events) = (self.legal_moves(state), self.events(state));
        self.ensure(moves.is_empty(), state, || "there are legal moves after the end".into())?;
        self.ensure(events.is_empty(), state, || "there are events after the end".into())?;
        let Some((low, high)) = self.game.reward_range() else { return Ok(()) };
        let total = &total.0[..self.game.num_players()];
        let within = total.iter().all(|reward| (low..=high).contains(reward));
        self.ensure(within, state, || {
            format!("the total rewards are {total:?}, but reward_range is {low} to {high}")
        })
    }

    fn draw_event(&mut self, pair: &mut Pair<G::State>) -> Result<Rewards, Violation> {
        let game = self.game;
        self.ensure(game.has_chance(), &pair.state, || {
            "it is chance's turn, but has_chance is false".into()
        })?;
        let events = self.events(&pair.state);
        self.check_events(&pair.state, &events)?;
        let event = game.draw(&pair.state, &mut self.rng);
        let listed = events.iter().any(|(e, _)| *e == event);
        self.ensure(listed, &pair.state, || {
            format!("draw returns event {}, which is not in events", event.0)
        })?;
        let gained = game.resolve(&mut pair.state, event);
        let mirrored = game.resolve(&mut pair.image, game.map_event(self.symmetry, event));
        self.check_rewards(&pair.state, gained, mirrored)?;
        Ok(gained)
    }

    fn check_events(&self, state: &G::State, events: &[(Event, f32)]) -> Result<(), Violation> {
        let sum: f32 = events.iter().map(|e| e.1).sum();
        self.ensure((sum - 1.0).abs() < 1e-4, state, || format!("probabilities sum to {sum}"))?;
        let moves = self.legal_moves(state);
        self.ensure(moves.is_empty(), state, || "there are legal moves on chance's turn".into())?;
        for &(event, _) in events {
            let text = self.game.event_text(state, event);
            let read = self.game.parse_event(state, &text);
            self.ensure(read == Ok(event), state, || {
                let read = read_text(read.as_ref().map(|event| event.0));
                format!("parse_event reads {text:?} as {read} instead of {}", event.0)
            })?;
        }
        Ok(())
    }

    fn play_move(
        &mut self,
        pair: &mut Pair<G::State>,
        player: Player,
    ) -> Result<Rewards, Violation> {
        let game = self.game;
        let seated = player.index() < game.num_players();
        self.ensure(seated, &pair.state, || {
            format!("player {} is not below the number of players", player.0)
        })?;
        let events = self.events(&pair.state);
        self.ensure(events.is_empty(), &pair.state, || {
            "there are events on a player's turn".into()
        })?;
        let legal = self.legal_moves(&pair.state);
        self.check_legal(&pair.state, &legal)?;
        self.check_mapped_moves(pair, &legal)?;
        self.check_afterstates(&pair.state, &legal)?;
        let mv = self.random_move(&pair.state, &legal)?;
        let gained = game.play(&mut pair.state, mv);
        let mirrored = game.play(&mut pair.image, game.map_move(self.symmetry, mv));
        self.check_rewards(&pair.state, gained, mirrored)?;
        Ok(gained)
    }

    fn check_legal(&self, state: &G::State, legal: &[Move]) -> Result<(), Violation> {
        let game = self.game;
        self.ensure(!legal.is_empty(), state, || "no legal move on a player's turn".into())?;
        let sorted = legal.is_sorted_by(|a, b| a < b);
        self.ensure(sorted, state, || format!("legal moves are not ascending: {}", ids(legal)))?;
        for &mv in legal {
            let known = (mv.0 as usize) < game.num_moves();
            self.ensure(known, state, || {
                format!("move {} is not below the number of moves", mv.0)
            })?;
            let text = game.move_text(state, mv);
            let read = game.parse_move(state, &text);
            self.ensure(read == Ok(mv), state, || {
                let read = read_text(read.as_ref().map(|mv| mv.0));
                format!("parse_move reads {text:?} as {read} instead of {}", mv.0)
            })?;
        }
        let counted = game.count_legal_moves(state, &mut Vec::new());
        self.ensure(counted == legal.len(), state, || {
            format!("count_legal_moves counts {counted} instead of {} moves", legal.len())
        })
    }

    /// `map_move` maps the legal moves to those of the image.
    fn check_mapped_moves(&self, pair: &Pair<G::State>, legal: &[Move]) -> Result<(), Violation> {
        let map = |&mv: &Move| self.game.map_move(self.symmetry, mv);
        let mapped: BTreeSet<Move> = legal.iter().map(map).collect();
        let expected: BTreeSet<Move> = self.legal_moves(&pair.image).into_iter().collect();
        self.ensure(mapped == expected, &pair.state, || {
            let (mapped, expected) = (ids(&mapped), ids(&expected));
            format!("map_move leads to {mapped}, but legal in the image are {expected}")
        })
    }

    /// `each_afterstate` visits what `play` leads to.
    fn check_afterstates(&self, state: &G::State, legal: &[Move]) -> Result<(), Violation> {
        let (game, mut visited) = (self.game, Vec::new());
        game.each_afterstate(state, &mut Vec::new(), |found| {
            let mut after = state.clone();
            let rewards = game.play(&mut after, found.mv);
            let turn = game.turn(&after);
            let same = (&after, rewards, turn) == (found.state, found.rewards, found.turn);
            visited.push((found.mv, same));
        });
        let all = visited.iter().map(|(mv, _)| mv).eq(legal);
        self.ensure(all, state, || {
            let visited = ids(visited.iter().map(|(mv, _)| mv));
            format!("each_afterstate visits {visited}, not {}", ids(legal))
        })?;
        let wrong = visited.iter().filter(|(_, same)| !same).map(|(mv, _)| mv);
        self.ensure(visited.iter().all(|(_, same)| *same), state, || {
            format!("each_afterstate and play differ after move {}", ids(wrong))
        })
    }

    /// Draws like the default of [`Game::random_move`](crate::Game::random_move), and checks that
    /// the game does too.
    fn random_move(&mut self, state: &G::State, legal: &[Move]) -> Result<Move, Violation> {
        let mut same = self.rng.clone();
        let theirs = self.game.random_move(state, &mut same, &mut Vec::new());
        let mv = legal[self.rng.below(legal.len())];
        self.ensure(mv == theirs, state, || {
            format!("random_move draws {} instead of {}", theirs.0, mv.0)
        })?;
        self.ensure(self.rng == same, state, || {
            "random_move draws more or fewer random numbers than its default".into()
        })?;
        Ok(mv)
    }

    fn check_rewards(&self, state: &G::State, a: Rewards, b: Rewards) -> Result<(), Violation> {
        let finite = a.0.iter().all(|r| r.is_finite());
        self.ensure(finite, state, || format!("the rewards {:?} are not finite", a.0))?;
        let opposed = self.game.num_players() == 2
            && self.game.reward_range().is_some_and(|(low, high)| low == -high);
        self.ensure(!opposed || a.0[0] == -a.0[1], state, || {
            format!("one player does not gain what the other loses: {:?}", &a.0[..2])
        })?;
        self.ensure(a == b, state, || {
            format!("the rewards are {:?}, but {:?} in the image", a.0, b.0)
        })
    }

    fn legal_moves(&self, state: &G::State) -> Vec<Move> {
        let mut moves = Vec::new();
        self.game.legal_moves(state, &mut moves);
        moves
    }

    fn events(&self, state: &G::State) -> Vec<(Event, f32)> {
        let mut events = Vec::new();
        self.game.events(state, &mut events);
        events
    }

    fn ensure(
        &self,
        holds: bool,
        state: &G::State,
        what: impl FnOnce() -> String,
    ) -> Result<(), Violation> {
        if holds { Ok(()) } else { self.fail(state, what()) }
    }

    fn fail<T>(&self, state: &G::State, what: String) -> Result<T, Violation> {
        Err(Violation { what, state: self.game.state_text(state) })
    }
}

fn hash(state: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

/// The ids of moves, as a list.
fn ids<'a>(moves: impl IntoIterator<Item = &'a Move>) -> String {
    let ids: Vec<String> = moves.into_iter().map(|mv| mv.0.to_string()).collect();
    ids.join(", ")
}

/// A turn in the words of those who write games.
fn turn_text(turn: Turn) -> String {
    match turn {
        Turn::Player(player) => format!("player {}'s", player.0),
        Turn::Chance => "chance's".into(),
        Turn::Over => "nobody's, since the game is over".into(),
    }
}

/// The id that was read from a text, or why there is none.
fn read_text(read: Result<u32, &Invalid>) -> String {
    read.map_or_else(|reason| format!("nothing ({reason})"), |id| id.to_string())
}

#[cfg(test)]
mod tests;
