//! Alpha-beta search with the value that is being learned, for one and two players.

use crate::{ScoredMove, Value};
use ludens_core::{Bitboards, Cancellation, Event, Move, Player, Turn};

/// The principal variation after an afterstate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line<S> {
    /// The predicted return after the afterstate.
    pub(crate) value: f32,
    /// The principal leaf and who moved into it; none if the line ends the game or meets chance.
    pub(crate) leaf: Option<(S, Player)>,
    /// The reward on the way to the leaf.
    pub(crate) reward: f32,
    /// The discount on the value of the leaf.
    pub(crate) discount: f32,
}

/// Searches `depth` moves beyond an afterstate of `player`. The owner must be the first player.
pub(crate) fn look_ahead<G: Bitboards>(
    value: &mut Value<G>,
    game: &G,
    after: &G::State,
    player: Player,
    depth: u32,
) -> Line<G::State> {
    Search { value, game, ticks: 0, cancelled: false }.line(
        after,
        player,
        depth,
        f32::NEG_INFINITY,
        f32::INFINITY,
    )
}

/// Scores each legal move by a search of `depth` moves, the move itself included.
pub(crate) fn score_by_search<G: Bitboards>(
    value: &mut Value<G>,
    game: &G,
    state: &G::State,
    player: Player,
    legal: &[Move],
    depth: u32,
    out: &mut Vec<ScoredMove>,
) {
    out.clear();
    for &mv in legal {
        let mut after = state.clone();
        let rewards = game.play(&mut after, mv);
        let over = game.turn(&after) == Turn::Over;
        let reward = value.spec.reward(rewards, over, player);
        let future = look_ahead(value, game, &after, player, depth - 1).value;
        let score = value.spec.sign(player) * (reward + value.spec.discount * future);
        out.push(ScoredMove { mv, reward, value: future, over, score });
    }
}

struct Search<'a, G: Bitboards> {
    value: &'a mut Value<G>,
    game: &'a G,
    ticks: u32,
    /// From then on no line is followed further.
    cancelled: bool,
}

impl<G: Bitboards> Search<'_, G> {
    fn line(
        &mut self,
        state: &G::State,
        mover: Player,
        depth: u32,
        low: f32,
        high: f32,
    ) -> Line<G::State> {
        match self.game.turn(state) {
            Turn::Over => Line { value: 0.0, leaf: None, reward: 0.0, discount: 1.0 },
            _ if depth == 0 || self.is_cancelled() => {
                let value = self.value.evaluate_state(self.game, state, mover);
                Line { value, leaf: Some((state.clone(), mover)), reward: 0.0, discount: 1.0 }
            }
            Turn::Chance => self.expect(state, mover, depth),
            Turn::Player(player) => self.best(state, player, depth, low, high),
        }
    }

    fn is_cancelled(&mut self) -> bool {
        self.ticks = self.ticks.wrapping_add(1);
        self.cancelled |= self.ticks.is_multiple_of(64) && Cancellation::requested();
        self.cancelled
    }

    fn expect(&mut self, state: &G::State, mover: Player, depth: u32) -> Line<G::State> {
        let (mut events, mut sum): (Vec<(Event, f32)>, f32) = (Vec::new(), 0.0);
        self.game.events(state, &mut events);
        for (event, probability) in events {
            let mut next = state.clone();
            let rewards = self.game.resolve(&mut next, event);
            let over = self.game.turn(&next) == Turn::Over;
            let reward = self.value.spec.reward(rewards, over, mover);
            let line = self.line(&next, mover, depth, f32::NEG_INFINITY, f32::INFINITY);
            sum += probability * (reward + line.value);
        }
        Line { value: sum, leaf: None, reward: sum, discount: 1.0 }
    }

    fn best(
        &mut self,
        state: &G::State,
        player: Player,
        depth: u32,
        mut low: f32,
        mut high: f32,
    ) -> Line<G::State> {
        let (sign, discount) = (self.value.spec.sign(player), self.value.spec.discount);
        let mut legal = Vec::new();
        self.game.legal_moves(state, &mut legal);
        let mut best: Option<Line<G::State>> = None;
        for mv in legal {
            let mut after = state.clone();
            let rewards = self.game.play(&mut after, mv);
            let over = self.game.turn(&after) == Turn::Over;
            let reward = self.value.spec.reward(rewards, over, player);
            // The bounds are those of the child where its value is passed on as it is.
            let line = match discount == 1.0 && reward == 0.0 {
                true => self.line(&after, player, depth - 1, low, high),
                false => self.line(&after, player, depth - 1, f32::NEG_INFINITY, f32::INFINITY),
            };
            let value = reward + discount * line.value;
            if best.as_ref().is_none_or(|b| sign * value > sign * b.value) {
                let reward = reward + discount * line.reward;
                let discount = discount * line.discount;
                best = Some(Line { value, leaf: line.leaf, reward, discount });
            }
            if sign > 0.0 {
                low = low.max(value);
            } else {
                high = high.min(value);
            }
            if low >= high {
                break;
            }
        }
        best.expect("a player to move has a legal move")
    }
}
