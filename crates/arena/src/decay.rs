//! Strength as a curve: what is left of it when moves are replaced by random ones.

use crate::Workload;
use crate::contest::{ContestPlan, Contestant, contest};
use crate::figure::{ChartLine, LineChart};
use crate::report::RoleReport;
use crate::statistics::{Estimate, Interval};
use ludens_core::{Invalid, Notation, Rng};
use ludens_search::Decay;
use serde::Serialize;

/// How to measure a random-decay curve.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct DecayPlan {
    /// Games at each rate.
    pub games: usize,
    /// Steps from a rate of 0 to 1.
    pub steps: usize,
    /// The random seed.
    pub seed: u64,
}

impl Default for DecayPlan {
    /// A thousand games at each of 0, 10, ..., 100 percent, as in the paper.
    fn default() -> DecayPlan {
        DecayPlan { games: 1_000, steps: 10, seed: 1 }
    }
}

/// The strength of one contestant over the share of its moves that are replaced.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecayCurve {
    /// The name of the contestant.
    pub name: String,
    /// From nothing replaced to everything.
    pub points: Vec<DecayPoint>,
    /// The mean height of the curve of games won: the whole curve as one figure.
    pub area: Estimate,
}

/// The strength at one rate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecayPoint {
    /// The share of moves replaced by random ones.
    pub rate: f64,
    /// All games; the win rate is the height of the curve.
    pub overall: RoleReport,
    /// The games as each player.
    pub roles: Vec<RoleReport>,
}

/// Curves to be compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecayReport {
    /// The text that opens the game.
    pub game: String,
    /// The name of the opponent.
    pub opponent: String,
    /// The curves, the perfect player's last if there is one.
    pub curves: Vec<DecayCurve>,
}

/// Measures the random-decay benchmark of Ghory (2004, section 13.2).
///
/// At each rate every move of the contestant is replaced with that probability by a random legal
/// one; the opponent's never are. Every role is played equally often.
///
/// # Errors
///
/// If the game has one player only.
pub fn decay_curve<G: Notation>(
    game: &G,
    spec: &str,
    [contestant, opponent]: [&Contestant<G>; 2],
    plan: &DecayPlan,
    workload: Workload<'_>,
) -> Result<DecayCurve, Invalid> {
    if game.num_players() < 2 {
        return Err(Invalid(format!("decay needs an opponent; {spec} has one player")));
    }
    let mut points = Vec::new();
    for step in 0..=plan.steps {
        let rate = step as f64 / plan.steps as f64;
        let make = contestant.make.clone();
        let decayed =
            Contestant::new(contestant.name.clone(), move || Decay::new(rate as f32, make()));
        let seed = Rng::derived(plan.seed, "decay", step as u64).bits();
        let games = ContestPlan { games: Some(plan.games), seed, ..ContestPlan::default() };
        let (report, _) = contest(game, spec, &[decayed, opponent.clone()], &games, workload)?;
        let first = &report.contestants[0];
        points.push(DecayPoint { rate, overall: first.overall, roles: first.roles.clone() });
    }
    Ok(DecayCurve { name: contestant.name.clone(), area: area(&points), points })
}

/// The area under the curve of games won, by trapezoids; its error follows from those of the points.
fn area(points: &[DecayPoint]) -> Estimate {
    let steps = (points.len() - 1) as f64;
    let (mut mean, mut variance, mut count) = (0.0, 0.0, 0);
    for (i, point) in points.iter().enumerate() {
        let at_end = i == 0 || i + 1 == points.len();
        let weight = if at_end { 0.5 } else { 1.0 } / steps;
        let (share, games) = (point.overall.win_rate.mean, point.overall.games);
        mean += weight * share;
        variance += weight * weight * share * (1.0 - share) / games as f64;
        count += games;
    }
    let half = 1.96 * variance.sqrt();
    let interval = Some(Interval { low: mean - half, high: mean + half });
    Estimate { mean, interval, count }.within(0.0, 1.0)
}

