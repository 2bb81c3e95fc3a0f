//! `ludens champions`: the trained values that ship with Ludens.

use crate::console::Console;
use crate::failure::Failure;
use crate::game_arg;
use crate::text_table::TextTable;
use crate::words::{bytes, rough_time};
use ludens_registry::{Champion, ChampionCard, champions, find_champion};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Lists the champions, the trained players that ship with Ludens, or shows the card of one.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens champions
  ludens champions connect4
  ludens champions connect4 --export connect4.safetensors
  ludens champions --json

A champion is the agent `champion` of its game: `ludens play connect4 --against champion`. Searching
agents use its value with value=champion, such as mcts:value=champion.")]
pub(crate) struct ChampionsArgs {
    /// Show the card of this game's champion
    #[arg(value_name = "GAME")]
    game: Option<String>,

    /// Write its learned values to this file, as training would
    #[arg(long, value_name = "FILE", requires = "game", conflicts_with = "json")]
    export: Option<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ChampionList {
    champions: Vec<&'static ChampionCard>,
}

impl ChampionsArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let chosen = self.game.as_deref().map(find).transpose()?;
        match (chosen, self.export, self.json) {
            (Some(champion), Some(path), _) => export(champion, &path, out),
            (Some(champion), None, true) => out.json(&champion.card),
            (Some(champion), None, false) => print(champion, out),
            (None, _, true) => {
                let champions = champions().iter().map(|champion| &champion.card).collect();
                out.json(&ChampionList { champions })
            }
            (None, _, false) => list(out),
        }
    }
}

fn find(text: &str) -> Result<&'static Champion, Failure> {
    let spec = game_arg::open(text)?.info().spec.clone();
    find_champion(&spec).ok_or_else(|| {
        let known: Vec<&str> = champions().iter().map(|c| &c.card.game[..]).collect();
        let what = format!("{spec} has no champion; games with one: {}", known.join(", "));
        Failure::impossible(what).with_hint(format!("`ludens train {spec}` trains a player"))
    })
}

fn list(out: &mut Console) -> Result<(), Failure> {
    let mut table = TextTable::new(&["game", ">size", ">training", "result"]);
    for Champion { card, .. } in champions() {
        table.row(vec![
            card.game.clone(),
            bytes(card.bytes),
            rough_time(card.cpu_seconds),
            card.results.first().map_or("-".into(), |result| result.text.clone()),
        ]);
    }
    table.write(out)
}

fn print(champion: &Champion, out: &mut Console) -> Result<(), Failure> {
    let card = &champion.card;
    writeln!(out, "{}", out.bold(&format!("champion of {}", card.game)))?;
    writeln!(out, "{}\n", card.about)?;
    writeln!(out, "trained by   {}", card.train)?;
    let time = rough_time(card.cpu_seconds);
    writeln!(out, "training     {} games, seed {}, {time} CPU time", card.episodes, card.seed)?;
    let size = bytes(card.bytes);
    writeln!(out, "file         {size}, {} weights of {} bits", card.weights, card.bits)?;
    writeln!(out, "checksum     {} (CRC-32)", card.checksum)?;
    let same = card.same_moves;
    writeln!(
        out,
        "same moves   as with 32 bits in {} of {} positions",
        same.positions - same.different,
        same.positions
    )?;
    for result in &card.results {
        writeln!(out, "\n{}", result.text)?;
        writeln!(out, "  {}", card.measure_command(result))?;
    }
    Ok(())
}

fn export(champion: &Champion, path: &std::path::Path, out: &mut Console) -> Result<(), Failure> {
    let value = champion.unpacked()?;
    let written = ludens_registry::replace_file(path, |file| file.write_all(&value));
    written.map_err(|e| Failure::failed(format_args!("{}: {e}", path.display())))?;
    let game = &champion.card.game;
    Ok(writeln!(out, "{}: the champion of {game}, {}", path.display(), bytes(value.len() as u64))?)
}
