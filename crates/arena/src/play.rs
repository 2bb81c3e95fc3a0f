//! One game between one agent per player.

use crate::Opening;
use ludens_core::{
    Agent, Cancellation, Forfeit, Forfeited, Game, MAX_PLAYERS, Notation, Played, Player, Record,
    Rewards, Rng, Turn,
};

/// Turns after which a game is cut off: far more than any game of ours lasts.
pub const TURN_LIMIT: usize = 1_000_000;

/// The random streams of one game.
///
/// Chance and every player have separate streams, so that the draws of one agent do not affect the
/// others.
#[derive(Clone, Debug)]
pub struct GameSeeds {
    chance: Rng,
    agents: [Rng; MAX_PLAYERS],
}

impl GameSeeds {
    /// The random streams of game number `game`. Games of the same `round` get the same chance
    /// events as long as they have the same moves.
    pub fn of(seed: u64, round: u64, game: u64) -> GameSeeds {
        let mut own = Rng::derived(seed, "game", game);
        let agents = std::array::from_fn(|_| Rng::seeded(own.bits()));
        GameSeeds { chance: Rng::derived(seed, "chance", round), agents }
    }
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedGame<S> {
    /// The start.
    pub start: S,
    /// Every move and event, those of the opening included.
    pub played: Vec<Played>,
    /// The final state.
    pub end: S,
    /// The total reward of each player.
    pub rewards: Rewards,
    /// The player who forfeited, and the reason.
    pub forfeit: Option<(Player, Forfeit)>,
    /// Whether the game was cut off at [`TURN_LIMIT`] or [cancelled](Cancellation); the rewards are
    /// those gained so far.
    pub cut: bool,
}

/// Plays one game from an opening, with one agent per player in turn order.
///
/// An agent that forfeits, or answers with an illegal move, ends the game. Of two players it then
/// gains -1 and the other 1, of more it gains -1 and the others nothing, whatever had been gained
/// before: no result of our games is worse. A single player keeps what it had gained.
///
/// # Panics
///
/// If there are not as many agents as players.
pub fn play<G: Game>(
    game: &G,
    opening: &Opening<G::State>,
    agents: &mut [Box<dyn Agent<G>>],
    mut seeds: GameSeeds,
) -> FinishedGame<G::State> {
    assert_eq!(agents.len(), game.num_players(), "every player needs one agent");
    let start = opening.start.clone();
    let (end, played) = (start.clone(), Vec::new());
    let rewards = Rewards::NONE;
    let mut now = FinishedGame { start, played, end, rewards, forfeit: None, cut: false };
    agents.iter_mut().for_each(|agent| agent.begin(game, &now.start));
    for &what in &opening.played {
        now.advance(game, agents, what);
    }
    let mut legal = Vec::new();
    for _ in (0..TURN_LIMIT).take_while(|_| !Cancellation::requested()) {
        let what = match game.turn(&now.end) {
            Turn::Over => return now,
            Turn::Chance => Played::Event(game.draw(&now.end, &mut seeds.chance)),
            Turn::Player(player) => {
                legal.clear();
                game.legal_moves(&now.end, &mut legal);
                let rng = &mut seeds.agents[player.index()];
                let choice = agents[player.index()].choose(game, &now.end, rng);
                match choice {
                    Ok(choice) if legal.contains(&choice.mv) => Played::Move(choice.mv),
                    Ok(choice) => {
                        let reason = format!("chose {:?}, which is illegal", choice.mv);
                        return now.forfeited(player, Forfeit(reason), agents.len());
                    }
                    Err(forfeit) => return now.forfeited(player, forfeit, agents.len()),
                }
            }
        };
        now.advance(game, agents, what);
    }
    now.cut = game.turn(&now.end) != Turn::Over;
    now
}

impl<S: Clone + PartialEq> FinishedGame<S> {
    fn advance<G: Game<State = S>>(
        &mut self,
        game: &G,
        agents: &mut [Box<dyn Agent<G>>],
        what: Played,
    ) {
        agents.iter_mut().for_each(|agent| agent.watch(game, &self.end, what));
        self.rewards += match what {
            Played::Move(mv) => game.play(&mut self.end, mv),
            Played::Event(event) => game.resolve(&mut self.end, event),
        };
        self.played.push(what);
    }

    fn forfeited(mut self, player: Player, reason: Forfeit, players: usize) -> FinishedGame<S> {
        self.rewards = match players {
            1 => self.rewards,
            2 => Rewards::win(player.other()),
            _ => Rewards::only(player, -1.0),
        };
        self.forfeit = Some((player, reason));
        self
    }

