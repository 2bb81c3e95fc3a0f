//! What a result means, in one sentence with yardsticks.

use super::{Details, Headline, ProtocolKind};
use crate::decay::DecayReport;
use crate::report::{ContestReport, RoleReport};
use crate::score::ScoreReport;
use crate::solved::SolvedReport;
use crate::statistics::Estimate;

/// The largest tile that gives 2048 its name, as a power of two.
const TILE_2048: u8 = 11;

/// Rewards that differ by less are the same.
const SAME: f64 = 1e-9;

/// What a protocol found, without its subject: "finds an optimal move in 86 % of ...".
pub(super) fn in_words(
    kind: &ProtocolKind,
    headline: Headline,
    figure: Estimate,
    details: &Details,
) -> String {
    match details {
        Details::Solved(report) => solved(report),
        Details::Score(report) => score(report),
        Details::Decay(report) => decay(report),
        Details::Contest(report) => contest(kind, headline, figure, report),
    }
}

fn solved(report: &SolvedReport) -> String {
    let (states, by_chance) = (report.overall.count, percent(report.chance_level));
    if states > 0 && report.overall.mean >= 1.0 {
        return format!(
            "perfect: finds an optimal move in all {states} hard positions (random moves {by_chance})"
        );
    }
    format!(
        "finds an optimal move in {} of {states} hard positions ({}; random moves {by_chance}, \
         perfect play 100 %)",
        percent(report.overall.mean),
        interval(report.overall)
    )
}

fn score(report: &ScoreReport) -> String {
    let games = report.score.count;
    let digits = usize::from(report.score.mean.abs() < 100.0) * 2;
    let interval = report
        .score
        .interval
        .map_or(String::new(), |i| format!(", 95 % CI {:.digits$} to {:.digits$}", i.low, i.high));
    let mean = report.score.mean;
    let text = format!("scores {mean:.digits$} points per game ({games} games{interval})");
    if !report.game.starts_with("2048") || games == 0 {
        return text;
    }
    let reached = report.largest_cells.range(TILE_2048..).map(|(_, count)| count).sum::<usize>();
    let share = percent(reached as f64 / games as f64);
    format!("{text} and reaches the 2048 tile in {share} of games")
}

fn decay(report: &DecayReport) -> String {
    let [curve, others @ ..] = &report.curves[..] else { return "was not measured".into() };
    let area = |area: Estimate| percent(area.mean);
    let perfect = others
        .first()
        .map_or(String::new(), |perfect| format!("; perfect play {}", area(perfect.area)));
    format!(
        "wins {} of games against {} while 0 to 100 % of its moves are random ({}{perfect})",
        area(curve.area),
        report.opponent,
        interval(curve.area)
    )
}

fn contest(
    kind: &ProtocolKind,
    headline: Headline,
    figure: Estimate,
    report: &ContestReport,
) -> String {
    let ProtocolKind::Contest { opponent, role, .. } = kind else {
        return "played games".into();
    };
    let (opponent, is_perfect) = named(opponent);
    let role = role.map_or(String::new(), |player| match player.index() {
        0 => " as first player".into(),
        1 => " as second player".into(),
        _ => format!(" as player {player}"),
    });
    let against = format!("{opponent}{role}");
    let all_roles = role.is_empty();
    if let Some(text) = is_perfect.then(|| perfect_result(report, &against, all_roles)).flatten() {
        return text;
    }
    let overall = report.contestants[0].overall;
    let RoleReport { games, wins, draws, losses, .. } = overall;
    let counts = format!("{games} games: {wins} won, {draws} drawn, {losses} lost");
    if headline == Headline::Reward && !has_two_players(report) {
        let ends = figure.interval;
        let ends =
            ends.map_or(String::new(), |i| format!("; 95 % CI {:.2} to {:.2}", i.low, i.high));
        return format!("gains {:.2} per game against {against} ({counts}{ends})", figure.mean);
    }
    let share = if headline == Headline::Reward { figure.map(points) } else { figure };
    let (share, interval) = (percent(share.mean), interval(share));
    let best = if is_perfect && all_roles { "50 %" } else { "100 %" };
    format!("scores {share} against {against} ({counts}; {interval}; best {best})")
}

/// The sentence for a result that perfect play cannot better, against a perfect opponent.
fn perfect_result(report: &ContestReport, against: &str, all_roles: bool) -> Option<String> {
    let RoleReport { games, wins, draws, losses, reward, .. } = report.contestants[0].overall;
    if draws == games {
        return Some(format!("perfect: all {games} games drawn against {against}"));
    }
    if wins == games {
        return Some(format!("perfect: all {games} games won against {against}"));
    }
    let even = all_roles && has_two_players(report) && reward.mean.abs() < SAME;
    even.then(|| {
        format!(
            "perfect: {wins} won, {draws} drawn and {losses} lost against {against}, as perfect \
             play does in both roles"
        )
    })
}

fn has_two_players(report: &ContestReport) -> bool {
    report.contestants[0].roles.len() <= 2
}

/// A reward between -1 and 1 as a share of the points.
fn points(reward: f64) -> f64 {
    f64::midpoint(reward, 1.0)
}

/// An opponent in words, and whether it plays perfectly.
fn named(opponent: &str) -> (&str, bool) {
    let name = opponent.split(':').next().unwrap_or(opponent);
    match name {
        "maxn" => ("exhaustive search", true),
        "ab" | "ab-dl" | "thill" | "perfect" | "solver" => ("perfect play", true),
        "random" => ("random play", false),
        _ => (opponent, false),
    }
}

/// A share in percent; one digit more where it matters.
fn percent(share: f64) -> String {
    let percent = 100.0 * share.clamp(0.0, 1.0);
    let whole = (percent - percent.round()).abs() < 0.05;
    if whole { format!("{percent:.0} %") } else { format!("{percent:.1} %") }
}

/// The confidence interval of a share.
fn interval(share: Estimate) -> String {
    let Some(ends) = share.interval else { return "too few games for a CI".into() };
    let [low, high] = [ends.low, ends.high].map(|end| 100.0 * end.clamp(0.0, 1.0));
    format!("95 % CI {low:.1} to {high:.1} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_shown_in_percent_within_their_range() {
        assert_eq!(
            (percent(0.5), percent(0.1234), percent(1.0)),
            ("50 %".into(), "12.3 %".into(), "100 %".into())
        );
        let wide = Estimate {
            mean: 0.99,
            interval: Some(crate::statistics::Interval { low: 0.9, high: 1.1 }),
            count: 3,
        };
        assert_eq!(interval(wide), "95 % CI 90.0 to 100.0 %");
    }

    #[test]
    fn opponents_have_plain_names() {
        assert_eq!(named("maxn:depth=200"), ("exhaustive search", true));
        assert_eq!(named("ab-dl"), ("perfect play", true));
        assert_eq!(named("mcts:iterations=10"), ("mcts:iterations=10", false));
    }
}
