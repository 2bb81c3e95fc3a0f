//! Nim: players take pieces from one heap at a time.

use ludens_core::scene::{Piece, SceneCell, Shape, letter};
use ludens_core::{
    Afterstate, Bitboards, CellBoard, CellLayout, Chosen, Game, Invalid, Kind, Move, Notation,
    Played, Player, Rewards, Rng, Scene, Setting, Turn,
};

/// The rules: heaps, most pieces per move, players and rewards.
#[derive(Clone, Debug)]
pub struct Nim {
    heaps: usize,
    size: u8,
    take: u8,
    players: usize,
    third: f32,
}

/// The heaps, with unused ones empty, and the player to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    heaps: [u8; MAX_HEAPS],
    mover: Player,
}

const MAX_HEAPS: usize = 6;

/// Up to this many heaps, every permutation is a symmetry.
///
/// 4! = 24 symmetries are practical, 6! = 720 are not.
const ALL_ORDERS: usize = 4;

impl Nim {
    /// The number of legal moves of each heap, and in all.
    fn most(&self, state: &State) -> ([u8; MAX_HEAPS], usize) {
        let most = state.heaps.map(|pieces| pieces.min(self.take));
        (most, most.iter().map(|&n| usize::from(n)).sum())
    }

    /// The heap that `mv` takes from, and how many pieces.
    #[inline]
    fn taken(&self, mv: Move) -> (usize, u8) {
        // There are few heaps: a loop is faster than a division.
        let (mut left, mut heap) = (mv.0, 0);
        while left >= u32::from(self.take) {
            (left, heap) = (left - u32::from(self.take), heap + 1);
        }
        (heap, left as u8 + 1)
    }

    fn moved(&self, heap: usize, taken: u8) -> Move {
        Move(heap as u32 * u32::from(self.take) + u32::from(taken) - 1)
    }

    fn ending(&self, taker: Player) -> Rewards {
        if self.players == 2 {
            return Rewards::win(taker);
        }
        let mut rewards = Rewards::only(taker.after(1, 3), 1.0);
        rewards[taker.after(2, 3)] = self.third;
        rewards
    }
}

impl Game for Nim {
    type State = State;

    fn num_players(&self) -> usize {
        self.players
    }

    fn num_moves(&self) -> usize {
        self.heaps * usize::from(self.take)
    }

    fn reward_range(&self) -> Option<(f32, f32)> {
        Some(if self.players == 2 { (-1.0, 1.0) } else { (self.third.min(0.0), 1.0) })
    }

    fn start(&self) -> State {
        let heaps = std::array::from_fn(|i| if i < self.heaps { self.size } else { 0 });
        State { heaps, mover: Player(0) }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.heaps == [0; MAX_HEAPS] { Turn::Over } else { Turn::Player(state.mover) }
    }

