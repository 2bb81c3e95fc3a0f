//! Agents that take long to open, kept ready.

use crate::position::PositionRequest;
use crate::problem::Problem;
use ludens_core::Player;
use ludens_registry::{AnyGame, LiveGame};
use std::collections::{HashSet, VecDeque};
use std::sync::Mutex;
use std::time::Duration;

/// A cache of live games with a seated agent, for agents that are expensive to open.
#[derive(Default)]
pub(crate) struct AgentCache {
    kept: Mutex<VecDeque<(CacheKey, Box<dyn LiveGame>)>>,
}

/// Which agent sits where.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CacheKey {
    game: String,
    player: Player,
    agent: String,
    /// A hash of the state of the agent's files.
    stamp: u64,
}

/// An agent specification with file paths instead of run names, and a hash of the files' states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResolvedAgent {
    pub(crate) text: String,
    /// Differs whenever a file that the agent plays by has changed.
    pub(crate) stamp: u64,
    /// Whether the agent is expensive to open.
    pub(crate) heavy: bool,
}

/// Most boards kept, and most different agents among them: their tables may be large.
const MOST: usize = 12;
const MOST_AGENTS: usize = 4;

impl AgentCache {
    /// Lets `work` use the position with the agent seated for `player`.
    pub(crate) fn with<T>(
        &self,
        (request, game): (&PositionRequest, &dyn AnyGame),
        player: Player,
        agent: &ResolvedAgent,
        time: Duration,
        work: impl FnOnce(&mut dyn LiveGame) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let ResolvedAgent { text, stamp, heavy } = agent.clone();
        let key = CacheKey { game: game.info().spec.clone(), player, agent: text, stamp };
        let mut live = match self.take(&key).filter(|_| heavy) {
            Some(kept) => kept,
            None => {
                let mut live = game.live(0);
                live.seat(player, &key.agent).map_err(|e| Problem::from(e).of("agent"))?;
                live
            }
        };
        live.limit_time(player, Some(time));
        request.replay(&mut *live)?;
        let worked = work(&mut *live);
        if heavy {
            self.put(key, live);
        }
        worked
    }

    fn take(&self, key: &CacheKey) -> Option<Box<dyn LiveGame>> {
        let mut kept = self.kept.lock().expect("nobody panics while looking");
        let at = kept.iter().position(|(other, _)| other == key)?;
        kept.remove(at).map(|(_, live)| live)
    }

    fn put(&self, key: CacheKey, live: Box<dyn LiveGame>) {
        let mut kept = self.kept.lock().expect("nobody panics while looking");
        kept.push_back((key, live));
        while kept.len() > MOST || num_agents(&kept) > MOST_AGENTS {
            kept.pop_front();
        }
    }
}

fn num_agents(kept: &VecDeque<(CacheKey, Box<dyn LiveGame>)>) -> usize {
    let agents: HashSet<_> = kept.iter().map(|(key, _)| (&key.agent, key.stamp)).collect();
    agents.len()
}
