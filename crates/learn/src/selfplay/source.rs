//! Where training games come from.

use crate::Policy;
use crate::config::{SourceConfig, SourceName};
use crate::selfplay::{Seat, Transcript};
use ludens_core::{
    Agent, Invalid, MAX_PLAYERS, Notation, Played, Player, RandomAgent, Replay, Rng, Turn,
    read_records,
};
use std::fs::File;
use std::io::BufReader;

/// Opens the agent that a text names.
pub type OpenAgent<'a, G> = &'a dyn Fn(&str) -> Result<Box<dyn Agent<G>>, Invalid>;

/// Where games come from, and how often.
pub struct Source<G: Notation> {
    /// How often, compared with the other sources.
    pub weight: f32,
    kind: SourceKind<G>,
}

enum SourceKind<G: Notation> {
    /// The learner plays all players.
    SelfPlay,
    /// Another agent plays one player; if none is named, each in turn.
    Opponent { name: String, agent: Box<dyn Agent<G>>, player: Option<Player> },
    /// All moves are random.
    Random,
    /// The learner itself, searching deeper, plays one player, each in turn.
    LookaheadSelf { policy: Policy },
    /// Games that were played before; with `plies`, only their beginnings.
    Records { games: Vec<Replay<G::State>>, plies: Option<usize> },
}

/// What a source offers for one episode.
pub(crate) enum Offer<'a, G: Notation> {
    /// A recorded game, to be learned as it is.
    Recorded(Transcript<G::State>),
    /// A game to be played, perhaps from a state of the source's.
    Play {
        /// Who decides for each player.
        seats: [Seat<'a, G>; MAX_PLAYERS],
        /// Where to begin, if not where the run begins.
        start: Option<G::State>,
    },
}

impl<G: Notation> Source<G> {
    /// The source that `config` describes; a deeper self looks `depth` moves ahead.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or an agent cannot be opened.
    pub fn new(
        game: &G,
        config: &SourceConfig,
        depth: u32,
        open: OpenAgent<'_, G>,
    ) -> Result<Source<G>, Invalid> {
        check_keys(config)?;
        let kind = match config.from {
            SourceName::SelfPlay => SourceKind::SelfPlay,
            SourceName::Random => SourceKind::Random,
            SourceName::Twin => SourceKind::LookaheadSelf { policy: Policy::new(depth) },
            SourceName::Opponent => {
                let text = required(config.agent.as_deref(), "agent", "opponent")?;
                let player = config.player.map(|p| seat(game, p)).transpose()?;
                SourceKind::Opponent { name: text.into(), agent: open(text)?, player }
            }
            SourceName::Records => {
                let file = required(config.file.as_deref(), "file", "records")?;
                SourceKind::Records { games: read_games(game, file)?, plies: config.plies }
            }
        };
        Ok(Source { weight: config.weight, kind })
    }

    /// What this source has for `episode`. `random` holds agents for random play.
    pub(crate) fn offer<'a>(
        &'a mut self,
        game: &G,
        episode: u64,
        random: &'a mut [RandomAgent; MAX_PLAYERS],
        rng: &mut Rng,
    ) -> Offer<'a, G> {
        let in_turn = in_turn(game, episode);
        let mut seats: [Seat<'a, G>; MAX_PLAYERS] = std::array::from_fn(|_| Seat::Learner);
        let mut start = None;
        match &mut self.kind {
            SourceKind::SelfPlay => {}
            SourceKind::Random => {
                seats = random.each_mut().map(|agent| Seat::Agent(agent as &mut dyn Agent<G>));
            }
            SourceKind::Opponent { agent, player, .. } => {
                seats[player.unwrap_or(in_turn).index()] = Seat::Agent(&mut **agent);
            }
            SourceKind::LookaheadSelf { policy } => {
                seats[in_turn.index()] = Seat::LookaheadSelf(policy);
            }
            SourceKind::Records { games, plies } => {
                let record = &games[rng.below(games.len())];
                match plies {
                    None => return Offer::Recorded(transcript(record)),
                    Some(plies) => start = Some(beginning(game, record, *plies)),
                }
            }
        }
        Offer::Play { seats, start }
    }

    /// Who plays `player` in `episode`.
    pub(crate) fn who(&self, game: &G, episode: u64, player: Player) -> &str {
        let in_turn = in_turn(game, episode);
        match &self.kind {
            SourceKind::Random => "random",
            SourceKind::Opponent { name, player: seat, .. }
                if seat.unwrap_or(in_turn) == player =>
            {
                name
            }
            SourceKind::LookaheadSelf { .. } if in_turn == player => "twin",
            SourceKind::Records { plies: None, .. } => "recorded",
            _ => "learner",
        }
    }
}