    #[inline]
    fn legal_moves(&self, state: &State, out: &mut Vec<Move>) {
        for (heap, &pieces) in state.heaps.iter().enumerate() {
            let most = pieces.min(self.take);
            out.extend((1..=most).map(|taken| self.moved(heap, taken)));
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) -> Rewards {
        let (heap, taken) = self.taken(mv);
        let me = state.mover;
        state.heaps[heap] -= taken;
        state.mover = me.after(1, self.players);
        if state.heaps == [0; MAX_HEAPS] { self.ending(me) } else { Rewards::NONE }
    }

    #[inline]
    fn each_afterstate(
        &self,
        state: &State,
        _: &mut Vec<Move>,
        mut visit: impl FnMut(Afterstate<'_, State>),
    ) {
        let next = state.mover.after(1, self.players);
        let (mut after, ending) = (State { mover: next, ..*state }, self.ending(state.mover));
        // The last move takes all: comparing the heaps would wait for the byte that was just stored.
        let left: u8 = state.heaps.iter().sum();
        for heap in 0..self.heaps {
            let pieces = state.heaps[heap];
            for taken in 1..=pieces.min(self.take) {
                after.heaps[heap] = pieces - taken;
                let over = taken == left;
                let (mv, state) = (self.moved(heap, taken), &after);
                let (rewards, turn) =
                    if over { (ending, Turn::Over) } else { (Rewards::NONE, Turn::Player(next)) };
                visit(Afterstate { mv, state, rewards, turn });
            }
            after.heaps[heap] = pieces;
        }
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Move>) -> Move {
        let (most, all) = self.most(state);
        let (mut left, mut heap) = (rng.below(all), 0);
        while left >= usize::from(most[heap]) {
            left -= usize::from(most[heap]);
            heap += 1;
        }
        self.moved(heap, left as u8 + 1)
    }
}

impl CellBoard for Nim {
    fn layout(&self) -> CellLayout {
        let others = |heap| (0..self.heaps as u16).filter(|&other| other != heap).collect();
        CellLayout {
            // The order of the heaps has no meaning, so each is next to all others.
            neighbours: (0..self.heaps as u16).map(others).collect(),
            ..CellLayout::grid(self.heaps, 1, self.size + 1).with_symmetries(orders(self.heaps))
        }
    }

    #[inline]
    fn read_cells(&self, state: &State, _: Player, cells: &mut [u8]) {
        // There are few bytes: a loop is faster than a call of memcpy.
        cells.iter_mut().zip(state.heaps).for_each(|(cell, pieces)| *cell = pieces);
    }

    fn map_move(&self, symmetry: usize, mv: Move) -> Move {
        let (heap, taken) = self.taken(mv);
        self.moved(order(self.heaps, symmetry)[heap].into(), taken)
    }
}

impl Bitboards for Nim {}

impl Notation for Nim {
    const NAME: &'static str = "nim";
    const TITLE: &'static str = "Nim";
    const ABOUT: &'static str = "Take any number of pieces from one heap; the last piece decides.";
    const SETTINGS: &'static [Setting] = &[
        Setting::integer("heaps", 3, (1, MAX_HEAPS as i64), "heaps"),
        Setting::integer("size", 5, (1, 20), "pieces of each heap at the start"),
        Setting::new(
            "take",
            Kind::Integer { default: None, min: 1, max: 20 },
            "how many may be taken at once; unless set, a whole heap",
        ),
        Setting::integer("players", 2, (2, 3), "players"),
        Setting::number("third", 0.2, (0.0, 1.0), "what the third of three players gets"),
    ];

    fn configure(chosen: &Chosen) -> Result<Nim, Invalid> {
        let size = chosen.integer("size");
        let take = chosen.maybe_integer("take").unwrap_or(size);
        if take > size {
            return Err(Invalid(format!("take={take} is more than a heap holds, size={size}")));
        }
        Ok(Nim {
            heaps: chosen.count("heaps"),
            size: size as u8,
            take: take as u8,
            players: chosen.count("players"),
            third: chosen.number("third") as f32,
        })
    }

    fn move_text(&self, _: &State, mv: Move) -> String {
        let (heap, taken) = self.taken(mv);
        format!("{}{taken}", letter(heap))
    }

    fn state_text(&self, state: &State) -> String {
        let heaps: Vec<_> = state.heaps[..self.heaps].iter().map(u8::to_string).collect();
        format!("{} player {}", heaps.join(" "), state.mover)
    }

    fn parse_state(&self, text: &str) -> Result<State, Invalid> {
        let read = || {
            let (pieces, mover) = text.split_once(" player ")?;
            let mover = Player::all(self.players).find(|p| p.to_string() == mover)?;
            let heap = |word| (0..=self.size).find(|n| n.to_string() == word);
            let pieces = pieces.split(' ').map(heap).collect::<Option<Vec<u8>>>()?;
            let mut heaps = [0; MAX_HEAPS];
            (pieces.len() == self.heaps).then(|| heaps[..self.heaps].copy_from_slice(&pieces))?;
            Some(State { heaps, mover })
        };
        read().ok_or_else(|| {
            Invalid(format!(
                "expected {} heaps of at most {} and one of {} players, such as {:?}; found {text:?}",
                self.heaps,
                self.size,
                self.players,
                self.state_text(&self.start())
            ))
        })
    }

    fn scene(&self, state: &State, last: Option<Played>) -> Scene {
        let size = usize::from(self.size);
        let place = |i: usize| {
            let (heap, above) = (i % self.heaps, self.size - 1 - (i / self.heaps) as u8);
            let pieces = state.heaps[heap];
            let place =
                SceneCell::new(heap as f32, (i / self.heaps) as f32, Shape::Hole, "#eceae4");
            if above >= pieces {
                return place.marked(self.was_taken(last, heap, above - pieces));
            }
            let disc = place.with(Piece::Disc("#c2703d", 'o'));
            // A click on a piece takes it and all above it.
            let taken = pieces - above;
            if taken <= self.take { disc.plays(self.moved(heap, taken)) } else { disc }
        };
        let mut cells: Vec<_> = (0..size * self.heaps).map(place).collect();
        for heap in 0..self.heaps {
            cells.push(SceneCell::label(heap as f32, size as f32, letter(heap)));
            cells.push(SceneCell::label(heap as f32, -1.0, state.heaps[heap]));
        }
        Scene { cells, ..Scene::default() }
    }
}

impl Nim {
    /// Whether the last move emptied the place `above` places over what is left of `heap`.
    fn was_taken(&self, last: Option<Played>, heap: usize, above: u8) -> bool {
        let Some(Played::Move(mv)) = last else { return false };
        let (from, taken) = self.taken(mv);
        from == heap && above < taken
    }
}

/// All permutations of few heaps; of more, the cyclic shifts and their mirror images.
fn orders(heaps: usize) -> Vec<Vec<u16>> {
    let count = if heaps <= ALL_ORDERS { (1..=heaps).product() } else { 2 * heaps };
    (0..count).map(|nth| order(heaps, nth)).collect()
}

/// The `nth` of [`orders`].
fn order(heaps: usize, nth: usize) -> Vec<u16> {
    if heaps <= ALL_ORDERS {
        return permutation(heaps, nth);
    }
    let shifted = |i: usize| ((i + nth) % heaps) as u16;
    if nth < heaps {
        (0..heaps).map(shifted).collect()
    } else {
        (0..heaps).rev().map(shifted).collect()
    }
}

/// The `nth` permutation in lexicographic order.
fn permutation(heaps: usize, mut nth: usize) -> Vec<u16> {
    let mut left: Vec<u16> = (0..heaps as u16).collect();
    let mut block: usize = (1..=heaps).product();
    let mut take = |count: usize| {
        block /= count;
        let item = left.remove(nth / block);
        nth %= block;
        item
    };
    (1..=heaps).rev().map(&mut take).collect()
}

#[cfg(test)]
mod tests;
