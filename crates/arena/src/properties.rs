//! Properties that make a game easy or hard to learn (Ghory 2004, section 9).

mod divergence;
mod sample;
mod smoothness;
mod space;

use crate::Workload;
use crate::contest::Contestant;
use crate::statistics::Estimate;
use ludens_core::{Invalid, Notation, Tally};
use sample::{RandomGames, sample};
use serde::Serialize;

/// The effort of the measurement.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PropertiesPlan {
    /// Random games to play.
    pub games: usize,
    /// States to enumerate at most; beyond, their number is estimated.
    pub states: usize,
    /// States whose moves a perfect player values, if there is one.
    pub values: usize,
    /// The random seed.
    pub seed: u64,
}

impl Default for PropertiesPlan {
    fn default() -> PropertiesPlan {
        PropertiesPlan { games: 2_000, states: 1_000_000, values: 500, seed: 1 }
    }
}

/// The properties of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PropertiesReport {
    /// The text that opens the game.
    pub game: String,
    /// One by one.
    pub properties: Vec<Property>,
}

/// One property of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Property {
    /// The name of the property.
    pub name: &'static str,
    /// The figure.
    pub figure: Estimate,
    /// The method of the measurement.
    pub method: String,
    /// The interpretation of the figure.
    pub verdict: String,
}

impl Property {
    fn new(
        name: &'static str,
        figure: impl Into<Estimate>,
        method: impl Into<String>,
        verdict: impl Into<String>,
    ) -> Property {
        let (method, verdict) = (method.into(), verdict.into());
        Property { name, figure: figure.into(), method, verdict }
    }
}

const RANDOM: &str = "random games";

/// Measures the properties of a game; those of values only if a perfect player is known.
///
/// # Errors
///
/// If the perfect player does not value moves.
pub fn properties<G: Notation>(
    game: &G,
    spec: &str,
    perfect: Option<&Contestant<G>>,
    plan: &PropertiesPlan,
    workload: Workload<'_>,
) -> Result<PropertiesReport, Invalid> {
    workload.progress.expect(plan.games);
    let sampled = sample(game, plan, workload);
    workload.check()?;
    let mut all = vec![branching(&sampled), length(&sampled)];
    all.extend(space::properties(game, &sampled, plan.states));
    all.push(divergence::property(game, &sampled));
    if let Some(perfect) = perfect.filter(|_| plan.values > 0) {
        let picks: Vec<_> = sampled.games.iter().take(plan.values).map(|g| &g.pick).collect();
        all.extend(smoothness::properties(game, perfect, &picks, workload)?);
    }
    all.push(exploration(game.has_chance(), &sampled));
    if game.num_players() > 1 {
        all.extend([advantage(&sampled), draws(&sampled)]);
    }
    Ok(PropertiesReport { game: spec.into(), properties: all })
}

fn branching<S>(sampled: &RandomGames<S>) -> Property {
    let per_game: Tally = sampled.games.iter().map(|g| g.legal.mean()).collect();
    let most = sampled.games.iter().map(|g| g.legal.most).fold(0.0, f64::max);
    Property::new(
        "branching factor",
        per_game,
        RANDOM,
        format!("legal moves on a turn; {most} at most were met"),
    )
}

fn length<S>(sampled: &RandomGames<S>) -> Property {
    let lengths: Tally = sampled.games.iter().map(|g| g.moves as f64).collect();
    let (least, most) = (lengths.least, lengths.most);
    Property::new("length", lengths, RANDOM, format!("moves in a game, from {least} to {most}"))
}

fn exploration<S>(chance: bool, sampled: &RandomGames<S>) -> Property {
    if chance {
        let bits: Tally =
            sampled.games.iter().map(|g| g.surprise / g.moves.max(1) as f64).collect();
        let verdict = "bits of chance per move: chance leads play to states that nobody chose";
        return Property::new("forced exploration", bits, RANDOM, verdict);
    }
    let forced = sampled.games.iter().map(|g| g.forced as f64 / g.moves.max(1) as f64);
    Property::new(
        "forced exploration",
        forced.collect::<Tally>(),
        RANDOM,
        "share of moves without a choice; without chance a learner must explore by itself",
    )
}

fn advantage<S>(sampled: &RandomGames<S>) -> Property {
    let lead = |rewards: &[f32]| {
        let others: f32 = rewards[1..].iter().sum();
        f64::from(rewards[0] - others / (rewards.len() - 1) as f32)
    };
    let leads: Estimate = sampled.games.iter().map(|g| lead(&g.rewards)).collect::<Tally>().into();
    let verdict = match leads.interval {
        Some(i) if i.low > 0.0 => "random play favours the first player",
        Some(i) if i.high < 0.0 => "random play disfavours the first player",
        _ => "random play favours nobody clearly",
    };
    Property::new("first player's lead", leads, "random games: reward over the others'", verdict)
}

fn draws<S>(sampled: &RandomGames<S>) -> Property {
    let shared = |rewards: &[f32]| {
        let best = rewards.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        rewards.iter().filter(|&&r| r == best).count() > 1
    };
    let drawn = sampled.games.iter().filter(|g| shared(&g.rewards)).count() as u64;
    let share = Estimate::share(drawn, sampled.games.len() as u64);
    Property::new("draw rate", share, RANDOM, "games that several win together")
}

/// A line of figures and a line of words for each property.
impl std::fmt::Display for PropertiesReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}", self.game)?;
        for Property { name, figure, method, verdict } in &self.properties {
            let figure = match figure.mean {
                mean if mean.abs() >= 1e6 => format!("{mean:.2e}"),
                mean if mean.fract() == 0.0 && figure.interval.is_none() => mean.to_string(),
                _ => figure.to_string(),
            };
            writeln!(f, "{name:22} {figure:28} ({method})\n{:22} {verdict}", "")?;
        }
        Ok(())
    }
}
