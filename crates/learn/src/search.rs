//! Looking ahead with the value that is being learned, for one and two players.

use crate::{Rated, Value};
use ludens_core::{CellBoard, Event, Move, Player, Turn};

/// What a search expects of an afterstate, and the position that this rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<S> {
    /// What may be gained after the afterstate, in the value's perspective.
    pub value: f32,
    /// The last position of the best line and who moved into it; none if the line ends the game, or
    /// if chance acts in it.
    pub leaf: Option<(S, Player)>,
    /// What is gained on the way to the leaf.
    pub gained: f32,
}

/// Looks `depth` moves beyond an afterstate of `player`, with alpha-beta. The value must tell the
/// first player's gain.
pub fn look_ahead<G: CellBoard>(
    value: &mut Value<G>,
    game: &G,
    after: &G::State,
    player: Player,
    depth: u32,
) -> Line<G::State> {
    Search { value, game }.line(after, player, depth, f32::NEG_INFINITY, f32::INFINITY)
}

/// Rates each legal move by looking `depth` moves ahead, the move itself included.
pub fn rate_by_search<G: CellBoard>(
    value: &mut Value<G>,
    game: &G,
    state: &G::State,
    player: Player,
    legal: &[Move],
    depth: u32,
    out: &mut Vec<Rated>,
) {
    out.clear();
    for &mv in legal {
        let mut after = state.clone();
        let rewards = game.play(&mut after, mv);
        let over = game.turn(&after) == Turn::Over;
        let reward = value.perspective.gain(value.rewards.seen(rewards, over), player);
        let future = look_ahead(value, game, &after, player, depth - 1).value;
        let worth = value.perspective.sign(player) * (reward + value.discount * future);
        out.push(Rated { mv, reward, value: future, over, worth });
    }
}

struct Search<'a, G: CellBoard> {
    value: &'a mut Value<G>,
    game: &'a G,
}

impl<G: CellBoard> Search<'_, G> {
    fn line(
        &mut self,
        state: &G::State,
        mover: Player,
        depth: u32,
        low: f32,
        high: f32,
    ) -> Line<G::State> {
        match self.game.turn(state) {
            Turn::Over => Line { value: 0.0, leaf: None, gained: 0.0 },
            _ if depth == 0 => {
                let value = self.value.glance(self.game, state, mover);
                Line { value, leaf: Some((state.clone(), mover)), gained: 0.0 }
            }
            Turn::Chance => self.expect(state, mover, depth),
            Turn::Player(player) => self.best(state, player, depth, low, high),
        }
    }

    fn expect(&mut self, state: &G::State, mover: Player, depth: u32) -> Line<G::State> {
        let (mut events, mut sum): (Vec<(Event, f32)>, f32) = (Vec::new(), 0.0);
        self.game.events(state, &mut events);
        for (event, probability) in events {
            let mut next = state.clone();
            let rewards = self.game.resolve(&mut next, event);
            let over = self.game.turn(&next) == Turn::Over;
            let gained = self.value.perspective.gain(self.value.rewards.seen(rewards, over), mover);
            let line = self.line(&next, mover, depth, f32::NEG_INFINITY, f32::INFINITY);
            sum += probability * (gained + line.value);
        }
        Line { value: sum, leaf: None, gained: sum }
    }

    fn best(
        &mut self,
        state: &G::State,
        player: Player,
        depth: u32,
        mut low: f32,
        mut high: f32,
    ) -> Line<G::State> {
        let (sign, discount) = (self.value.perspective.sign(player), self.value.discount);
        let mut legal = Vec::new();
        self.game.legal_moves(state, &mut legal);
        let mut best: Option<Line<G::State>> = None;
        for mv in legal {
            let mut after = state.clone();
            let rewards = self.game.play(&mut after, mv);
            let over = self.game.turn(&after) == Turn::Over;
            let reward =
                self.value.perspective.gain(self.value.rewards.seen(rewards, over), player);
            let line = self.line(&after, player, depth - 1, low, high);
            let value = reward + discount * line.value;
            if best.as_ref().is_none_or(|b| sign * value > sign * b.value) {
                let gained = reward + discount * line.gained;
                best = Some(Line { value, leaf: line.leaf, gained });
            }
            if discount == 1.0 && reward == 0.0 {
                if sign > 0.0 {
                    low = low.max(value);
                } else {
                    high = high.min(value);
                }
                if low >= high {
                    break;
                }
            }
        }
        best.expect("a player to move has a legal move")
    }
}
