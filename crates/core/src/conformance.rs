//! The checks that every game must pass.

use crate::{ABREAST, CellLayout, Event, Move, Notation, Player, Rewards, Rng, Turn};
use std::array;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A promise that a game broke, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// What is wrong.
    pub what: String,
    /// The state that shows it, as the game itself writes it.
    pub state: String,
}

impl std::fmt::Display for Breach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n  in state {}", self.what, self.state)
    }
}

impl std::error::Error for Breach {}

/// Turns after which a game is taken to be endless.
const ENDLESS: usize = 1_000_000;

/// Plays `games` random games and checks the promises of [`Game`](crate::Game),
/// [`CellBoard`](crate::CellBoard) and [`Notation`]
/// at every state met. The first half of them also play the image of each game under a symmetry.
///
/// # Errors
///
/// The first promise found broken.
pub fn conformance<G: Notation>(game: &G, games: u64) -> Result<(), Breach> {
    let layout = game.layout();
    check_layout(game, &layout)?;
    for seed in 0..games {
        let rng = Rng::derived(seed, "conformance", 0);
        let symmetry = seed as usize % layout.symmetries.len();
        let states = Pair { state: game.start(), image: game.map_start(symmetry) };
        Check { game, layout: &layout, symmetry, rng }.play_out(states)?;
    }
    Ok(())
}

