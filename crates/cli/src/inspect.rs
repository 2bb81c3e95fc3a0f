//! `ludens inspect`: what a learned value thinks, and what it consists of.

use crate::console::Console;
use crate::failure::Failure;
use crate::position_args::PositionArgs;
use crate::text_table::TextTable;
use crate::value_arg::{ValueArg, greedy};
use ludens_core::scene::{INK, Piece};
use ludens_core::{Move, Scene, Turn};
use ludens_lab::{WeightDistribution, WeightReport, inspect_weights};
use ludens_registry::{AnyGame, LiveGame, ValueFile, stored_config};
use serde::Serialize;
use std::io::Write;

/// Shows how a learned value rates every move, and its weights.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens inspect runs/tictactoe-default-1
  ludens inspect runs/connect4-default-1 --moves \"4 4 4\"
  ludens inspect runs/tictactoe-default-1/value.safetensors --state x.o/.x./... --json")]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    value: ValueArg,

    #[command(flatten)]
    position: PositionArgs,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct InspectReport {
    file: String,
    game: String,
    episode: u64,
    seed: u64,
    state: String,
    /// The player to move, counted from one; `None` if the game is over.
    player: Option<u8>,
    /// The value of each legal move for the player to move.
    moves: Vec<RatedMove>,
    weights: WeightReport,
}

#[derive(Serialize)]
struct RatedMove {
    #[serde(skip)]
    id: Move,
    text: String,
    value: f32,
    best: bool,
}

impl InspectArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        let (mut file, game) = self.value.open()?;
        let mut live = self.position.open(&*game, 1)?;
        let report = report(&mut file, &*game, &mut *live)?;
        if self.json { out.json(&report) } else { print(&report, &file, &*live, out) }
    }
}

fn report(
    file: &mut ValueFile,
    game: &dyn AnyGame,
    live: &mut dyn LiveGame,
) -> Result<InspectReport, Failure> {
    let player = match live.turn() {
        Turn::Player(player) => Some(player),
        Turn::Chance | Turn::Over => None,
    };
    let mut values = Vec::new();
    if let Some(player) = player {
        live.seat(player, &greedy(file))?;
        values = live.move_values().unwrap_or_default();
    }
    let best = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let rated = |((id, text), value): ((Move, String), f32)| RatedMove {
        id,
        text,
        value,
        best: value == best,
    };
    Ok(InspectReport {
        file: file.path().display().to_string(),
        game: game.info().spec.clone(),
        episode: file.number("episode")?,
        seed: file.number("seed")?,
        state: live.state_text(),
        player: player.map(|player| player.0 + 1),
        moves: live.legal().into_iter().zip(values).map(rated).collect(),
        weights: inspect_weights(file)?,
    })
}

fn print(
    report: &InspectReport,
    file: &ValueFile,
    live: &dyn LiveGame,
    out: &mut Console,
) -> Result<(), Failure> {
    let InspectReport { game, episode, seed, .. } = report;
    let algorithm = stored_config(file)?.learner.algorithm.name();
    writeln!(out, "{}  {algorithm}, {episode} episodes, seed {seed}", out.bold(game))?;
    print_weights(&report.weights, out)?;
    out.draw(&on_board(live.scene(), &report.moves))?;
    writeln!(out, "state  {}", report.state)?;
    let Some(player) = report.player else {
        writeln!(out, "the game is over")?;
        return Ok(());
    };
    writeln!(out, "player {player} to move, and what each move is worth to them:\n")?;
    let mut table = TextTable::new(&["move", ">value", "best"]);
    for rated in &report.moves {
        let best = if rated.best { "*" } else { "" };
        table.row(vec![rated.text.clone(), format!("{:+.4}", rated.value), best.into()]);
    }
    table.write(out)
}

/// The scene with the value of each move where it would be played.
fn on_board(mut scene: Scene, moves: &[RatedMove]) -> Scene {
    for rated in moves {
        let free = |cell: &&mut ludens_core::scene::SceneCell| {
            cell.mv == Some(rated.id) && matches!(cell.piece, Piece::Empty(_))
        };
        // If several cells select the same move, the piece falls to the lowest.
        let lowest = scene.cells.iter_mut().filter(free).max_by(|a, b| a.y.total_cmp(&b.y));
        if let Some(cell) = lowest {
            cell.piece = Piece::Text(INK, format!("{:+.2}", rated.value));
        }
    }
    scene
}

fn print_weights(report: &WeightReport, out: &mut Console) -> Result<(), Failure> {
    let WeightReport { count, banks, touched, .. } = report;
    let touched = touched.map_or(String::new(), |touched| {
        let percent = 100.0 * touched as f64 / (*count).max(1) as f64;
        format!(", {touched} touched ({percent:.1} %)")
    });
    writeln!(out, "weights    {count} in {banks} weight sets{touched}")?;
    print_distribution("spread", &report.spread, out)?;
    if let Some(coherence) = &report.coherence {
        print_distribution("coherence", coherence, out)?;
    }
    let largest = report.largest.iter();
    let largest = largest.map(|l| format!("{:+.3} (weight set {}, {})", l.weight, l.bank, l.index));
    writeln!(out, "largest    {}", largest.collect::<Vec<_>>().join(", "))?;
    Ok(())
}

fn print_distribution(
    name: &str,
    spread: &WeightDistribution,
    out: &mut Console,
) -> Result<(), Failure> {
    let WeightDistribution { least, most, mean, deviation, quartiles: [low, middle, high], .. } =
        spread;
    writeln!(
        out,
        "{name:10} {least:.3} to {most:.3}, mean {mean:.4}, deviation {deviation:.4}, \
         quartiles {low:.4} {middle:.4} {high:.4}"
    )?;
    Ok(())
}
