//! TD-FARL as the fused loop and pipelined self-play drive it.

use super::{Players, TdFarl};
use crate::algorithm::{FastPaths, LastMove, MoveReport, OnePlayerTd};
use ludens_approx::Accumulator;
use ludens_core::{Bitboards, Player};

/// The only player who learns, and the games that he takes part in.
pub(super) struct Restriction {
    pub(super) player: Player,
    /// The games that wait for their turn; the current one is empty in its place.
    waiting: Vec<(Players, Vec<Accumulator>)>,
    current: usize,
}

impl<G: Bitboards> FastPaths<G> for TdFarl<G> {
    fn one_player_td(&mut self) -> Option<OnePlayerTd<'_, G>> {
        let Players { memories, last_move } = &mut self.players;
        let ([memory], value) = (&mut memories[..], &mut self.value) else { return None };
        Some(OnePlayerTd { value, memory, last_move, exploration: self.settings.exploration })
    }

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