impl DecayReport {
    /// The curves as a picture.
    pub fn to_svg(&self) -> String {
        let line = |curve: &DecayCurve| ChartLine {
            name: format!("{} (area {:.3})", curve.name, curve.area.mean),
            points: curve.points.iter().map(|p| (100.0 * p.rate, height(p))).collect(),
            intervals: curve
                .points
                .iter()
                .filter_map(|p| p.overall.win_rate.interval)
                .map(|i| (100.0 * i.low, 100.0 * i.high))
                .collect(),
        };
        LineChart {
            title: format!("{} against {}", self.game, self.opponent),
            x_label: "moves replaced by random ones (%)".into(),
            y_label: "games won (%)".into(),
            x_log: false,
            y_range: (0.0, 100.0),
            lines: self.curves.iter().map(line).collect(),
        }
        .to_svg()
    }
}

fn height(point: &DecayPoint) -> f64 {
    100.0 * point.overall.win_rate.mean
}

/// One table per curve.
impl std::fmt::Display for DecayReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{} against {}", self.game, self.opponent)?;
        for curve in &self.curves {
            writeln!(f, "\n{}: area {}", curve.name, curve.area)?;
            writeln!(
                f,
                "replaced  games   won drawn  lost  win rate              won as each player"
            )?;
            for point in &curve.points {
                let all = &point.overall;
                let rate = all.win_rate.to_string();
                let roles: Vec<_> =
                    point.roles.iter().map(|r| format!("{}/{}", r.wins, r.games)).collect();
                writeln!(
                    f,
                    "{:>6.0} % {:>6} {:>5} {:>5} {:>5}  {rate:21} {}",
                    100.0 * point.rate,
                    all.games,
                    all.wins,
                    all.draws,
                    all.losses,
                    roles.join(" ")
                )?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::RandomAgent;
    use ludens_games::TicTacToe;
    use ludens_search::{EndgameRandom, MaxN};

    fn curve(contestant: &Contestant<TicTacToe>) -> DecayCurve {
        let plan = DecayPlan { games: 200, steps: 4, seed: 1 };
        let opponent = Contestant::new("endgame-random", EndgameRandom::default);
        let both = [contestant, &opponent];
        decay_curve(&TicTacToe, "tictactoe", both, &plan, Workload::default()).unwrap()
    }

    #[test]
    fn a_perfect_player_falls_to_the_level_of_random_play() {
        let perfect = curve(&Contestant::new("perfect", || MaxN::new(9, None)));
        let random = curve(&Contestant::new("random", RandomAgent::default));
        let wins = |curve: &DecayCurve, i: usize| curve.points[i].overall.win_rate.mean;
        assert!(wins(&perfect, 0) > wins(&perfect, 2) && wins(&perfect, 2) > wins(&perfect, 4));
        assert_eq!(wins(&perfect, 4), wins(&random, 4));
        assert!(perfect.area.interval.unwrap().low > random.area.interval.unwrap().high);
    }

    #[test]
    fn the_area_is_the_mean_height() {
        let random = curve(&Contestant::new("random", RandomAgent::default));
        let heights: Vec<f64> = random.points.iter().map(|p| p.overall.win_rate.mean).collect();
        let ends = (heights[0] + heights[4]) / 2.0;
        let expected = (ends + heights[1] + heights[2] + heights[3]) / 4.0;
        assert!((random.area.mean - expected).abs() < 1e-12);
    }

    #[test]
    fn the_picture_shows_every_curve() {
        let random = curve(&Contestant::new("random", RandomAgent::default));
        let report = DecayReport {
            game: "tictactoe".into(),
            opponent: "endgame-random".into(),
            curves: vec![random.clone(), random],
        };
        assert_eq!(report.to_svg().matches("(area ").count(), 2);
        assert_eq!(report.to_string().matches("100 %").count(), 2);
    }
}
