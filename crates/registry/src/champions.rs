//! Champions: trained values that ship inside the program.
//!
//! Each is a compact file of learned values with a card beside it, in the folder `champions` of this
//! crate. The agent `champion` plays by the one of its game; `champion` also stands for its file
//! wherever the file of a learned value is named, as in `mcts:value=champion`.

mod card;

pub use card::{CardResult, ChampionCard, SameMoves};

use crate::value_file::unpack;
use crate::{CompactOptions, ValueFile, open_game, pack, stored_config};
use ludens_core::{Invalid, Params, TrainableGame, playthrough};
use std::path::Path;
use std::sync::LazyLock;

/// The name of the agent, and of its file of learned values.
pub const CHAMPION: &str = "champion";

/// A trained value inside the program, and what is known about it.
pub struct Champion {
    /// What its files are called.
    pub name: &'static str,
    /// How it was trained and what it scores.
    pub card: ChampionCard,
    /// Its compact file.
    pub bytes: &'static [u8],
}

/// The name of a champion, its card and its compact file.
type Embedded = (&'static str, &'static str, &'static [u8]);

/// Embeds the files of a champion.
macro_rules! embed {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../champions/", $name, ".toml")),
            include_bytes!(concat!("../champions/", $name, ".champion")),
        )
    };
}

/// Every champion. A new one adds its line here, in alphabetical order.
const EMBEDDED: &[Embedded] = &[
    embed!("2048"),
    embed!("connect4"),
    embed!("hex"),
    embed!("nim"),
    embed!("nim3p"),
    embed!("nimm3"),
    embed!("othello"),
    embed!("tictactoe"),
];

static CHAMPIONS: LazyLock<Vec<Champion>> = LazyLock::new(|| {
    let read = |&(name, card, bytes): &Embedded| {
        let card = ChampionCard::parse(card).expect("a test reads every card");
        Champion { name, card, bytes }
    };
    EMBEDDED.iter().map(read).collect()
});

/// Every champion.
pub fn champions() -> &'static [Champion] {
    &CHAMPIONS
}

/// The champion of the game that `spec` opens, if it has one.
pub fn find_champion(spec: &str) -> Option<&'static Champion> {
    let canonical = open_game(spec).ok()?.info().spec.clone();
    champions().iter().find(|champion| champion.card.game == canonical)
}

/// The champion of `game`.
///
/// # Errors
///
/// If there is none for these rules.
pub(crate) fn champion_of<G: TrainableGame>(game: &G) -> Result<&'static Champion, Invalid> {
    champions().iter().find(|champion| has_rules(game, &champion.card.game)).ok_or_else(|| {
        let known: Vec<&str> = champions().iter().map(|c| &c.card.game[..]).collect();
        let title = game.title();
        Invalid(format!("{title} has no champion; games with one: {}", known.join(", ")))
    })
}

/// Whether `spec` opens a game with these rules: the same random game has the same text.
fn has_rules<G: TrainableGame>(game: &G, spec: &str) -> bool {
    let named: Option<Params> = spec.parse().ok().filter(|p: &Params| p.name == G::NAME);
    let chosen = named.and_then(|params| params.check(G::SETTINGS).ok());
    let other = chosen.and_then(|chosen| G::configure(&chosen).ok());
    other.is_some_and(|other| {
        let shape = |game: &G| (game.num_players(), game.num_moves(), game.layout());
        shape(&other) == shape(game) && playthrough(&other, 1) == playthrough(game, 1)
    })
}

impl Champion {
    /// Its learned values.
    ///
    /// # Errors
    ///
    /// If the file is damaged.
    pub fn value_file(&self) -> Result<ValueFile, Invalid> {
        ValueFile::unpack(CHAMPION, self.bytes)
    }

    /// Its learned values as a file, as training writes it.
    ///
    /// # Errors
    ///
    /// If the file is damaged.
    pub fn unpacked(&self) -> Result<Vec<u8>, Invalid> {
        unpack(self.bytes).map_err(|e| e.about(CHAMPION))
    }

    /// The checksum of its file (CRC-32), as the card writes it.
    pub fn checksum(&self) -> String {
        checksum(self.bytes)
    }
}

/// The checksum of a file (CRC-32) in eight digits of base sixteen.
pub fn checksum(bytes: &[u8]) -> String {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    format!("{:08x}", crc.sum())
}

/// Packs the learned value in a file for shipping: what play needs, and nothing else.
///
/// # Errors
///
/// If the file cannot be read or its settings no longer make a value.
pub fn pack_champion(path: &Path, options: CompactOptions) -> Result<Vec<u8>, Invalid> {
    let mut file = ValueFile::open(path)?;
    let config = stored_config(&file)?;
    if config.value.starts_at_zero() {
        return pack(&mut file, options, None);
    }
    // Weights as they were before training were never used.
    let game = open_game(file.text("game")?)?;
    let mut fresh = game.train(&config, file.number("seed")?)?;
    pack(&mut file, options, Some(&fresh.weights()))
}
