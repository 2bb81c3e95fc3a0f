//! Packs a learned value as a champion, and counts how often it then plays differently.

use crate::number;
use ludens_core::{Move, Rng};
use ludens_registry::{
    AnyValue, Batch, CompactOptions, ValueFile, checksum, open_game, pack_champion,
};
use serde_json::json;
use std::path::Path;

/// Games played at the same time to meet positions.
const GAMES: usize = 100;

/// Positions to compare, at least.
const POSITIONS: u64 = 20_000;

/// Moves whose values differ by less are equally good: one part in a thousand of a win, or of the
/// value of the best move where games are played for points.
const EQUAL: f32 = 0.001;

/// One of this many moves is random, so that games differ.
const RANDOM: usize = 5;

/// Packs the value in `from` into `to` and prints what the card must know.
pub(super) fn pack(from: &str, to: &str, bits: &str) -> Result<(), String> {
    let bits = u32::try_from(number(bits)?).map_err(|e| e.to_string())?;
    let packed = pack_champion(Path::new(from), CompactOptions { bits });
    let packed = packed.map_err(|e| e.to_string())?;
    std::fs::write(to, &packed).map_err(|e| format!("{to}: {e}"))?;
    let file = ValueFile::open(to).map_err(|e| e.to_string())?;
    let spec = file.text("game").map_err(|e| e.to_string())?;
    let weights: usize = file.shape("weights").unwrap_or_default().iter().product();
    let (positions, different) = compare(spec, from, to)?;
    let facts = json!({
        "game": spec,
        "weights": weights,
        "bytes": packed.len(),
        "checksum": checksum(&packed),
        "positions": positions,
        "different": different,
    });
    println!("{facts}");
    Ok(())
}

/// In how many positions, met by play with one value, the other chooses a worse move.
fn compare(spec: &str, from: &str, to: &str) -> Result<(u64, u64), String> {
    let text = |e: ludens_core::Invalid| e.to_string();
    let game = open_game(spec).map_err(text)?;
    let size = game.info().moves;
    let (mut full, mut packed) = (game.value(from).map_err(text)?, game.value(to).map_err(text)?);
    let (mut positions, mut different, mut seed) = (0, 0, 0);
    while positions < POSITIONS {
        seed += 1;
        let rng = &mut Rng::seeded(seed);
        let mut batch = game.batch(seed);
        batch.add_starts(GAMES);
        loop {
            let [ours, theirs] = [&mut full, &mut packed].map(|v| values(&mut **v, &*batch, size));
            let (mut moves, mut open) = (Vec::new(), false);
            for (ours, theirs) in ours?.chunks(size).zip(theirs?.chunks(size)) {
                let Some(best) = best(ours) else {
                    moves.push(Move(0));
                    continue;
                };
                open = true;
                positions += 1;
                let other = self::best(theirs).unwrap_or(best);
                let equal = EQUAL * ours[best].abs().max(1.0);
                different += u64::from(ours[best] - ours[other] > equal);
                moves.push(Move(chosen(ours, best, rng) as u32));
            }
            if !open {
                break;
            }
            batch.play(&moves).map_err(text)?;
        }
    }
    Ok((positions, different))
}

fn values(value: &mut dyn AnyValue, batch: &dyn Batch, size: usize) -> Result<Vec<f32>, String> {
    let mut values = vec![0.0; batch.len() * size];
    value.move_values(batch, &mut values).map_err(|e| e.to_string())?;
    Ok(values)
}

/// The first of the best legal moves, if any is legal.
fn best(values: &[f32]) -> Option<usize> {
    let legal = values.iter().enumerate().filter(|(_, value)| !value.is_nan());
    legal.rev().max_by(|a, b| a.1.total_cmp(b.1)).map(|(mv, _)| mv)
}

/// The best move, or now and then any legal one.
fn chosen(values: &[f32], best: usize, rng: &mut Rng) -> usize {
    if rng.below(RANDOM) > 0 {
        return best;
    }
    let legal: Vec<usize> = (0..values.len()).filter(|&mv| !values[mv].is_nan()).collect();
    legal[rng.below(legal.len())]
}
