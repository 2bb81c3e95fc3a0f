//! One pile of pieces, of which players take a few in turn.

use ludens_core::scene::{Piece, SceneCell, Shape};
use ludens_core::{
    Bitboards, CellBoard, CellLayout, Chosen, FeatureSet, Game, Invalid, Move, Notation, Played,
    Player, Rewards, Rng, Scene, Setting, Turn,
};
use std::ops::RangeInclusive;

/// The rules: the number of pieces, and how many a player may take at once.
#[derive(Clone, Debug)]
pub struct Nimm3 {
    pieces: u8,
    take: u8,
}

/// The pieces left, and the player to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pieces: u8,
    mover: Player,
}

/// Pieces drawn in one row.
const ROW: usize = 10;

impl Nimm3 {
    fn most(&self, state: &State) -> u8 {
        self.take.min(state.pieces)
    }
}

impl Game for Nimm3 {
    type State = State;

    fn num_players(&self) -> usize {
        2
    }

    fn num_moves(&self) -> usize {
        self.take.into()
    }

    fn reward_range(&self) -> Option<(f32, f32)> {
        Some((-1.0, 1.0))
    }

    fn start(&self) -> State {
        State { pieces: self.pieces, mover: Player(0) }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.pieces == 0 { Turn::Over } else { Turn::Player(state.mover) }
    }

    #[inline]
    fn legal_moves(&self, state: &State, out: &mut Vec<Move>) {
        out.extend((0..u32::from(self.most(state))).map(Move));
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) -> Rewards {
        let me = state.mover;
        state.pieces -= taken(mv);
        state.mover = me.other();
        if state.pieces == 0 { Rewards::win(me) } else { Rewards::NONE }
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Move>) -> Move {
        Move(rng.below(self.most(state).into()) as u32)
    }
}

impl CellBoard for Nimm3 {
    fn layout(&self) -> CellLayout {
        CellLayout::grid(1, 1, self.pieces + 1)
    }

    fn read_cells(&self, state: &State, _: Player, cells: &mut [u8]) {
        cells[0] = state.pieces;
    }

    fn map_move(&self, _: usize, mv: Move) -> Move {
        mv
    }
}

impl Bitboards for Nimm3 {}

impl Notation for Nimm3 {
    const NAME: &'static str = "nimm3";
    const TITLE: &'static str = "Nimm-3";
    const ABOUT: &'static str =
        "Take one, two or three pieces in turn; whoever takes the last wins.";
    const SETTINGS: &'static [Setting] = &[
        Setting::integer("pieces", 20, (1, 200), "pieces at the start"),
        Setting::integer("take", 3, (1, 9), "how many may be taken at once"),
    ];

    fn configure(chosen: &Chosen) -> Result<Nimm3, Invalid> {
        Ok(Nimm3 { pieces: chosen.count("pieces") as u8, take: chosen.count("take") as u8 })
    }

    fn features() -> Vec<FeatureSet<Nimm3>> {
        vec![FeatureSet {
            name: "divisibility",
            about: "Whether the pile is a multiple of 2, 3, ... 10; after the other's move, whether not",
            len: |_| DIVISORS.count(),
            read: read_divisibility,
            names: |_| DIVISORS.map(|k| format!("divisible by {k}")).collect(),
        }]
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        taken(mv).to_string()
    }

    fn state_text(&self, state: &State) -> String {
        format!("{} player {}", state.pieces, state.mover)
    }

    fn parse_state(&self, text: &str) -> Result<State, Invalid> {
        let (pieces, mover) = text.split_once(" player ").unwrap_or((text, ""));
        let pieces = (0..=self.pieces).find(|n| n.to_string() == pieces);
        let mover = Player::all(2).find(|p| p.to_string() == mover);
        match (pieces, mover) {
            (Some(pieces), Some(mover)) => Ok(State { pieces, mover }),
            _ => Err(Invalid(format!(
                "expected pieces, at most {}, and who moves, such as {:?}; found {text:?}",
                self.pieces,
                self.state_text(&self.start())
            ))),
        }
    }

    fn scene(&self, state: &State, last: Option<Played>) -> Scene {
        let left = usize::from(state.pieces);
        let gone = match last {
            Some(Played::Move(mv)) => usize::from(taken(mv)),
            _ => 0,
        };
        let cell = |i: usize| {
            let place = SceneCell::new((i % ROW) as f32, (i / ROW) as f32, Shape::Hole, "#eceae4");
            if i >= left {
                return place.marked(i < left + gone);
            }
            let disc = place.with(Piece::Disc("#c2703d", 'o'));
            // A click on a piece takes it and all behind it.
            let take = left - i;
            if take <= self.take.into() { disc.plays(Move(take as u32 - 1)) } else { disc }
        };
        let mut cells: Vec<_> = (0..self.pieces.into()).map(cell).collect();
        cells.push(SceneCell::label(-1.0, 0.0, left));
        Scene { cells, ..Scene::default() }
    }
}