    /// The record of the game. `names` are the agents in turn order; `spec` is the text that opens
    /// the game.
    pub fn record<G: Notation<State = S>>(&self, game: &G, spec: &str, names: &[String]) -> Record {
        let (mut state, mut texts) = (self.start.clone(), Vec::with_capacity(self.played.len()));
        for &what in &self.played {
            match what {
                Played::Move(mv) => {
                    texts.push(game.move_text(&state, mv));
                    game.play(&mut state, mv);
                }
                Played::Event(event) => {
                    texts.push(format!("({})", game.event_text(&state, event)));
                    game.resolve(&mut state, event);
                }
            }
        }
        let usual = self.start == game.start();
        Record {
            game: spec.into(),
            players: names.to_vec(),
            start: (!usual).then(|| game.state_text(&self.start)),
            played: texts,
            rewards: self.rewards.first(game.num_players()).to_vec(),
            forfeit: self.forfeit.as_ref().map(|(player, reason)| Forfeited {
                player: player.0 + 1,
                reason: reason.0.clone(),
            }),
            seed: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::{Choice, Move, RandomAgent};
    use ludens_games::TicTacToe;
    use std::sync::{Arc, Mutex};

    fn random() -> Box<dyn Agent<TicTacToe>> {
        Box::new(RandomAgent::default())
    }

    fn from_start(agents: &mut [Box<dyn Agent<TicTacToe>>], seed: u64) -> FinishedTicTacToe {
        play(&TicTacToe, &Opening::start(&TicTacToe), agents, GameSeeds::of(seed, 0, 0))
    }

    type FinishedTicTacToe = FinishedGame<<TicTacToe as Game>::State>;

    /// Plays the lowest legal move and records all notifications.
    struct RecordingAgent(Arc<Mutex<Vec<String>>>);

    impl Agent<TicTacToe> for RecordingAgent {
        fn choose(
            &mut self,
            game: &TicTacToe,
            state: &<TicTacToe as Game>::State,
            _rng: &mut Rng,
        ) -> Result<Choice, Forfeit> {
            let mut legal = Vec::new();
            game.legal_moves(state, &mut legal);
            Ok(Choice::plain(legal[0]))
        }

        fn begin(&mut self, game: &TicTacToe, state: &<TicTacToe as Game>::State) {
            self.0.lock().unwrap().push(game.state_text(state));
        }

        fn watch(&mut self, game: &TicTacToe, before: &<TicTacToe as Game>::State, played: Played) {
            let Played::Move(mv) = played else { unreachable!("no chance in this game") };
            self.0.lock().unwrap().push(game.move_text(before, mv));
        }
    }

    /// Answers every question in the same way.
    struct Stubborn(Result<Choice, Forfeit>);

    impl<G: Game> Agent<G> for Stubborn {
        fn choose(&mut self, _: &G, _: &G::State, _: &mut Rng) -> Result<Choice, Forfeit> {
            self.0.clone()
        }
    }

    #[test]
    fn the_same_luck_gives_the_same_game() {
        let game = |seed| from_start(&mut [random(), random()], seed);
        assert_eq!(game(7), game(7));
        assert_ne!(game(7).played, game(8).played);
    }

    #[test]
    fn agents_are_told_the_start_and_every_move_the_opening_included() {
        let log = Arc::new(Mutex::new(Vec::new()));
        let mut opening = Opening::start(&TicTacToe);
        opening.played.push(Played::Move(Move(4)));
        let agents: &mut [Box<dyn Agent<_>>] =
            &mut [random(), Box::new(RecordingAgent(log.clone()))];
        let game = play(&TicTacToe, &opening, agents, GameSeeds::of(1, 0, 0));
        let recorded = log.lock().unwrap();
        assert_eq!(recorded[..3], [".../.../...", "b2", "a1"]);
        assert_eq!(recorded.len(), 1 + game.played.len());
    }

    #[test]
    fn who_forfeits_loses() {
        let give_up = Stubborn(Err(Forfeit("tired".into())));
        let game = from_start(&mut [random(), Box::new(give_up)], 1);
        assert_eq!(game.rewards.first(2), [1.0, -1.0]);
        assert_eq!(game.forfeit, Some((Player(1), Forfeit("tired".into()))));
        assert_eq!(game.played.len(), 1);
    }

    #[test]
    fn an_illegal_move_is_a_forfeit() {
        let insist = || -> Box<dyn Agent<_>> { Box::new(Stubborn(Ok(Choice::plain(Move(4))))) };
        let game = from_start(&mut [insist(), insist()], 1);
        assert_eq!(game.rewards.first(2), [1.0, -1.0]);
        let (player, reason) = game.forfeit.unwrap();
        assert_eq!((player, reason.0.as_str()), (Player(1), "chose Move(4), which is illegal"));
    }

    #[test]
    fn a_record_replays_to_the_same_end() {
        for seed in 0..20 {
            let game = from_start(&mut [random(), random()], seed);
            let record = game.record(&TicTacToe, "tictactoe", &["a".into(), "b".into()]);
            let again = record.replay(&TicTacToe).unwrap();
            assert_eq!((again.end, again.rewards), (game.end, game.rewards));
            assert_eq!(again.played, game.played);
        }
    }

    #[test]
    fn records_that_break_the_rules_are_refused() {
        let game = from_start(&mut [random(), random()], 3);
        let good = game.record(&TicTacToe, "tictactoe", &["a".into(), "b".into()]);
        let message = |change: &dyn Fn(&mut Record)| {
            let mut record = good.clone();
            change(&mut record);
            record.replay(&TicTacToe).unwrap_err().to_string()
        };
        // In a larger hex, for one, the same moves may be legal.
        let other = message(&|r| r.game = "hex:size=3".into());
        assert!(other.starts_with("field game: this is a record of \"hex:size=3\""), "{other}");
        assert!(message(&|r| r.game = String::new()).starts_with("field game: "));
        let twice = message(&|r| r.played[1] = r.played[0].clone());
        assert!(twice.starts_with("field played[1]: "), "{twice}");
        assert!(message(&|r| r.rewards = vec![9.0, -9.0]).contains("gained"));
        assert!(message(&|r| r.rewards.push(0.0)).contains("expected 2, found 3"));
        assert!(message(&|r| r.start = Some("xx".into())).starts_with("field start: "));
        assert!(message(&|r| r.played.push("a1".into())).contains("after the end"));
    }
}
