//! The agents of a live game.

use crate::{Hooks, open_agent};
use ludens_core::{
    Agent, Choice, Forfeit, Invalid, Move, PerPlayer, Played, Player, Rng, Study, TrainableGame,
    Turn,
};
use std::time::Duration;

/// The agents of a live game and their random stream.
pub(crate) struct Seats<G: TrainableGame> {
    agents: PerPlayer<Option<Box<dyn Agent<G>>>>,
    rng: Rng,
}

impl<G: TrainableGame> Seats<G> {
    /// Creates empty seats. The agents' random stream is separate from that of chance, so that
    /// agents do not affect chance events.
    pub(crate) fn new(seed: u64) -> Seats<G> {
        Seats { agents: PerPlayer::default(), rng: Rng::derived(seed, "agents", 0) }
    }

    pub(crate) fn reseed(&mut self, seed: u64) {
        self.rng = Rng::derived(seed, "agents", 0);
    }

    pub(crate) fn without_agents(&self) -> Seats<G> {
        Seats { agents: PerPlayer::default(), rng: self.rng.clone() }
    }

    /// Seats an agent, which has not seen the game yet.
    pub(crate) fn seat(&mut self, game: &G, player: Player, agent: &str) -> Result<(), Invalid> {
        let players = game.num_players();
        if player.index() >= players {
            return Err(Invalid(format!("there is no player {player}; there are {players}")));
        }
        self.agents[player] = Some(open_agent(agent, game, &Hooks::NONE)?);
        Ok(())
    }

    /// Seats an agent for every player.
    pub(crate) fn seat_all(&mut self, mut make: impl FnMut() -> Box<dyn Agent<G>>) {
        self.agents.0.iter_mut().for_each(|seat| *seat = Some(make()));
    }

    pub(crate) fn choose(&mut self, game: &G, state: &G::State) -> Result<Choice, Forfeit> {
        let Turn::Player(player) = game.turn(state) else {
            return Err(Forfeit("the game is over".into()));
        };
        let agent = self.agents[player].as_mut();
        let agent = agent.ok_or_else(|| Forfeit(format!("nobody plays for player {player}")))?;
        agent.choose(game, state, &mut self.rng)
    }

    pub(crate) fn move_values(&mut self, game: &G, state: &G::State) -> Option<Vec<f32>> {
        let Turn::Player(player) = game.turn(state) else { return None };
        self.agents[player].as_mut()?.move_values(game, state, &mut self.rng)
    }

    pub(crate) fn limit_time(&mut self, player: Player, time: Option<Duration>) {
        if let Some(agent) = self.agents.0.get_mut(player.index()).and_then(Option::as_mut) {
            agent.limit_time(time);
        }
    }

    /// The analysis of the agent to move, with a line of at most `length` moves.
    ///
    /// If the agent reports values but no line, its choices move by move form the line.
    pub(crate) fn study(&mut self, game: &G, state: &G::State, length: usize) -> Option<Study> {
        let Turn::Player(player) = game.turn(state) else { return None };
        let agent = self.agents[player].as_mut()?;
        let mut study = agent.study(game, state, &mut self.rng);
        let mut next = state.clone();
        let silent = study.line.is_empty() && study.values.is_some();
        while silent && study.line.len() < length && matches!(game.turn(&next), Turn::Player(_)) {
            let Ok(Choice { mv, .. }) = agent.choose(game, &next, &mut self.rng) else { break };
            game.play(&mut next, mv);
            study.line.push(mv);
        }
        study.line.truncate(length);
        Some(study)
    }

    /// The moves as players write them, one after the other from `state`.
    pub(crate) fn texts(game: &G, state: &G::State, line: &[Move]) -> Vec<String> {
        let mut state = state.clone();
        let text = |mv: &Move| {
            let text = game.move_text(&state, *mv);
            game.play(&mut state, *mv);
            text
        };
        line.iter().map(text).collect()
    }

    pub(crate) fn begin(&mut self, game: &G, state: &G::State) {
        self.agents.0.iter_mut().flatten().for_each(|agent| agent.begin(game, state));
    }

    pub(crate) fn watch(&mut self, game: &G, before: &G::State, played: Played) {
        self.agents.0.iter_mut().flatten().for_each(|agent| agent.watch(game, before, played));
    }
}
