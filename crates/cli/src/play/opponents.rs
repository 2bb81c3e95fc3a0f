//! The opponents that a game offers, from weak to perfect.

use ludens_core::Player;
use ludens_registry::{AnyGame, CHAMPION, find_champion};

/// Plays where there is no champion.
const SEARCH: &str = "mcts";

/// The level of agents that are no champions, from 0 to 10.
const LEVEL: f64 = 5.0;

/// The opponents that a game offers.
pub(super) struct Opponents {
    /// Who plays at a human level.
    pub(super) usual: String,
    weaker: String,
    stronger: String,
    perfect: Option<&'static str>,
}

impl Opponents {
    /// The opponents of this game.
    pub(super) fn of(game: &dyn AnyGame) -> Opponents {
        let champion = find_champion(&game.info().spec);
        let agent = if champion.is_some() { CHAMPION } else { SEARCH };
        let level = champion.map_or(LEVEL, |champion| champion.card.level);
        let at = |level: f64| format!("level:strength={level},agent={agent}");
        let plays = |agent: &str| game.live(0).seat(Player(0), agent).is_ok();
        Opponents {
            usual: at(level),
            weaker: at((level / 2.0).floor()),
            stronger: agent.into(),
            perfect: plays("perfect").then_some("perfect"),
        }
    }

    /// How to choose another opponent, in one line.
    pub(super) fn offer(&self) -> String {
        let Opponents { weaker, stronger, perfect, .. } = self;
        let perfect = perfect.map_or(String::new(), |agent| format!(", {agent} (never errs)"));
        format!("--against takes {weaker} (weaker), {stronger} (stronger){perfect}.")
    }
}

/// An agent in words, if it is one of those that are offered.
pub(super) fn described(agent: &str) -> String {
    let inside = agent.strip_prefix("level:strength=").and_then(|rest| rest.split_once(",agent="));
    match inside {
        Some((level, inner)) => format!("{} at level {level} of 10", described(inner)),
        None if agent == CHAMPION => "the champion".into(),
        None => agent.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_registry::open_game;

    #[test]
    fn a_champion_is_met_at_a_human_level() {
        let opponents = Opponents::of(&*open_game("tictactoe").unwrap());
        assert_eq!(opponents.usual, "level:strength=5,agent=champion");
        assert_eq!(described(&opponents.usual), "the champion at level 5 of 10");
        assert_eq!(
            opponents.offer(),
            "--against takes level:strength=2,agent=champion (weaker), champion (stronger), \
             perfect (never errs)."
        );
    }

    #[test]
    fn search_plays_where_there_is_no_champion() {
        let opponents = Opponents::of(&*open_game("hex:size=4").unwrap());
        assert_eq!(opponents.usual, "level:strength=5,agent=mcts");
        assert!(opponents.offer().ends_with("mcts (stronger)."), "{}", opponents.offer());
    }
}