/// Plays one random game on from `state` and checks the same promises at every state met.
///
/// # Errors
///
/// The first promise found broken.
pub fn conformance_from<G: Notation>(game: &G, state: &G::State, seed: u64) -> Result<(), Breach> {
    let rng = Rng::derived(seed, "conformance", 0);
    let states = Pair { state: state.clone(), image: state.clone() };
    Check { game, layout: &game.layout(), symmetry: 0, rng }.play_out(states)
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

impl<G: Notation> Check<'_, G> {
    fn play_out(mut self, mut pair: Pair<G::State>) -> Result<(), Breach> {
        for _ in 0..ENDLESS {
            self.check_state(&pair)?;
            match self.game.turn(&pair.state) {
                Turn::Over => return self.check_over(&pair.state),
                Turn::Chance => self.draw_event(&mut pair)?,
                Turn::Player(player) => self.play_move(&mut pair, player)?,
            }
        }
        self.fail(&pair.state, format!("no end after {ENDLESS} turns"))
    }

    fn check_state(&self, pair: &Pair<G::State>) -> Result<(), Breach> {
        let Pair { state, image } = pair;
        self.check_text(state)?;
        self.check_cells(state)?;
        self.check_features(state)?;
        self.check_image(pair)?;
        let (a, b) = (self.game.turn(state), self.game.turn(image));
        self.ensure(a == b, state, || format!("turn {a:?}, but {b:?} in the image"))
    }

    fn check_text(&self, state: &G::State) -> Result<(), Breach> {
        let text = self.game.state_text(state);
        let plain = !text.is_empty() && !text.contains(['\n', '\t']);
        self.ensure(plain, state, || format!("the state's text is not one line: {text:?}"))?;
        let read = match self.game.parse_state(&text) {
            Ok(read) => read,
            Err(e) => return self.fail(state, format!("its text {text:?} is not read back: {e}")),
        };
        self.ensure(read == *state, state, || {
            format!("its text is read back as another state: {read:?} for {state:?}")
        })?;
        self.ensure(hash(&read) == hash(state), state, || "equal states hash differently".into())
    }

    fn check_cells(&self, state: &G::State) -> Result<(), Breach> {
        for pov in Player::all(self.game.num_players()) {
            let cells = self.cells(state, pov);
            let high = cells.iter().zip(&self.layout.values).position(|(cell, n)| cell >= n);
            self.ensure(high.is_none(), state, || format!("cell {high:?} is out of range"))?;
            self.check_groups(state, pov, &cells)?;
            self.check_images(state, pov, &cells)?;
            self.check_number(state, pov, &cells)?;
        }
        Ok(())
    }

    fn check_features(&self, state: &G::State) -> Result<(), Breach> {
        for set in G::features() {
            let (len, names) = ((set.len)(self.game), (set.names)(self.game).len());
            self.ensure(names == len, state, || format!("{}: {names} names of {len}", set.name))?;
            for pov in Player::all(self.game.num_players()) {
                let mut numbers = vec![f32::NAN; len];
                (set.read)(self.game, state, pov, &mut numbers);
                let wrong = numbers.iter().position(|number| !number.is_finite());
                self.ensure(wrong.is_none(), state, || {
                    format!("feature {wrong:?} of {} is no number", set.name)
                })?;
            }
        }
        Ok(())
    }

    fn check_groups(&self, state: &G::State, pov: Player, cells: &[u8]) -> Result<(), Breach> {
        let groups = &self.layout.groups;
        if groups.is_empty() {
            return Ok(());
        }
        let mut read = vec![0; groups.len()];
        self.game.read_groups(state, pov, &mut read);
        for (group, &id) in groups.iter().zip(&read) {
            let joint: Vec<u8> = group.cells.iter().map(|&c| cells[usize::from(c)]).collect();
            let same = group.states.get(usize::from(id)) == Some(&joint);
            self.ensure(same, state, || format!("group state {id} is not {joint:?}"))?;
        }
        Ok(())
    }

    fn check_number(&self, state: &G::State, pov: Player, cells: &[u8]) -> Result<(), Breach> {
        if !self.layout.numbered {
            return Ok(());
        }
        let digits = cells.iter().zip(&self.layout.values).rev();
        let expected =
            digits.fold(0, |number, (cell, n)| number * u32::from(*n) + u32::from(*cell));
        let number = self.game.board_number(state, pov);
        self.ensure(number == expected, state, || format!("board {number} is {expected}"))
    }

    fn check_images(&self, state: &G::State, pov: Player, cells: &[u8]) -> Result<(), Breach> {
        let CellLayout { bits, symmetries, values, .. } = &self.layout;
        if *bits == 0 {
            return Ok(());
        }
        let fits = values.iter().all(|&n| u32::from(n) == 1 << bits)
            && cells.len() * *bits as usize <= 128;
        self.ensure(fits, state, || format!("cells do not fill {bits} bits each"))?;
        let mut images = vec![[0; 2]; symmetries.len()];
        self.game.read_images(state, pov, &mut images);
        for (s, (image, symmetry)) in images.iter().zip(symmetries).enumerate() {
            let bit = |at: usize| (image[at / 64] >> (at % 64)) as u8 & 1;
            let packed = |i: usize| {
                (0..*bits).fold(0, |cell, b| cell | bit(self.layout.packed_bit(i, b)) << b)
            };
            let wrong = (0..cells.len()).find(|&i| packed(i) != cells[usize::from(symmetry[i])]);
            self.ensure(wrong.is_none(), state, || format!("image {s} is wrong at {wrong:?}"))?;
        }
        self.check_abreast(state, pov, &images)
    }

    /// Beside other boards, this one looks as it does alone.
    fn check_abreast(
        &self,
        state: &G::State,
        pov: Player,
        images: &[[u64; 2]],
    ) -> Result<(), Breach> {
        for lane in 0..ABREAST {
            let start = self.game.start();
            let states = array::from_fn(|nth| if nth == lane { state } else { &start }.clone());
            let mut rows = vec![[[0; ABREAST]; 2]; images.len()];
            self.game.read_images_abreast(&states, pov, &mut rows, &mut Vec::new());
            let alike = rows.iter().zip(images).all(|(row, image)| row.map(|w| w[lane]) == *image);
            self.ensure(alike, state, || format!("images differ beside other boards at {lane}"))?;
        }
        Ok(())
    }

    /// The cells of the image are the carried cells of the state.
    fn check_image(&self, Pair { state, image }: &Pair<G::State>) -> Result<(), Breach> {
        for pov in Player::all(self.game.num_players()) {
            let (cells, images) = (self.cells(state, pov), self.cells(image, pov));
            let carry = &self.layout.symmetries[self.symmetry];
            let wrong = (0..cells.len()).find(|&i| cells[i] != images[usize::from(carry[i])]);
            self.ensure(wrong.is_none(), state, || {
                format!("symmetry {} does not carry cell {wrong:?}", self.symmetry)
            })?;
        }
        Ok(())
    }

    fn check_over(&self, state: &G::State) -> Result<(), Breach> {
        let (mut moves, mut events) = (Vec::new(), Vec::new());
        self.game.legal_moves(state, &mut moves);
        self.game.events(state, &mut events);
        let none = moves.is_empty() && events.is_empty();
        self.ensure(none, state, || "something can be played after the end".into())
    }

    fn draw_event(&mut self, pair: &mut Pair<G::State>) -> Result<(), Breach> {
        let game = self.game;
        self.ensure(game.has_chance(), &pair.state, || "chance acts, has_chance denies".into())?;
        let mut events = Vec::new();
        game.events(&pair.state, &mut events);
        self.check_events(&pair.state, &events)?;
        let event = game.draw(&pair.state, &mut self.rng);
        let listed = events.iter().any(|(e, _)| *e == event);
        self.ensure(listed, &pair.state, || format!("drew {event:?}, which is not listed"))?;
        let gained = game.resolve(&mut pair.state, event);
        let mirrored = game.resolve(&mut pair.image, game.map_event(self.symmetry, event));
        self.check_rewards(&pair.state, gained, mirrored)
    }

    fn check_events(&self, state: &G::State, events: &[(Event, f32)]) -> Result<(), Breach> {
        let sum: f32 = events.iter().map(|e| e.1).sum();
        self.ensure((sum - 1.0).abs() < 1e-4, state, || format!("probabilities sum to {sum}"))?;
        let mut moves = Vec::new();
        self.game.legal_moves(state, &mut moves);
        self.ensure(moves.is_empty(), state, || "moves on chance's turn".into())?;
        for &(event, _) in events {
            let text = self.game.event_text(state, event);
            let read = self.game.parse_event(state, &text);
            self.ensure(read == Ok(event), state, || format!("{text:?} is read as {read:?}"))?;
        }
        Ok(())
    }

    fn play_move(&mut self, pair: &mut Pair<G::State>, player: Player) -> Result<(), Breach> {
        let game = self.game;
        let seated = player.index() < game.num_players();
        self.ensure(seated, &pair.state, || format!("{player:?} does not play here"))?;
        let mut legal = Vec::new();
        game.legal_moves(&pair.state, &mut legal);
        self.check_legal(pair, &legal)?;
        self.check_afterstates(&pair.state, &legal)?;
        let mv = self.random_move(&pair.state, &legal)?;
        let gained = game.play(&mut pair.state, mv);
        let mirrored = game.play(&mut pair.image, game.map_move(self.symmetry, mv));
        self.check_rewards(&pair.state, gained, mirrored)
    }

    /// Finding and playing moves together leads to the same as one by one.
    fn check_afterstates(&self, state: &G::State, legal: &[Move]) -> Result<(), Breach> {
        let (game, mut visited) = (self.game, Vec::new());
        game.each_afterstate(state, &mut Vec::new(), |found| {
            let mut after = state.clone();
            let rewards = game.play(&mut after, found.mv);
            let turn = game.turn(&after);
            let same = (&after, rewards, turn) == (found.state, found.rewards, found.turn);
            visited.push((found.mv, same));
        });
        let all = visited.iter().map(|(mv, _)| mv).eq(legal);
        self.ensure(all, state, || format!("{visited:?} are visited for {legal:?}"))?;
        let wrong = visited.iter().find(|(_, same)| !same);
        self.ensure(wrong.is_none(), state, || format!("{wrong:?} leads elsewhere"))
    }

    fn check_legal(&self, pair: &Pair<G::State>, legal: &[Move]) -> Result<(), Breach> {
        let (game, state) = (self.game, &pair.state);
        self.ensure(!legal.is_empty(), state, || "no legal move on a player's turn".into())?;
        let sorted = legal.is_sorted_by(|a, b| a < b);
        self.ensure(sorted, state, || format!("legal moves not ascending: {legal:?}"))?;
        for &mv in legal {
            let known = (mv.0 as usize) < game.num_moves();
            self.ensure(known, state, || format!("{mv:?} is not below num_moves"))?;
            let text = game.move_text(state, mv);
            let read = game.parse_move(state, &text);
            self.ensure(read == Ok(mv), state, || format!("{text:?} is read as {read:?}"))?;
        }
        let carried: HashSet<Move> =
            legal.iter().map(|&mv| game.map_move(self.symmetry, mv)).collect();
        let mut images = Vec::new();
        game.legal_moves(&pair.image, &mut images);
        let same = carried == images.iter().copied().collect();
        self.ensure(same, state, || format!("{carried:?} should be legal in the image: {images:?}"))
    }

    /// Draws like the default of [`Game::random_move`](crate::Game::random_move), and checks that the game does too.
    fn random_move(&mut self, state: &G::State, legal: &[Move]) -> Result<Move, Breach> {
        let mut same = self.rng.clone();
        let theirs = self.game.random_move(state, &mut same, &mut Vec::new());
        let mv = legal[self.rng.below(legal.len())];
        self.ensure(mv == theirs && self.rng == same, state, || {
            format!("random_move drew {theirs:?} for {mv:?}")
        })?;
        Ok(mv)
    }

    fn check_rewards(&self, state: &G::State, a: Rewards, b: Rewards) -> Result<(), Breach> {
        self.ensure(a == b, state, || format!("gained {a:?}, but {b:?} in the image"))?;
        let finite = a.0.iter().all(|r| r.is_finite());
        self.ensure(finite, state, || format!("gained {a:?}"))
    }

    fn cells(&self, state: &G::State, pov: Player) -> Vec<u8> {
        let mut cells = vec![0; self.layout.num_cells()];
        self.game.read_cells(state, pov, &mut cells);
        cells
    }

    fn ensure(
        &self,
        holds: bool,
        state: &G::State,
        what: impl FnOnce() -> String,
    ) -> Result<(), Breach> {
        if holds { Ok(()) } else { self.fail(state, what()) }
    }

    fn fail<T>(&self, state: &G::State, what: String) -> Result<T, Breach> {
        Err(Breach { what, state: self.game.state_text(state) })
    }
}

