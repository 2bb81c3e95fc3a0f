//! Choosing and recalling the moves of small games.

use super::known::{Moves, Offer};
use super::rating::{Afterstates, Peeked, Terms, Worth};
use super::{Rated, Value};
use crate::explore::best_of_equals;
use crate::{Reader, Scope, Step};
use ludens_core::{CellBoard, Choice, MAX_PLAYERS, Move, Player, Rng};
use ludens_values::{Active, BoardValues, Sight};
use std::sync::Arc;

/// The move that was chosen of those known by heart.
#[derive(Copy, Clone)]
pub(super) struct Chosen {
    mv: Move,
    board: u32,
    value: f32,
    slope: f32,
}

impl Worth {
    /// The number of the best offer, and what it is worth; `at` tells where its value is found.
    #[inline(always)]
    fn best(
        self,
        offers: &[Offer],
        values: &[f32],
        at: impl Fn(&Offer) -> u32,
        rng: &mut Rng,
    ) -> Option<(usize, f32)> {
        let value = |offer: &Offer| values.get(at(offer) as usize).map_or(0.0, |value| *value);
        let worth = |offer: &Offer| self.tell(offer.reward, value(offer));
        // Boards that are alike are many in small games.
        best_of_equals(offers.iter().map(worth).enumerate(), rng)
    }
}

impl<G: CellBoard> Value<G> {
    /// Rates all legal moves of `player` in `state` if they are known by heart.
    pub(super) fn rate_known(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
    ) -> Option<impl Iterator<Item = Rated>> {
        let (place, bank, worth) = self.find_known(game, state, player)?;
        let Moves { rated, boards, .. } = self.known.moves(place);
        self.net.peek_boards(bank, boards, &mut self.peeks);
        self.evaluated += boards.len() as u64;
        self.peeked = Peeked::Known(place, None);
        let mut values = self.peeks.values.iter();
        Some(rated.iter().map(move |rated| worth.of(rated, &mut values)))
    }

    /// The best move of `player` in `state` if all are known by heart, ties broken at random.
    #[inline]
    pub(crate) fn choose_known(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        rng: &mut Rng,
    ) -> Option<Choice> {
        let (place, bank, worth) = self.find_known(game, state, player)?;
        let (offers, read) = self.known.offers(place);
        self.evaluated += u64::from(read);
        let Some(BoardValues { values, output }) = self.net.board_values(bank) else {
            self.net.peek_boards(bank, self.known.moves(place).boards, &mut self.peeks);
            self.peeked = Peeked::Known(place, None);
            let (nth, worth) = worth.best(offers, &self.peeks.values, |offer| offer.nth, rng)?;
            return Some(Choice { mv: offers[nth].mv, value: Some(worth), explored: false });
        };
        let (nth, worth) = worth.best(offers, values, |offer| offer.place, rng)?;
        let (offer, mv) = (&offers[nth], offers[nth].mv);
        let seen = self.known.board(place, offer).zip(values.get(offer.place as usize));
        let chosen = |(board, &value)| Chosen { mv, board, value, slope: output.slope(value) };
        self.peeked = Peeked::Known(place, seen.map(chosen));
        Some(Choice { mv, value: Some(worth), explored: false })
    }

    /// The place of `state` if the moves of `player` are known by heart, the bank of their
    /// afterstates, and what makes values worth something to him.
    #[inline(always)]
    fn find_known(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
    ) -> Option<(usize, usize, Worth)> {
        if !self.knows_boards() {
            return None;
        }
        let swap = self.swap(player);
        let (terms, sign) = (self.terms(player), self.perspective.sign(player));
        self.perspective.inverted ^= swap;
        let place = self.known.find(game.board_number(state, terms.pov), state, &terms)?;
        Some((place, terms.bank(), self.worth(sign)))
    }

    /// Whether the rules say the same of a board each time, and the net knows it by its number.
    #[inline]
    fn knows_boards(&self) -> bool {
        matches!(self.reader, Reader::Boards)
            && !matches!(self.scope, Scope::Moves { .. })
            && !self.after_chance
    }

    /// Keeps what the rules say of the moves of `state`, if they say it each time.
    pub(super) fn keep_known(
        &mut self,
        game: &G,
        state: &G::State,
        terms: &Terms,
        rated: &[Rated],
    ) {
        if !self.knows_boards() {
            return;
        }
        if let Some(known) = Arc::get_mut(&mut self.known) {
            let Afterstates { sights, moves } = &self.read;
            let place = |sight: &Sight| (sight.entry, self.net.board_place(sight.entry));
            let read = sights[..moves.len()].iter().map(place);
            known.keep(game.board_number(state, terms.pov), state, terms, rated, read);
        }
    }

    /// Leaves everything about the move of a step in `active`, if it is one of those in this place.
    #[inline]
    pub(super) fn recall_known(
        &self,
        place: usize,
        chosen: Option<Chosen>,
        step: &Step<'_, G::State>,
        active: &mut Active,
    ) -> bool {
        let base = self.base(step.player);
        if !self.known.is(place, step.before, base) {
            return false;
        }
        let bank = base / MAX_PLAYERS;
        if let Some(Chosen { board, value, slope, .. }) = chosen.filter(|c| c.mv == step.mv) {
            (active.bank, active.board) = (bank, board);
            (active.value, active.slope) = (value, slope);
            return true;
        }
        let Some((nth, board)) = self.known.nth(place, step.mv) else { return false };
        self.net.recall_board(bank, board, &self.peeks, nth, active);
        true
    }
}
