//! A random walk along a chain of states.

use ludens_core::scene::{Edge, Piece, SceneCell, Shape};
use ludens_core::{
    Bitboards, CellBoard, CellLayout, Chosen, Event, Game, Invalid, Move, Notation, Played, Player,
    Rewards, Rng, Scene, Setting, Turn,
};

/// The rules: the number of states of the chain.
#[derive(Clone, Debug)]
pub struct RandomWalk {
    states: u8,
}

/// The position of the walker.
///
/// States count from 1; 0 and one more than the last state are the exits.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    place: u8,
}

const LEFT: Event = Event(0);
const RIGHT: Event = Event(1);

impl RandomWalk {
    fn right_exit(&self) -> u8 {
        self.states + 1
    }
}

impl Game for RandomWalk {
    type State = State;

    fn num_players(&self) -> usize {
        1
    }

    fn num_moves(&self) -> usize {
        0
    }

    fn reward_range(&self) -> Option<(f32, f32)> {
        Some((0.0, 1.0))
    }

    fn start(&self) -> State {
        State { place: self.right_exit() / 2 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if (1..=self.states).contains(&state.place) { Turn::Chance } else { Turn::Over }
    }

    fn legal_moves(&self, _: &State, _: &mut Vec<Move>) {}

    fn play(&self, _: &mut State, mv: Move) -> Rewards {
        unreachable!("{mv:?} in a game that only chance plays")
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn events(&self, state: &State, out: &mut Vec<(Event, f32)>) {
        if self.turn(state) == Turn::Chance {
            out.extend([(LEFT, 0.5), (RIGHT, 0.5)]);
        }
    }

    #[inline]
    fn resolve(&self, state: &mut State, event: Event) -> Rewards {
        state.place = if event == LEFT { state.place - 1 } else { state.place + 1 };
        let paid = state.place == self.right_exit();
        if paid { Rewards::only(Player(0), 1.0) } else { Rewards::NONE }
    }

    #[inline]
    fn draw(&self, _: &State, rng: &mut Rng) -> Event {
        Event(rng.below(2) as u32)
    }
}

impl CellBoard for RandomWalk {
    fn layout(&self) -> CellLayout {
        CellLayout::grid(self.states.into(), 1, 2)
    }

    fn read_cells(&self, state: &State, _: Player, cells: &mut [u8]) {
        cells.fill(0);
        if self.turn(state) == Turn::Chance {
            cells[usize::from(state.place) - 1] = 1;
        }
    }

    fn map_move(&self, _: usize, mv: Move) -> Move {
        mv
    }
}

impl Bitboards for RandomWalk {}

impl Notation for RandomWalk {
    const NAME: &'static str = "random-walk";
    const TITLE: &'static str = "Random Walk";
    const ABOUT: &'static str = "Chance leads along a chain; leaving it on the right pays one.";
    const SETTINGS: &'static [Setting] =
        &[Setting::integer("states", 5, (1, 99), "states of the chain")];

    fn configure(chosen: &Chosen) -> Result<RandomWalk, Invalid> {
        Ok(RandomWalk { states: chosen.count("states") as u8 })
    }

    fn move_text(&self, _: &State, _: Move) -> String {
        unreachable!("no move is ever legal")
    }

    fn event_text(&self, _: &State, event: Event) -> String {
        if event == LEFT { "left".into() } else { "right".into() }
    }

    fn state_text(&self, state: &State) -> String {
        let mark = |i| if i == state.place { 'o' } else { '.' };
        let chain: String = (1..=self.states).map(mark).collect();
        match state.place {
            0 => format!("o[{chain}]"),
            place if place == self.right_exit() => format!("[{chain}]o"),
            _ => format!("[{chain}]"),
        }
    }

    fn parse_state(&self, text: &str) -> Result<State, Invalid> {
        let mut all = (0..=self.right_exit()).map(|place| State { place });
        all.find(|state| self.state_text(state) == text).ok_or_else(|| {
            let (start, end) =
                (self.state_text(&self.start()), self.state_text(&State { place: 0 }));
            Invalid(format!(
                "expected {} states and one walker, such as {start} or {end}; found {text:?}",
                self.states
            ))
        })
    }

    fn scene(&self, state: &State, last: Option<Played>) -> Scene {
        let place = |i: u8| {
            let exit = i == 0 || i == self.right_exit();
            let (shape, fill) =
                if exit { (Shape::Square, "#e7e2d3") } else { (Shape::Hole, "#e6edf4") };
            let place = SceneCell::new(i.into(), 0.0, shape, fill);
            let here = i == state.place;
            match (here, i) {
                (true, _) => place.with(Piece::Disc("#2563eb", 'o')).marked(last.is_some()),
                (_, 0) => place.with(Piece::Text("#8a8063", "0".into())),
                _ if exit => place.with(Piece::Text("#8a8063", "1".into())),
                _ => place,
            }
        };
        let cells = (0..=self.right_exit()).map(place).collect();
        let points = vec![(0.0, 0.0), (self.right_exit().into(), 0.0)];
        Scene { cells, edges: vec![Edge { points, color: "#c3d0de" }], ..Scene::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::{conformance, perft};

    #[test]
    fn conforms() {
        for (states, games) in [(1, 200), (2, 200), (5, 200), (19, 200), (99, 5)] {
            conformance(&RandomWalk { states }, games).unwrap();
        }
    }

    #[test]
    fn only_the_right_exit_pays() {
        let game = RandomWalk { states: 1 };
        let (mut left, mut right) = (game.start(), game.start());
        assert_eq!(game.resolve(&mut left, LEFT), Rewards::NONE);
        assert_eq!(game.resolve(&mut right, RIGHT), Rewards::only(Player(0), 1.0));
        assert_eq!(
            (game.state_text(&left), game.state_text(&right)),
            ("o[.]".into(), "[.]o".into())
        );
        assert_eq!((game.turn(&left), game.turn(&right)), (Turn::Over, Turn::Over));
    }

    /// The expected reward from each state, by value iteration.
    fn values(game: &RandomWalk) -> Vec<f32> {
        let mut values = vec![0.0; usize::from(game.states) + 2];
        for _ in 0..2_000 {
            for place in 1..=game.states {
                let (mut events, mut value) = (Vec::new(), 0.0);
                game.events(&State { place }, &mut events);
                for (event, probability) in events {
                    let mut next = State { place };
                    let gained = game.resolve(&mut next, event)[Player(0)];
                    value += probability * (gained + values[usize::from(next.place)]);
                }
                values[usize::from(place)] = value;
            }
        }
        values
    }

    #[test]
    fn state_i_of_n_is_worth_i_over_n_and_one() {
        for states in [1, 5, 19] {
            let values = values(&RandomWalk { states });
            for i in 1..=states {
                let known = f32::from(i) / f32::from(states + 1);
                assert!((values[usize::from(i)] - known).abs() < 1e-4, "{values:?}");
            }
        }
    }

    #[test]
    fn half_the_walks_from_the_middle_are_paid() {
        let (game, rng) = (RandomWalk { states: 5 }, &mut Rng::seeded(1));
        let walk = |_| {
            let (mut state, mut sum) = (game.start(), 0.0);
            while game.turn(&state) == Turn::Chance {
                let event = game.draw(&state, rng);
                sum += game.resolve(&mut state, event)[Player(0)];
            }
            sum
        };
        let mean = (0..10_000).map(walk).sum::<f32>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
        assert_eq!(perft(&game, &game.start(), 4), 12);
    }

    #[test]
    fn impossible_states_are_refused() {
        for text in ["", "[o]", "[.....]", "[oo...]", "o[..o..]", "[..o..] "] {
            let message = RandomWalk { states: 5 }.parse_state(text).unwrap_err().to_string();
            assert!(message.contains("5 states and one walker, such as [..o..]"), "{message}");
        }
    }
}
