//! Delayed TD(lambda): each afterstate is updated once, toward its truncated lambda-return.

mod fast_paths;

use crate::algorithm::{FastPaths, LastMove, Learner, LearnerSettings, Step};
use crate::scoring::previous_player;
use crate::{Value, ValueOwner};
use ludens_approx::{Evaluation, Trace, TraceSettings};
use ludens_core::{Bitboards, Invalid, Player, Rewards};
use std::collections::VecDeque;

/// TD(lambda) by truncated lambda-returns (Cichosz 1995; Jaskowski 2018), with or without FARL.
///
/// An afterstate is updated when `steps` more have followed it, or at the end of the game:
///
/// ```text
/// G(t) = r(t+1) + gamma ((1 - lambda) V(s(t+1)) + lambda G(t+1))     G = V for the newest afterstate
/// V(s(t)) moves toward G(t), with each value as it was when its afterstate was reached
/// ```
///
/// One update per move costs what TD(0) costs, whatever lambda is. An exploratory move that is not
/// learned from, or that clears traces, ends the returns of the afterstates before it.
pub struct DelayedTd<G: Bitboards> {
    value: Value<G>,
    settings: LearnerSettings,
    lambda: f32,
    steps: usize,
    /// One for each player, or one alone if the value predicts the first player's return.
    chains: Vec<Chain>,
    last_move: Option<LastMove>,
    /// TD(0): an update moves the weights of one afterstate.
    trace: Trace,
    next: Box<Evaluation>,
}

/// The afterstates of one player that wait for their update.
#[derive(Default)]
struct Chain {
    /// Those whose successor is known, the oldest first.
    links: VecDeque<Link>,
    newest: Option<Box<Evaluation>>,
    /// The reward since the newest afterstate.
    pending: f32,
    /// Evaluations to be used again.
    #[allow(clippy::vec_box, reason = "boxes change places with those of links")]
    spare: Vec<Box<Evaluation>>,
}

/// An afterstate, the reward on the way to the next one, and the value of that.
struct Link {
    afterstate: Box<Evaluation>,
    reward: f32,
    next: f32,
}

impl<G: Bitboards> DelayedTd<G> {
    /// A learner that waits for `steps` afterstates, at least one.
    ///
    /// # Errors
    ///
    /// If the network does not support TD(0).
    pub fn new(
        game: &G,
        value: Value<G>,
        settings: LearnerSettings,
        lambda: f32,
        steps: usize,
    ) -> Result<DelayedTd<G>, Invalid> {
        let alone = value.spec.owner == ValueOwner::FirstPlayer;
        let chains = if alone { 1 } else { game.num_players() };
        let chains = (0..chains).map(|_| Chain::default()).collect();
        let trace = value.network.new_trace(&TraceSettings::TD0)?;
        let (last_move, next) = Default::default();
        Ok(DelayedTd { value, settings, lambda, steps, chains, last_move, trace, next })
    }

    fn chain_of(&self, player: Player) -> usize {
        if self.chains.len() == 1 { 0 } else { player.index() }
    }

    fn add_rewards(&mut self, rewards: Rewards, over: bool) {
        let spec = self.value.spec;
        for (chain, player) in self.chains.iter_mut().zip((0..).map(Player)) {
            chain.pending += spec.reward(rewards, over, player);
        }
    }

    /// Updates the oldest afterstate of a chain toward its return.
    fn update_oldest(&mut self, chain: usize) {
        let (lambda, discount) = (self.lambda, self.value.spec.discount);
        let chain = &mut self.chains[chain];
        let newest = chain.links.back().map_or(0.0, |link| link.next);
        let target = chain.links.iter().rev().fold(newest, |later, link| {
            link.reward + discount * ((1.0 - lambda) * link.next + lambda * later)
        });
        let Some(Link { mut afterstate, .. }) = chain.links.pop_front() else { return };
        self.value.update(&mut afterstate, &mut self.trace, target);
        chain.spare.push(afterstate);
    }

    fn update_all(&mut self, chain: usize) {
        while !self.chains[chain].links.is_empty() {
            self.update_oldest(chain);
        }
    }

    /// The newest afterstate of a chain was followed by its pending reward and a value.
    fn link(&mut self, chain: usize, next: f32) {
        let Chain { links, newest, pending, .. } = &mut self.chains[chain];
        let reward = std::mem::take(pending);
        links.extend(newest.take().map(|afterstate| Link { afterstate, reward, next }));
        if self.chains[chain].links.len() >= self.steps {
            self.update_oldest(chain);
        }
    }

    /// The afterstate that `next` evaluates becomes the newest of a chain; its value is zero if it
    /// ends the game.
    fn advance(&mut self, chain: usize, value: f32, learns: bool, explored: bool) {
        if explored && self.settings.reset {
            (0..self.chains.len()).for_each(|chain| self.update_all(chain));
        } else if !learns {
            self.update_all(chain);
        }
        if learns {
            self.link(chain, value);
        }
        let Chain { newest, pending, spare, .. } = &mut self.chains[chain];
        let old = newest.take().or_else(|| spare.pop()).unwrap_or_default();
        *newest = Some(std::mem::replace(&mut self.next, old));
        *pending = 0.0;
    }

    /// Learns from the last move of a game, which chance may have ended.
    fn end_last(&mut self, chain: usize, over: bool) {
        let adapts = self.settings.adapt_last;
        match self.chains[chain].newest.take() {
            Some(mut afterstate)
                if over && adapts && self.value.spec.owner == ValueOwner::Mover =>
            {
                let target = self.chains[chain].pending;
                self.value.update(&mut afterstate, &mut self.trace, target);
                self.chains[chain].spare.push(afterstate);
            }
            newest if !over && adapts => {
                self.chains[chain].newest = newest;
                self.link(chain, 0.0);
            }
            newest => self.chains[chain].spare.extend(newest),
        }
    }
}

impl<G: Bitboards> Learner<G> for DelayedTd<G> {
    /// In games without chance the start state counts as an afterstate of the previous player.
    fn begin(&mut self, game: &G, state: &G::State) {
        self.last_move = None;
        for chain in &mut self.chains {
            let links = chain.links.drain(..).map(|link| link.afterstate);
            chain.spare.extend(links.chain(chain.newest.take()));
            chain.pending = 0.0;
        }
        if let Some(player) = previous_player(game, state) {
            let chain = self.chain_of(player);
            let mut start = self.chains[chain].spare.pop().unwrap_or_default();
            self.value.evaluate(game, state, player, &mut start);
            self.chains[chain].newest = Some(start);
        }
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        self.add_rewards(step.rewards, step.over);
        let value = self.value.evaluate_afterstate(game, step, &mut self.next);
        let learns = self.settings.exploration.allows(step);
        self.advance(
            self.chain_of(step.player),
            if step.over { 0.0 } else { value },
            learns,
            step.explored,
        );
        self.last_move = Some(LastMove { player: step.player, over: step.over });
    }

    fn end(&mut self, _: &G, rewards: Rewards) {
        let Some(LastMove { player, over }) = self.last_move else { return };
        if !over {
            self.add_rewards(rewards, true);
        }
        let last = self.chain_of(player);
        for chain in 0..self.chains.len() {
            if chain == last {
                self.end_last(chain, over);
            } else if self.settings.adapt_others {
                self.link(chain, 0.0);
            }
            self.update_all(chain);
        }
    }

    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }

    /// Nothing: returns of several moves would have to go around with the games.
    fn fast_paths(&mut self) -> Option<&mut dyn FastPaths<G>> {
        Some(self)
    }
}