/// The player whom another agent plays in `episode`, unless one is named.
fn in_turn<G: Notation>(game: &G, episode: u64) -> Player {
    Player((episode % game.num_players() as u64) as u8)
}

/// Draws one of the sources by weight; always with one draw.
pub(crate) fn pick<G: Notation>(sources: &[Source<G>], rng: &mut Rng) -> usize {
    let total: f32 = sources.iter().map(|s| s.weight).sum();
    let mut left = rng.unit() * total;
    let drawn = sources.iter().position(|s| {
        left -= s.weight;
        left < 0.0
    });
    drawn.unwrap_or(sources.len() - 1)
}

/// Refuses settings that would have no effect.
fn check_keys(config: &SourceConfig) -> Result<(), Invalid> {
    let SourceConfig { agent, player, file, plies, .. } = config;
    let keys = [
        ("agent", agent.is_some(), SourceName::Opponent, "opponent"),
        ("player", player.is_some(), SourceName::Opponent, "opponent"),
        ("file", file.is_some(), SourceName::Records, "records"),
        ("plies", plies.is_some(), SourceName::Records, "records"),
    ];
    match keys.iter().find(|(_, given, from, _)| *given && config.from != *from) {
        Some((key, _, _, from)) => {
            Err(Invalid(format!("games: {key} goes with games from {from:?} only")))
        }
        None => Ok(()),
    }
}

fn required<'a>(text: Option<&'a str>, key: &str, kind: &str) -> Result<&'a str, Invalid> {
    text.ok_or_else(|| Invalid(format!("games from {kind:?} need {key} = \"...\"")))
}

fn seat<G: Notation>(game: &G, number: u8) -> Result<Player, Invalid> {
    let players = game.num_players();
    match usize::from(number) {
        1.. if usize::from(number) <= players => Ok(Player(number - 1)),
        _ => Err(Invalid(format!("games.player is {number}; players are 1 to {players}"))),
    }
}

fn read_games<G: Notation>(game: &G, path: &str) -> Result<Vec<Replay<G::State>>, Invalid> {
    let file = File::open(path).map_err(|e| Invalid(format!("cannot read {path}: {e}")))?;
    let replay = |record: Result<ludens_core::Record, Invalid>| record?.replay(game);
    let games = read_records(BufReader::new(file)).map(replay).collect::<Result<Vec<_>, _>>();
    let games = games.map_err(|e| e.about(path))?;
    if games.is_empty() { Err(Invalid(format!("{path} holds no games"))) } else { Ok(games) }
}

fn transcript<S: Clone>(replay: &Replay<S>) -> Transcript<S> {
    let played = replay.played.iter().map(|&played| (played, false)).collect();
    Transcript { start: replay.start.clone(), played }
}

/// The state after the first `plies` moves of a game, or fewer if it would be over.
fn beginning<G: Notation>(game: &G, replay: &Replay<G::State>, plies: usize) -> G::State {
    let (mut state, mut good, mut left) = (replay.start.clone(), replay.start.clone(), plies);
    for &played in &replay.played {
        match played {
            Played::Move(_) if left == 0 => break,
            Played::Move(mv) => {
                game.play(&mut state, mv);
                left -= 1;
            }
            Played::Event(event) => {
                game.resolve(&mut state, event);
            }
        }
        if matches!(game.turn(&state), Turn::Player(_)) {
            good = state.clone();
        }
    }
    good
}
