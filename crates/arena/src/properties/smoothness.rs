//! Whether similar boards have similar values.

use super::Property;
use crate::contest::Contestant;
use crate::statistics::Estimate;
use crate::{Workload, in_parallel};
use ludens_core::{Agent, Invalid, Notation, Player, Rng, Tally, Turn};

/// The values of one state's moves, and of how many cells each move changes.
struct MoveValues {
    mover: Player,
    values: Vec<f32>,
    changed: f64,
}

/// Three properties that need a perfect player's values.
pub(super) fn properties<G: Notation>(
    game: &G,
    perfect: &Contestant<G>,
    states: &[&G::State],
    workload: Workload<'_>,
) -> Result<Vec<Property>, Invalid> {
    workload.progress.expect(states.len() + 1);
    let value = |agent: &mut Box<dyn Agent<G>>, i: usize| value(game, agent, states[i]);
    let valued = in_parallel(workload, 0..states.len(), || (perfect.make)(), value);
    let valued: Vec<MoveValues> = valued.into_iter().collect::<Result<_, _>>()?;
    let mut all = vec![change(&valued), roughness(&valued)];
    let start = game.start();
    if matches!(game.turn(&start), Turn::Player(_)) {
        let start = self::value(game, &mut (perfect.make)(), &start)?;
        all.push(outcome(best(&start.values)));
    }
    Ok(all)
}

fn value<G: Notation>(
    game: &G,
    perfect: &mut Box<dyn Agent<G>>,
    state: &G::State,
) -> Result<MoveValues, Invalid> {
    let Turn::Player(mover) = game.turn(state) else {
        unreachable!("only states with a player to move are picked")
    };
    perfect.begin(game, state);
    let values = perfect.move_values(game, state, &mut Rng::seeded(0));
    let values = values.ok_or_else(|| Invalid("the perfect player does not value moves".into()))?;
    let mut legal = Vec::new();
    game.legal_moves(state, &mut legal);
    let cells = |state: &G::State| {
        let mut cells = vec![0; game.layout().num_cells()];
        game.read_cells(state, Player(0), &mut cells);
        cells
    };
    let before = cells(state);
    let mut changed = Tally::default();
    for &mv in &legal {
        let mut next = state.clone();
        game.play(&mut next, mv);
        changed.add(super::divergence::distance(&before, &cells(&next)) as f64);
    }
    Ok(MoveValues { mover, values, changed: changed.mean() })
}

fn best(values: &[f32]) -> f32 {
    values.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

/// The mean loss of value by a random move.
fn change(valued: &[MoveValues]) -> Property {
    let lost = |v: &MoveValues| {
        let best = best(&v.values);
        v.values.iter().map(|value| f64::from(best - value)).collect::<Tally>().mean()
    };
    let cells = valued.iter().map(|v| v.changed).collect::<Tally>().mean();
    Property::new(
        "change by one move",
        valued.iter().map(lost).collect::<Tally>(),
        "perfect values, before and after a random move",
        format!("value lost while {cells:.1} cells change"),
    )
}

/// The difference in value between sibling states, relative to unrelated states.
fn roughness(valued: &[MoveValues]) -> Property {
    let (mut near, mut far) = (Tally::default(), Tally::default());
    for pair in valued.windows(2).filter(|pair| pair[0].mover == pair[1].mover) {
        let [first, second] = pair else { unreachable!("windows of two") };
        near.add(mean_difference(&first.values, &first.values));
        far.add(mean_difference(&first.values, &second.values));
    }
    let ratio = if far.mean() > 0.0 { near.mean() / far.mean() } else { 0.0 };
    let relative = |margin: f64, mean: f64| if mean > 0.0 { margin / mean } else { 0.0 };
    let half =
        ratio * relative(near.margin(), near.mean()).hypot(relative(far.margin(), far.mean()));
    let interval = Some(crate::statistics::Interval { low: ratio - half, high: ratio + half });
    let verdict = match ratio {
        r if r < 0.4 => "smooth: boards that differ by one move have similar values",
        r if r < 0.7 => "fairly smooth",
        _ => "rough: one move elsewhere changes the value as much as another board",
    };
    Property::new(
        "roughness",
        Estimate { mean: ratio, interval, count: near.count },
        "difference of perfect values of siblings, relative to strangers",
        verdict,
    )
}

fn mean_difference(first: &[f32], second: &[f32]) -> f64 {
    let differences =
        first.iter().flat_map(|a| second.iter().map(move |b| f64::from((a - b).abs())));
    let same = std::ptr::eq(first, second);
    let (sum, count) = differences.fold((0.0, 0usize), |(sum, n), d| (sum + d, n + 1));
    // A board is no sibling of itself.
    let pairs = if same { count - first.len() } else { count };
    if pairs == 0 { 0.0 } else { sum / pairs as f64 }
}

fn outcome(value: f32) -> Property {
    let verdict = match value {
        v if v > 0.0 => "with perfect play the first player gains",
        v if v < 0.0 => "with perfect play the first player loses",
        _ => "with perfect play nobody wins",
    };
    let exact = Estimate { mean: value.into(), interval: None, count: 1 };
    Property::new("value of the start", exact, "perfect play, to the first player", verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_leave_out_a_board_and_itself() {
        let values = [1.0, -1.0];
        assert_eq!(mean_difference(&values, &values), 2.0);
        assert_eq!(mean_difference(&values, &[1.0, 1.0]), 1.0);
        assert_eq!(mean_difference(&values[..1], &values[..1]), 0.0);
    }
}
