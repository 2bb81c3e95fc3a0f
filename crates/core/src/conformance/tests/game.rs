//! A small game with faults that can be switched on.

use crate::{Afterstate, Event, Game, Move, Player, Rewards, Rng, Turn};
use std::hash::{Hash, Hasher};

/// Each contract of a game that the checker can find violated.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    None,
    Width,
    Neighbours,
    NoIdentity,
    NoPermutation,
    CarriesToOtherValues,
    OverlappingGroups,
    PackingTooSmall,
    TextOfTwoLines,
    TextNotRead,
    TextReadAsOther,
    Hash,
    CellOutOfRange,
    GroupState,
    Bitboard,
    BitboardX4,
    FeatureNames,
    FeatureNotFinite,
    CellsNotSymmetric,
    TurnNotSymmetric,
    Endless,
    MovesAfterEnd,
    EventsAfterEnd,
    HasChance,
    DrawUnlisted,
    Probabilities,
    MovesOnChanceTurn,
    EventText,
    MapEvent,
    EventRewardsNotSymmetric,
    UnknownPlayer,
    EventsOnPlayersTurn,
    NoMove,
    NotAscending,
    MoveTooLarge,
    MoveCount,
    MoveText,
    MapMoveIllegal,
    MapMoveElsewhere,
    AfterstateMissing,
    AfterstateState,
    AfterstateRewards,
    AfterstateTurn,
    RandomMove,
    RandomMoveDrawsTwice,
    RewardsNotFinite,
    RewardsNotSymmetric,
    RewardsNotOpposed,
    RewardsOutOfRange,
    TurnedBoard,
}

/// Players fill a 3x3 board in turn; after each stone, chance blocks a cell.
///
/// Whoever takes the centre gains one. Cells are 0 (empty), 1, 2 (players) and 3 (blocked).
#[derive(Clone, Debug)]
pub(super) struct Blocks(pub(super) Fault);

pub(super) const CELLS: usize = 9;
const CENTRE: usize = 4;

#[derive(Copy, Clone, Debug)]
pub(super) struct State {
    pub(super) cells: [u8; CELLS],
    /// Hashed but not compared: the fault of states that are equal and hash differently.
    pub(super) salt: u8,
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.cells == other.cells
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.cells, self.salt).hash(hasher);
    }
}

impl State {
    fn empty(&self) -> impl Iterator<Item = u32> {
        let cells = self.cells;
        (0..CELLS as u32).filter(move |&cell| cells[cell as usize] == 0)
    }

    fn filled(&self) -> usize {
        CELLS - self.empty().count()
    }

    fn mover(&self) -> Player {
        Player((self.filled() / 2 % 2) as u8)
    }
}

impl Blocks {
    pub(super) fn has(&self, fault: Fault) -> bool {
        self.0 == fault
    }
}

impl Game for Blocks {
    type State = State;

    fn num_players(&self) -> usize {
        2
    }

    fn num_moves(&self) -> usize {
        if self.has(Fault::MoveTooLarge) { CELLS - 1 } else { CELLS }
    }

    fn reward_range(&self) -> Option<(f32, f32)> {
        Some(match self.0 {
            Fault::RewardsOutOfRange => (0.0, 0.5),
            Fault::RewardsNotOpposed => (-1.0, 1.0),
            _ => (0.0, 1.0),
        })
    }

    fn start(&self) -> State {
        State { cells: [0; CELLS], salt: 0 }
    }

    fn turn(&self, state: &State) -> Turn {
        match state.filled() {
            CELLS => Turn::Over,
            count if count % 2 == 1 => Turn::Chance,
            _ if self.has(Fault::UnknownPlayer) => Turn::Player(Player(2)),
            _ if self.has(Fault::TurnNotSymmetric) && state.cells[0] != 0 => {
                Turn::Player(state.mover().other())
            }
            _ => Turn::Player(state.mover()),
        }
    }

    fn legal_moves(&self, state: &State, out: &mut Vec<Move>) {
        match self.turn(state) {
            Turn::Over if self.has(Fault::MovesAfterEnd) => out.push(Move(0)),
            Turn::Chance if self.has(Fault::MovesOnChanceTurn) => out.push(Move(0)),
            Turn::Player(_) if !self.has(Fault::NoMove) => out.extend(state.empty().map(Move)),
            _ => {}
        }
        if self.has(Fault::NotAscending) {
            out.reverse();
        }
    }

    fn count_legal_moves(&self, state: &State, _: &mut Vec<Move>) -> usize {
        state.empty().count() + usize::from(self.has(Fault::MoveCount))
    }

    fn play(&self, state: &mut State, mv: Move) -> Rewards {
        let (mover, cell) = (state.mover(), mv.0 as usize);
        if self.has(Fault::Endless) {
            return Rewards::NONE;
        }
        state.cells[cell] = 1 + mover.0;
        let prized = if self.has(Fault::RewardsNotSymmetric) { 0 } else { CENTRE };
        match self.0 {
            Fault::RewardsNotFinite => Rewards::only(mover, f32::INFINITY),
            _ if cell == prized => Rewards::only(mover, 1.0),
            _ => Rewards::NONE,
        }
    }

    fn each_afterstate(
        &self,
        state: &State,
        scratch: &mut Vec<Move>,
        mut visit: impl FnMut(Afterstate<'_, State>),
    ) {
        self.legal_moves(state, scratch);
        if self.has(Fault::AfterstateMissing) {
            scratch.pop();
        }
        for &mv in &*scratch {
            let mut after = *state;
            let mut rewards = self.play(&mut after, mv);
            let mut turn = self.turn(&after);
            match self.0 {
                Fault::AfterstateState => after = *state,
                Fault::AfterstateRewards => rewards[Player(1)] += 1.0,
                Fault::AfterstateTurn => turn = self.turn(state),
                _ => {}
            }
            visit(Afterstate { mv, state: &after, rewards, turn });
        }
    }

    fn has_chance(&self) -> bool {
        !self.has(Fault::HasChance)
    }

    fn events(&self, state: &State, out: &mut Vec<(Event, f32)>) {
        match self.turn(state) {
            Turn::Over if self.has(Fault::EventsAfterEnd) => out.push((Event(0), 1.0)),
            Turn::Player(_) if self.has(Fault::EventsOnPlayersTurn) => out.push((Event(0), 1.0)),
            Turn::Chance => {
                let all = if self.has(Fault::Probabilities) { 0.9 } else { 1.0 };
                let share = all / state.empty().count() as f32;
                out.extend(state.empty().map(|cell| (Event(cell), share)));
            }
            _ => {}
        }
    }

    fn resolve(&self, state: &mut State, event: Event) -> Rewards {
        state.cells[event.0 as usize] = 3;
        let gains = self.has(Fault::EventRewardsNotSymmetric) && event == Event(0);
        if gains { Rewards::only(Player(0), 1.0) } else { Rewards::NONE }
    }

    fn draw(&self, state: &State, rng: &mut Rng) -> Event {
        if self.has(Fault::DrawUnlisted) {
            return Event(CENTRE as u32);
        }
        let empty: Vec<u32> = state.empty().collect();
        Event(empty[rng.below(empty.len())])
    }

    fn random_move(&self, state: &State, rng: &mut Rng, scratch: &mut Vec<Move>) -> Move {
        scratch.clear();
        self.legal_moves(state, scratch);
        let drawn = rng.below(scratch.len());
        match self.0 {
            Fault::RandomMove => scratch[scratch.len() - 1 - drawn],
            Fault::RandomMoveDrawsTwice => {
                rng.bits();
                scratch[drawn]
            }
            _ => scratch[drawn],
        }
    }
}
