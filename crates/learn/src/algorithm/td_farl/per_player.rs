//! TD-FARL for one player only, in several games that take turns (pipelined self-play).

use super::{AfterstateMemory, TdFarl, new_players};
use crate::algorithm::{LastMove, MoveReport, PerPlayerLearner};
use ludens_approx::Accumulator;
use ludens_core::{Bitboards, Player};

/// The only player who learns, and the games that he takes part in.
pub(super) struct Restriction {
    pub(super) player: Player,
    /// The games that wait for their turn; the current one is empty in its place.
    waiting: Vec<WaitingGame>,
    current: usize,
}

/// What belongs to one of the games.
struct WaitingGame {
    players: Vec<AfterstateMemory>,
    last_move: Option<LastMove>,
    accumulators: Vec<Accumulator>,
}

impl<G: Bitboards> PerPlayerLearner<G> for TdFarl<G> {
    fn restrict_to(&mut self, player: Player, games: usize) {
        let count = self.players.len();
        let waiting = |_| {
            let players = new_players(&self.value, &self.settings, count);
            let players = players.expect("the network made such traces before");
            WaitingGame { players, last_move: None, accumulators: Vec::new() }
        };
        let waiting = (0..games).map(waiting).collect();
        self.restriction = Some(Restriction { player, waiting, current: 0 });
    }

    fn switch_game(&mut self, game: usize) {
        let Some(Restriction { waiting, current, .. }) = &mut self.restriction else { return };
        for game in [*current, game] {
            let WaitingGame { players, last_move, accumulators } = &mut waiting[game];
            std::mem::swap(&mut self.players, players);
            std::mem::swap(&mut self.last_move, last_move);
            self.value.switch_game(accumulators);
        }
        *current = game;
    }

    fn observe_opponent(&mut self, report: &MoveReport) {
        self.add_rewards(report.rewards, report.over);
        if report.explored && self.settings.reset {
            self.clear_traces();
        }
        self.last_move = Some(LastMove { player: report.player, over: report.over });
    }
}
