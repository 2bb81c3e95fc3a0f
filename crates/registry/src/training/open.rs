//! Learned values in files, for agents.

use super::store::{fill, plain_value};
use super::stored_config;
use crate::ValueFile;
use crate::champions::{CHAMPION, champion_of};
use crate::path_text::text_path;
use ludens_core::{Game, Invalid, Move, Params, Rewards, TrainableGame, ValueFunction};
use ludens_learn::{Config, Value};
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, Weak};
use std::time::SystemTime;

/// A learned value and the configuration it was trained with.
pub(crate) struct OpenValue<G: Game> {
    /// The value.
    pub(crate) value: Value<G>,
    /// The configuration.
    pub(crate) config: Config,
}

/// Opens the learned value in a file, for agents that play `game`.
///
/// Agents that play by the same file at the same time share its weights.
///
/// # Errors
///
/// If the file cannot be read, is damaged, or was learned in another game.
pub(crate) fn open_value<G: TrainableGame>(
    game: &G,
    path: &str,
) -> Result<Box<dyn ValueFunction<G>>, Invalid> {
    let all = open_shared(game, path)?;
    Ok(Box::new(SharedValue { value: all.value.fork(), _all: all }))
}

/// The same with its configuration, as all who play by it share it.
pub(crate) fn open_shared<G: TrainableGame>(
    game: &G,
    path: &str,
) -> Result<Arc<OpenValue<G>>, Invalid> {
    if path == CHAMPION {
        return open_champion(game);
    }
    let mut file = ValueFile::open(text_path(path))?;
    let spec = file.text("game").map_err(|e| e.about(path))?.to_owned();
    if !is_same_game(game, &spec) {
        return Err(Invalid(format!("{path} was learned in {spec}, which is not the game here")));
    }
    let mut read = || read(game, &mut file).map_err(|e| e.about(path));
    match key_of::<G>(path, spec) {
        Some(key) => find_or_open(key, read),
        None => Ok(Arc::new(read()?)),
    }
}

fn open_champion<G: TrainableGame>(game: &G) -> Result<Arc<OpenValue<G>>, Invalid> {
    let champion = champion_of(game)?;
    let key = FileKey {
        game: TypeId::of::<G>(),
        spec: champion.card.game.clone(),
        path: CHAMPION.into(),
        length: champion.bytes.len() as u64,
        written: None,
    };
    find_or_open(key, || read(game, &mut champion.value_file()?))
}

fn find_or_open<G: Game>(
    key: FileKey,
    read: impl FnOnce() -> Result<OpenValue<G>, Invalid>,
) -> Result<Arc<OpenValue<G>>, Invalid> {
    if let Some(open) = find(&key) {
        return Ok(open);
    }
    let open = Arc::new(read()?);
    keep(key, &open);
    Ok(open)
}

fn read<G: TrainableGame>(game: &G, file: &mut ValueFile) -> Result<OpenValue<G>, Invalid> {
    let config = stored_config(file)?;
    // A file cannot ask for more memory than it fills.
    let weights = file.shape("weights").unwrap_or_default().iter().product::<usize>() as u64;
    let mut value = plain_value(game, &config, file.number("seed")?, weights)?;
    fill(game, &mut value, file)?;
    Ok(OpenValue { value, config })
}

/// Whether `spec` opens a game with the same board, moves and players.
fn is_same_game<G: TrainableGame>(game: &G, spec: &str) -> bool {
    let parsed: Option<Params> = spec.parse().ok().filter(|p: &Params| p.name == G::NAME);
    let chosen = parsed.and_then(|params| params.check(G::SETTINGS).ok());
    let other = chosen.and_then(|chosen| G::configure(&chosen).ok());
    other.is_some_and(|other| {
        let shape = |game: &G| (game.num_players(), game.num_moves(), game.layout());
        shape(&other) == shape(game)
    })
}

/// A value that knows the weights it shares with others.
struct SharedValue<G: Game> {
    value: Value<G>,
    /// Keeps the shared weights alive while they are in use.
    _all: Arc<OpenValue<G>>,
}

impl<G: TrainableGame> ValueFunction<G> for SharedValue<G> {
    fn values(&mut self, game: &G, state: &G::State) -> Rewards {
        self.value.values(game, state)
    }

    fn move_values(&mut self, game: &G, state: &G::State, legal: &[Move], out: &mut Vec<f32>) {
        self.value.move_values(game, state, legal, out);
    }
}

/// A file as it was at some time, for one game.
#[derive(Clone, PartialEq, Eq, Hash)]
struct FileKey {
    game: TypeId,
    spec: String,
    path: PathBuf,
    length: u64,
    written: Option<SystemTime>,
}

/// The values that are currently in use.
static OPEN: Mutex<Option<HashMap<FileKey, Weak<dyn Any + Send + Sync>>>> = Mutex::new(None);

fn key_of<G: 'static>(path: &str, spec: String) -> Option<FileKey> {
    let path = std::fs::canonicalize(text_path(path)).ok()?;
    let about = std::fs::metadata(&path).ok()?;
    let (length, written) = (about.len(), about.modified().ok());
    Some(FileKey { game: TypeId::of::<G>(), spec, path, length, written })
}

fn find<G: Game>(key: &FileKey) -> Option<Arc<OpenValue<G>>> {
    let open = OPEN.lock().expect("nobody panics while looking");
    open.as_ref()?.get(key)?.upgrade()?.downcast().ok()
}

fn keep<G: Game>(key: FileKey, value: &Arc<OpenValue<G>>) {
    let mut open = OPEN.lock().expect("nobody panics while looking");
    let open = open.get_or_insert_default();
    open.retain(|_, value| value.strong_count() > 0);
    let value: Weak<OpenValue<G>> = Arc::downgrade(value);
    open.insert(key, value);
}
