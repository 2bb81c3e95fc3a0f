//! A position: a game, what was played, and what can be played next.

use crate::limits::LIMITS;
use crate::problem::Problem;
use ludens_core::{Player, Record, Rng, Turn};
use ludens_registry::{AnyGame, LiveGame, open_game};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A position, as it is asked about.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename = "Asked", deny_unknown_fields)]
pub(crate) struct PositionRequest {
    /// The game: name or name:key=value,...
    pub(crate) game: String,
    /// The state that it began in, unless the usual one.
    #[serde(default)]
    pub(crate) start: Option<String>,
    /// Moves as players write them; what chance drew stands in brackets.
    #[serde(default)]
    pub(crate) played: Vec<String>,
    /// What chance and agents draw from.
    #[serde(default = "default_seed")]
    pub(crate) seed: u64,
}

pub(crate) fn default_seed() -> u64 {
    1
}

/// A request about a position: its fields and those named here.
macro_rules! position_request {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $field:ident: $kind:ty,)* }) => {
        $(#[$about])*
        #[derive(serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            /// The game: name or name:key=value,...
            game: String,
            /// The state that it began in, unless the usual one.
            #[serde(default)]
            start: Option<String>,
            /// Moves as players write them; what chance drew stands in brackets.
            #[serde(default)]
            played: Vec<String>,
            /// What chance and agents draw from.
            #[serde(default = "crate::position::default_seed")]
            seed: u64,
            $($(#[$doc])* $field: $kind,)*
        }

        impl $name {
            /// The position that is asked about.
            fn position(&mut self) -> crate::position::PositionRequest {
                let (start, played) = (self.start.take(), std::mem::take(&mut self.played));
                let game = std::mem::take(&mut self.game);
                crate::position::PositionRequest { game, start, played, seed: self.seed }
            }
        }
    };
}
pub(crate) use position_request;

/// A position, as it is told.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Position")]
pub(crate) struct PositionView {
    game: String,
    title: String,
    players: usize,
    chance: bool,
    seed: u64,
    start: Option<String>,
    played: Vec<String>,
    /// The state in one line.
    state: String,
    /// The player to move, counted from one; nobody once it is over.
    turn: Option<u8>,
    over: bool,
    /// What each player has gained so far.
    rewards: Vec<f32>,
    /// How it ended, in words.
    outcome: Option<String>,
    /// Who gained the most, once it is over; nobody in games of one player.
    winners: Vec<u8>,
    legal: Vec<LegalMoveView>,
    /// What was played or drawn last.
    last: Option<String>,
    /// Who played what.
    plies: Vec<Ply>,
    /// The board.
    svg: String,
}

/// A legal move.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Legal")]
struct LegalMoveView {
    id: u32,
    text: String,
}

/// What was played, and by whom; by chance, if by nobody.
#[derive(Serialize, JsonSchema)]
struct Ply {
    text: String,
    player: Option<u8>,
}

impl PositionRequest {
    /// Opens the game.
    pub(crate) fn open(&self) -> Result<Box<dyn AnyGame>, Problem> {
        if self.played.len() > LIMITS.plies {
            let reason = format!("expected at most {} moves and events", LIMITS.plies);
            return Err(Problem::invalid(reason).of("played"));
        }
        open_game(&self.game).map_err(|e| Problem::from(e).of("game"))
    }

    /// The game with everything played; what chance draws next depends on how much that is.
    pub(crate) fn live(&self, game: &dyn AnyGame) -> Result<Box<dyn LiveGame>, Problem> {
        let mut live = game.live(self.derived_seed());
        self.replay(&mut *live)?;
        Ok(live)
    }

    /// Plays everything on a board that may have been used before.
    pub(crate) fn replay(&self, live: &mut dyn LiveGame) -> Result<(), Problem> {
        live.reseed(self.derived_seed());
        let (start, played) = (self.start.clone(), self.played.clone());
        Ok(live.replay(&Record { start, played, ..Record::default() })?)
    }

    /// The seed of the next chance events: the same for the same history.
    fn derived_seed(&self) -> u64 {
        Rng::derived(self.seed, "luck", self.played.len() as u64).bits()
    }

    /// The response that describes the position.
    pub(crate) fn view(&self, game: &dyn AnyGame, live: &dyn LiveGame) -> PositionView {
        let info = game.info();
        let over = live.turn() == Turn::Over;
        let rewards = live.rewards().first(info.players).to_vec();
        let played = live.history();
        let movers = live.movers().into_iter().map(|player| player.map(number));
        let ply = |(text, player): (&String, _)| Ply { text: text.clone(), player };
        let legal = |(id, text): (ludens_core::Move, String)| LegalMoveView { id: id.0, text };
        PositionView {
            title: info.title.clone(),
            players: info.players,
            chance: info.chance,
            seed: self.seed,
            start: self.start.clone(),
            state: live.state_text(),
            turn: mover(live).map(number),
            over,
            outcome: over.then(|| outcome(&rewards)),
            winners: if over { winners(&rewards) } else { Vec::new() },
            legal: live.legal().into_iter().map(legal).collect(),
            last: played.last().cloned(),
            plies: played.iter().zip(movers).map(ply).collect(),
            svg: live.scene().to_svg(),
            game: info.spec.clone(),
            rewards,
            played,
        }
    }
}

/// The number of a player, as people count.
pub(crate) fn number(player: Player) -> u8 {
    player.0 + 1
}

/// The player to move.
pub(crate) fn mover(live: &dyn LiveGame) -> Option<Player> {
    match live.turn() {
        Turn::Player(player) => Some(player),
        Turn::Chance | Turn::Over => None,
    }
}

/// The players with the highest reward; empty in single-player games.
fn winners(rewards: &[f32]) -> Vec<u8> {
    if rewards.len() < 2 {
        return Vec::new();
    }
    let most = rewards.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    (1..).zip(rewards).filter(|(_, reward)| **reward == most).map(|(player, _)| player).collect()
}

fn outcome(rewards: &[f32]) -> String {
    let points = |reward: &f32| format!("{reward}");
    match (winners(rewards).as_slice(), rewards) {
        (_, [alone]) => format!("The game is over: {} points.", points(alone)),
        (all, _) if all.len() == rewards.len() => "It is a draw.".into(),
        ([winner], _) => format!("Player {winner} wins."),
        (several, _) => {
            let names: Vec<String> = several.iter().map(u8::to_string).collect();
            format!("Players {} share the win.", names.join(" and "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outcome_names_the_winners() {
        assert_eq!(outcome(&[1.0, -1.0]), "Player 1 wins.");
        assert_eq!(outcome(&[0.0, 0.0]), "It is a draw.");
        assert_eq!(outcome(&[0.0, 1.0, 1.0]), "Players 2 and 3 share the win.");
        assert_eq!(outcome(&[3412.0]), "The game is over: 3412 points.");
        assert!(winners(&[5.0]).is_empty());
    }

    #[test]
    fn the_same_question_draws_the_same_and_a_longer_game_draws_anew() {
        let mut request =
            PositionRequest { game: "2048".into(), start: None, played: Vec::new(), seed: 7 };
        let game = request.open().unwrap();
        let first = request.live(&*game).unwrap().history();
        assert_eq!(request.live(&*game).unwrap().history(), first);
        request.played = first;
        let mut drawn = Vec::new();
        for _ in 0..8 {
            let mut live = request.live(&*game).unwrap();
            let mv = live.legal()[0].1.clone();
            live.play(&mv).unwrap();
            request.played = live.history();
            drawn.push(request.played.last().unwrap().clone());
        }
        drawn.sort();
        drawn.dedup();
        assert!(drawn.len() > 2, "{drawn:?}");
    }
}