/// The divisors that the features test.
const DIVISORS: RangeInclusive<u8> = 2..=10;

/// Features that are true after a player's own move are false after the other's (Konen 2015).
fn read_divisibility(_: &Nimm3, state: &State, pov: Player, numbers: &mut [f32]) {
    let moved_last = state.mover.other() == pov;
    for (number, divisor) in numbers.iter_mut().zip(DIVISORS) {
        let divisible = state.pieces.is_multiple_of(divisor);
        *number = f32::from(divisible == moved_last);
    }
}

fn taken(mv: Move) -> u8 {
    mv.0 as u8 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::{conformance, perft};

    fn nimm(pieces: u8, take: u8) -> Nimm3 {
        Nimm3 { pieces, take }
    }

    #[test]
    fn conforms() {
        for (pieces, take) in [(20, 3), (1, 9), (200, 9), (13, 1)] {
            conformance(&nimm(pieces, take), 200).unwrap();
        }
    }

    #[test]
    fn features_tell_what_divides_the_pile_after_an_own_move() {
        let read = |pov| {
            let mut numbers = [0.0; 9];
            let state = State { pieces: 12, mover: Player(1) };
            read_divisibility(&nimm(20, 3), &state, pov, &mut numbers);
            numbers
        };
        assert_eq!(read(Player(0)), [1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(read(Player(1)), [0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
    }

    fn wins(game: &Nimm3, state: State) -> bool {
        let mut legal = Vec::new();
        game.legal_moves(&state, &mut legal);
        legal.iter().any(|&mv| {
            let mut next = state;
            let gained = game.play(&mut next, mv)[state.mover];
            gained == 1.0 || !wins(game, next)
        })
    }

    #[test]
    fn the_mover_loses_exactly_at_multiples_of_take_and_one() {
        for take in 1..=9 {
            let game = nimm(18, take);
            for pieces in 1..=game.pieces {
                let state = State { pieces, mover: Player(1) };
                assert_eq!(wins(&game, state), pieces % (take + 1) != 0, "{pieces} {take}");
            }
        }
    }

    #[test]
    fn who_takes_the_last_piece_wins() {
        let (game, mut state) = (nimm(3, 3), nimm(3, 3).start());
        assert_eq!(game.play(&mut state, Move(2)).first(2), [1.0, -1.0]);
        assert_eq!((game.turn(&state), game.state_text(&state)), (Turn::Over, "0 player 2".into()));
    }

    #[test]
    fn games_are_counted_by_the_tribonacci_numbers() {
        // Sequences of 1, 2 and 3 that add up to n: 1, 2, 4, 7, 13, 24, 44, ...
        let ended = |n: u32| {
            let game = nimm(n as u8, 3);
            let of_length = |d| {
                let mut all = Vec::new();
                walk(&game, game.start(), d, &mut all);
                all.len()
            };
            (1..=n).map(of_length).sum::<usize>()
        };
        assert_eq!([1, 2, 3, 4, 5, 6, 7].map(ended), [1, 2, 4, 7, 13, 24, 44]);
        assert_eq!(perft(&nimm(20, 3), &nimm(20, 3).start(), 6), 729);
    }

    fn walk(game: &Nimm3, state: State, depth: u32, ends: &mut Vec<State>) {
        let mut legal = Vec::new();
        game.legal_moves(&state, &mut legal);
        if depth == 0 {
            ends.extend((state.pieces == 0).then_some(state));
        } else {
            for mv in legal {
                let mut next = state;
                game.play(&mut next, mv);
                walk(game, next, depth - 1, ends);
            }
        }
    }

    #[test]
    fn impossible_states_are_refused() {
        for text in
            ["", "21 player 1", "5", "5 player 3", "-1 player 1", "05 player 1", "5 player "]
        {
            let message = nimm(20, 3).parse_state(text).unwrap_err().to_string();
            assert!(message.contains("at most 20"), "{message}");
        }
    }
}
