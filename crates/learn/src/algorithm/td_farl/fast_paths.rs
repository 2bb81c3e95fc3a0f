//! TD-FARL as the fused loop and pipelined self-play drive it.

use super::{Players, TdFarl};
use crate::Value;
use crate::algorithm::{
    FastPaths, FusedLearner, FusedStep, LastMove, MoveReport, PerPlayerLearner,
};
use ludens_approx::{Accumulator, Evaluation};
use ludens_core::{Bitboards, Player};

/// The only player of a game that the fused loop plays.
const PLAYER: Player = Player(0);

/// The only player who learns, and the games that he takes part in.
pub(super) struct Restriction {
    pub(super) player: Player,
    /// The games that wait for their turn; the current one is empty in its place.
    waiting: Vec<(Players, Vec<Accumulator>)>,
    current: usize,
}

impl<G: Bitboards> FastPaths<G> for TdFarl<G> {
    fn fused(&mut self) -> Option<&mut dyn FusedLearner<G>> {
        if self.players.memories.len() == 1 { Some(self) } else { None }
    }

    fn per_player(&mut self) -> Option<&mut dyn PerPlayerLearner<G>> {
        Some(self)
    }
}

impl<G: Bitboards> FusedLearner<G> for TdFarl<G> {
    fn value(&mut self) -> &mut Value<G> {
        &mut self.value
    }

    fn learns(&self) -> bool {
        true
    }

    fn is_td0(&self) -> bool {
        let trace = &self.players.memories[PLAYER.index()].trace;
        self.value.network.fused().is_some_and(|network| network.is_td0(trace))
    }

    fn observe_afterstate(&mut self, next: &mut Box<Evaluation>, step: FusedStep) {
        let memory = &mut self.players.memories[PLAYER.index()];
        if memory.moved && self.settings.exploration.allows_before_end(step.explored) {
            let target = memory.pending + step.reward + self.value.spec.discount * step.value;
            self.value.update(&mut memory.last, &mut memory.trace, target);
        }
        std::mem::swap(&mut memory.last, next);
        (memory.moved, memory.pending) = (true, 0.0);
        self.players.last_move = Some(LastMove { player: PLAYER, over: false });
    }
}

impl<G: Bitboards> PerPlayerLearner<G> for TdFarl<G> {
    fn restrict_to(&mut self, player: Player, games: usize) {
        let count = self.players.memories.len();
        let waiting = |_| {
            let players = Players::new(&self.value, &self.settings, count);
            (players.expect("the network made such traces before"), Vec::new())
        };
        let waiting = (0..games).map(waiting).collect();
        self.restriction = Some(Restriction { player, waiting, current: 0 });
    }

    fn switch_game(&mut self, game: usize) {
        let Some(Restriction { waiting, current, .. }) = &mut self.restriction else { return };
        for game in [*current, game] {
            let (players, accumulators) = &mut waiting[game];
            std::mem::swap(&mut self.players, players);
            self.value.switch_game(accumulators);
        }
        *current = game;
    }

    fn observe_opponent(&mut self, report: &MoveReport) {
        self.players.add_rewards(self.value.spec.rewards, report.rewards, report.over);
        if report.explored && self.settings.reset {
            self.players.clear_traces();
        }
        self.players.last_move = Some(LastMove { player: report.player, over: report.over });
    }
}