fn check_layout<G: Notation>(game: &G, layout: &CellLayout) -> Result<(), Breach> {
    let fail = |what: String| Err(Breach { what, state: game.state_text(&game.start()) });
    let cells = layout.num_cells();
    if layout.width == 0 || !cells.is_multiple_of(layout.width) {
        return fail(format!("{cells} cells do not fill rows of {}", layout.width));
    }
    if layout.neighbours.len() != cells {
        return fail(format!("neighbours of {} cells for {cells}", layout.neighbours.len()));
    }
    if !layout.symmetries.first().is_some_and(|s| s.iter().copied().eq(0..cells as u16)) {
        return fail("the first symmetry is not the identity".into());
    }
    for (i, symmetry) in layout.symmetries.iter().enumerate() {
        let reached: HashSet<_> = symmetry.iter().filter(|&&c| usize::from(c) < cells).collect();
        if symmetry.len() != cells || reached.len() != cells {
            return fail(format!("symmetry {i} is no permutation"));
        }
        if let Some(cell) =
            (0..cells).find(|&c| layout.values[c] != layout.values[usize::from(symmetry[c])])
        {
            return fail(format!("symmetry {i} carries cell {cell} to one with other values"));
        }
    }
    let grouped: Vec<u16> = layout.groups.iter().flat_map(|g| g.cells.iter().copied()).collect();
    let distinct: HashSet<_> = grouped.iter().collect();
    if !grouped.is_empty() && (grouped.len() != cells || distinct.len() != cells) {
        return fail("the groups do not partition the cells".into());
    }
    Ok(())
}

fn hash(state: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}
