//! Conversion between learned values and files.

use super::{Statistics, stored_config};
use crate::{Content, TensorData, ValueFile};
use ludens_core::{Invalid, Player, TrainableGame};
use ludens_learn::config::{Config, Init, StepRule};
use ludens_learn::{Encoder, Trainer, Value, build_value};

/// The tensor that holds the states of a table, one per line, each after its player.
const STATES: &str = "states";
/// The tensor that holds the statistics since they were last taken.
const STATISTICS: &str = "statistics";
/// The first version of files that keep the weights of packed boards as they lie in memory.
const MEMORY_LAYOUT_VERSION: u64 = 2;

/// The content of a checkpoint.
pub(super) fn content<'a, G: TrainableGame>(
    spec: &str,
    seed: u64,
    statistics: &Statistics,
    trainer: &'a mut Trainer<G>,
) -> Content<'a> {
    let mut content = Content::default();
    let config = toml::to_string(trainer.config()).expect("a configuration can be written");
    let texts = [
        ("game", spec.into()),
        ("config", config),
        ("seed", seed.to_string()),
        ("episode", trainer.episode().to_string()),
    ];
    content.about.extend(texts.map(|(key, text)| (key.into(), text)));
    if let Some(states) = states_text(trainer) {
        let states = states.into_bytes();
        content.tensors.insert(STATES.into(), (vec![states.len()], TensorData::Bytes(states)));
    }
    let numbers = statistics.to_numbers();
    let data = TensorData::ExactNumbers(numbers.clone());
    content.tensors.insert(STATISTICS.into(), (vec![numbers.len()], data));
    for tensor in trainer.value().network.tensors() {
        let data = TensorData::Changes { numbers: tensor.data.into(), start: tensor.start };
        content.tensors.insert(tensor.name.into(), (tensor.shape, data));
    }
    content
}

/// Puts what a file holds into a run at its beginning.
pub(super) fn load<G: TrainableGame>(
    spec: &str,
    seed: u64,
    trainer: &mut Trainer<G>,
    file: &mut ValueFile,
) -> Result<Statistics, Invalid> {
    let path = file.path().display().to_string();
    let about = |e: Invalid| e.about(&path);
    let wrong = |what: &str| about(Invalid(format!("it was learned with another {what}")));
    if file.text("game").map_err(about)? != spec {
        return Err(wrong("game"));
    }
    if file.number("seed").map_err(about)? != seed {
        return Err(wrong("seed"));
    }
    let stored = Config { episodes: trainer.config().episodes, ..stored_config(file)? };
    if stored != *trainer.config() {
        return Err(wrong("configuration"));
    }
    let episode = file.number("episode").map_err(about)?;
    let numbers = file.exact_numbers(STATISTICS)?;
    let statistics = Statistics::from_numbers(&numbers);
    let statistics = statistics.ok_or_else(|| about(Invalid("its statistics are odd".into())))?;
    let game = trainer.game().clone();
    fill(&game, trainer.value(), file)?;
    trainer.set_episode(episode).map_err(|e| Invalid(e.to_string()))?;
    Ok(statistics)
}

/// Reads weights and step-size memory into a value made for them.
pub(super) fn fill<G: TrainableGame>(
    game: &G,
    value: &mut Value<G>,
    file: &mut ValueFile,
) -> Result<(), Invalid> {
    if file.number("version")? < MEMORY_LAYOUT_VERSION && game.packing().is_some() {
        return Err(Invalid("an older version wrote it with another order of weights".into())
            .about(file.path().display()));
    }
    if let Encoder::States { .. } = value.encoder {
        let states = file.bytes(STATES)?;
        read_states(game, &mut value.encoder, &states)
            .map_err(|e| e.about(format_args!("{}: its states", file.path().display())))?;
        let weights = file.shape("weights").unwrap_or_default().iter().product::<usize>();
        let weight_sets = value.spec.num_weight_sets(game.num_players());
        value.network_mut().grow(weights / weight_sets);
    }
    for tensor in value.network_mut().tensors_mut() {
        file.read(tensor.name, &tensor.shape, tensor.data)?;
    }
    Ok(())
}

/// A value for playing only, with at most `most` weights and without step-size state.
pub(super) fn plain_value<G: TrainableGame>(
    game: &G,
    config: &Config,
    seed: u64,
    most: u64,
) -> Result<Value<G>, Invalid> {
    let mut config = Config { step: StepRule::Constant, ..config.clone() };
    // Weights that are about to be overwritten need not be drawn.
    config.value.set_init(Init::ZERO);
    build_value(game, &config, seed, most)
}

/// A copy of what a run has learned, for playing.
pub(super) fn copy<G: TrainableGame>(
    trainer: &mut Trainer<G>,
    seed: u64,
) -> Result<Value<G>, Invalid> {
    let (game, config) = (trainer.game().clone(), trainer.config().clone());
    let learned = trainer.value();
    let tensors = learned.network.tensors();
    let weights = tensors[0].data.len();
    let mut copy = plain_value(&game, &config, seed, weights as u64)?;
    copy.encoder = learned.encoder.clone();
    let weight_sets = copy.spec.num_weight_sets(game.num_players());
    let network = copy.network_mut();
    network.grow(weights / weight_sets);
    for to in network.tensors_mut() {
        let from = tensors.iter().find(|from| from.name == to.name);
        to.data.copy_from_slice(from.expect("networks of one kind have the same weights").data);
    }
    Ok(copy)
}

/// The states of a table in the order of their numbers; nothing from other values.
fn states_text<G: TrainableGame>(trainer: &mut Trainer<G>) -> Option<String> {
    let game = trainer.game().clone();
    let Encoder::States { rows } = &trainer.value().encoder else { return None };
    let mut states: Vec<_> = rows.iter().collect();
    states.sort_by_key(|(_, row)| **row);
    let line = |((state, pov), _): &(&(G::State, Player), &u32)| {
        format!("{}\t{}\n", pov.0, game.state_text(state))
    };
    Some(states.iter().map(line).collect())
}

fn read_states<G: TrainableGame>(
    game: &G,
    encoder: &mut Encoder<G>,
    bytes: &[u8],
) -> Result<(), Invalid> {
    let Encoder::States { rows } = encoder else { return Ok(()) };
    let text = std::str::from_utf8(bytes).map_err(|e| Invalid(e.to_string()))?;
    for (number, line) in text.lines().enumerate() {
        let about = |e: Invalid| e.about(format_args!("line {}", number + 1));
        let (pov, state) = line
            .split_once('\t')
            .and_then(|(pov, state)| Some((Player(pov.parse().ok()?), state)))
            .filter(|(pov, _)| pov.index() < game.num_players())
            .ok_or_else(|| about(Invalid(format!("{line:?} is no player and state"))))?;
        rows.insert((game.parse_state(state).map_err(about)?, pov), number as u32);
    }
    Ok(())
}
