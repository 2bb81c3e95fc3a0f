//! Statements that the numbers can bear out or not.

use crate::learning_time::{CurvePoint, LearningCurve, area, last_crossing};
use crate::{FEWEST_SEEDS, bootstrap, mann_whitney, mean};
use ludens_arena::statistics::Interval;
use ludens_core::{Invalid, Rng};
use serde::{Deserialize, Serialize};

/// A statement about variants that the numbers can bear out or not.
///
/// ```text
/// A > B at the end             A's last figure is larger
/// A > B by 0.2 on average      A's curve lies higher by more than 0.2
/// A within 0.1 of B at the end
/// A > 0.9 at the end
/// A within 0.1 of 0.5 at the end
/// A reaches 0.8 before B       by the last crossing of the smoothed curve
/// ab: A > B at the end         measured by the protocol ab instead of the first one
/// ```
///
/// Other moments than the end: `after 1000 games`, and `from 1000 games on` for what a curve gains
/// after that (its last figure minus the one measured there).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Claim {
    text: String,
    /// The protocol that it speaks of, if not the first.
    protocol: Option<String>,
    kind: ClaimKind,
}

#[derive(Clone, Debug, PartialEq)]
enum ClaimKind {
    Larger { more: String, less: String, by: f64, when: When },
    Near { one: String, other: String, within: f64, when: When },
    NearLine { variant: String, line: f64, within: f64, when: When },
    Above { variant: String, line: f64, when: When },
    Before { first: String, second: String, line: f64 },
}

#[derive(Copy, Clone, Debug, PartialEq)]
enum When {
    AtTheEnd,
    OnAverage,
    /// At the first measurement with at least so many episodes.
    After(u64),
    /// What the curve gains after that measurement.
    From(u64),
}

/// The result of testing a claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The claim.
    pub claim: String,
    /// The verdict.
    pub verdict: ClaimVerdict,
    /// The numbers behind the verdict.
    pub reason: String,
}

/// The verdict on a claim.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimVerdict {
    /// The interval lies on its side.
    Holds,
    /// The interval lies on the other side.
    Fails,
    /// More seeds are needed.
    Undecided,
}

impl ClaimVerdict {
    /// All verdicts.
    pub const ALL: [ClaimVerdict; 3] =
        [ClaimVerdict::Holds, ClaimVerdict::Fails, ClaimVerdict::Undecided];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            ClaimVerdict::Holds => "holds",
            ClaimVerdict::Fails => "fails",
            ClaimVerdict::Undecided => "undecided",
        }
    }
}

impl Claim {
    /// The variants that the claim names.
    pub fn variants(&self) -> impl Iterator<Item = &str> {
        let (one, other) = match &self.kind {
            ClaimKind::Larger { more, less, .. } => (more, Some(less)),
            ClaimKind::Near { one, other, .. } => (one, Some(other)),
            ClaimKind::Above { variant, .. } | ClaimKind::NearLine { variant, .. } => {
                (variant, None)
            }
            ClaimKind::Before { first, second, .. } => (first, Some(second)),
        };
        std::iter::once(one).chain(other).map(String::as_str)
    }

    /// The protocol that it speaks of, if not the first.
    pub fn protocol(&self) -> Option<&str> {
        self.protocol.as_deref()
    }

    /// Weighs it against the curves of each variant's runs.
    pub fn evaluate<'a>(&self, curves: &dyn Fn(&str) -> &'a [LearningCurve]) -> Finding {
        let few = self.variants().find(|&variant| curves(variant).len() < FEWEST_SEEDS);
        let (verdict, reason) = match few {
            Some(variant) => {
                (ClaimVerdict::Undecided, format!("fewer than {FEWEST_SEEDS} runs of {variant}"))
            }
            None => self.kind.evaluate(curves),
        };
        Finding { claim: self.text.clone(), verdict, reason }
    }
}

impl ClaimKind {
    fn evaluate<'a>(&self, curves: &dyn Fn(&str) -> &'a [LearningCurve]) -> (ClaimVerdict, String) {
        let figures = |variant: &str, when: When| -> Vec<f64> {
            curves(variant).iter().map(|curve| when.figure(curve)).collect()
        };
        match self {
            ClaimKind::Larger { more, less, by, when } => {
                let (found, text) = difference(&figures(more, *when), &figures(less, *when));
                (beyond(found, *by), format!("the difference is {text}"))
            }
            ClaimKind::Near { one, other, within, when } => {
                let (found, text) = difference(&figures(one, *when), &figures(other, *when));
                (near(found, *within), format!("the difference is {text}"))
            }
            ClaimKind::NearLine { variant, line, within, when } => {
                let (found, text) = difference(&figures(variant, *when), &[*line]);
                (near(found, *within), format!("the difference is {text}"))
            }
            ClaimKind::Above { variant, line, when } => {
                let (found, text) = difference(&figures(variant, *when), &[0.0]);
                (beyond(found, *line), format!("it is {text}"))
            }
            ClaimKind::Before { first, second, line } => {
                sooner(&times(curves(first), *line), &times(curves(second), *line))
            }
        }
    }
}

impl When {
    fn figure(self, curve: &[CurvePoint]) -> f64 {
        match self {
            When::AtTheEnd => curve.last().map_or(f64::NAN, |point| point.1),
            When::OnAverage => area(curve),
            When::After(episode) => figure_at(curve, episode),
            When::From(episode) => When::AtTheEnd.figure(curve) - figure_at(curve, episode),
        }
    }
}

/// The first figure measured after at least so many episodes; the last one if there is none.
fn figure_at(curve: &[CurvePoint], episode: u64) -> f64 {
    let found = curve.iter().find(|point| point.0 >= episode).or(curve.last());
    found.map_or(f64::NAN, |point| point.1)
}

/// The difference of two means with its interval, also in words.
fn difference(a: &[f64], b: &[f64]) -> (Interval, String) {
    let statistic = |s: &[Vec<f64>]| mean(&s[0]) - mean(&s[1]);
    let found = bootstrap(&[a, b], statistic, &mut Rng::derived(1, "claim", 0));
    let at = mean(a) - mean(b);
    (found, format!("{at:.3} ({:.3} to {:.3})", found.low, found.high))
}

fn beyond(found: Interval, line: f64) -> ClaimVerdict {
    match () {
        () if found.low > line => ClaimVerdict::Holds,
        () if found.high <= line => ClaimVerdict::Fails,
        () => ClaimVerdict::Undecided,
    }
}

fn near(found: Interval, within: f64) -> ClaimVerdict {
    match () {
        () if found.low >= -within && found.high <= within => ClaimVerdict::Holds,
        () if found.low > within || found.high < -within => ClaimVerdict::Fails,
        () => ClaimVerdict::Undecided,
    }
}

/// The crossing time of each run; infinite if the run never crosses the line.
fn times(curves: &[LearningCurve], line: f64) -> Vec<f64> {
    let time = |curve: &Vec<_>| last_crossing(curve, line).map_or(f64::INFINITY, |at| at as f64);
    curves.iter().map(time).collect()
}

fn sooner(first: &[f64], second: &[f64]) -> (ClaimVerdict, String) {
    let found = mann_whitney(second, first);
    let verdict = match () {
        () if found.probability >= 0.05 => ClaimVerdict::Undecided,
        () if found.effect > 0.5 => ClaimVerdict::Holds,
        () => ClaimVerdict::Fails,
    };
    let share = 100.0 * found.effect;
    (verdict, format!("sooner in {share:.0} % of the pairs, p = {:.4}", found.probability))
}

impl From<Claim> for String {
    fn from(claim: Claim) -> String {
        claim.text
    }
}

impl TryFrom<String> for Claim {
    type Error = Invalid;

    fn try_from(text: String) -> Result<Claim, Invalid> {
        let (protocol, said) = match text.split_once(": ") {
            Some((protocol, said)) => (Some(protocol.to_owned()), said),
            None => (None, &text[..]),
        };
        let kind = parse(said).ok_or_else(|| {
            Invalid(format!(
                "expected a claim such as \"A > B by 0.2 at the end\", \"A within 0.1 of B on \
                 average\", \"A > 0.9 at the end\" or \"A reaches 0.8 before B\", found {text:?}"
            ))
        })?;
        Ok(Claim { protocol, kind, text })
    }
}

fn parse(text: &str) -> Option<ClaimKind> {
    if let Some((first, rest)) = text.split_once(" reaches ") {
        let (line, second) = rest.split_once(" before ")?;
        return Some(ClaimKind::Before {
            first: first.into(),
            second: second.into(),
            line: number(line)?,
        });
    }
    let (said, when) = moment(text)?;
    if let Some((one, rest)) = said.split_once(" within ") {
        let (within, other) = rest.split_once(" of ")?;
        if let Some(line) = number(other) {
            let (variant, within) = (one.into(), number(within)?);
            return Some(ClaimKind::NearLine { variant, line, within, when });
        }
        return Some(ClaimKind::Near {
            one: one.into(),
            other: other.into(),
            within: number(within)?,
            when,
        });
    }
    let (more, rest) = said.split_once(" > ")?;
    if let Some(line) = number(rest) {
        return Some(ClaimKind::Above { variant: more.into(), line, when });
    }
    let (less, by) = match rest.rsplit_once(" by ") {
        Some((less, by)) => (less, number(by)?),
        None => (rest, 0.0),
    };
    Some(ClaimKind::Larger { more: more.into(), less: less.into(), by, when })
}

/// The statement without its moment, and the moment.
fn moment(text: &str) -> Option<(&str, When)> {
    if let Some(said) = text.strip_suffix(" at the end") {
        return Some((said, When::AtTheEnd));
    }
    if let Some(said) = text.strip_suffix(" on average") {
        return Some((said, When::OnAverage));
    }
    if let Some((said, from)) = text.strip_suffix(" games on").and_then(|t| t.rsplit_once(" from "))
    {
        return Some((said, When::From(from.parse().ok()?)));
    }
    let (said, after) = text.strip_suffix(" games")?.rsplit_once(" after ")?;
    Some((said, When::After(after.parse().ok()?)))
}

/// A number, or a percentage.
fn number(text: &str) -> Option<f64> {
    match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().ok().map(|number| number / 100.0),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(text: &str) -> Claim {
        Claim::try_from(text.to_owned()).unwrap()
    }

    /// Two variants: "good" ends at 0.9, "bad" at 0.4, each with a little noise.
    fn evaluate(text: &str) -> Finding {
        let runs = |end: f64, slow: usize| -> Vec<LearningCurve> {
            let figure = |seed: usize, at: usize| {
                (if at < slow { 0.0 } else { end }) + 0.01 * (seed % 3) as f64
            };
            (0..6).map(|seed| (0..20).map(|at| (at as u64, figure(seed, at))).collect()).collect()
        };
        let (good, bad) = (runs(0.9, 4), runs(0.4, 12));
        claim(text).evaluate(&|name| if name == "good" { &good } else { &bad })
    }

    #[test]
    fn claims_hold_fail_or_stay_open() {
        use ClaimVerdict::{Fails, Holds, Undecided};
        let expected = [
            ("good > bad at the end", Holds),
            ("good > bad by 0.4 at the end", Holds),
            ("good > bad by 0.6 at the end", Fails),
            ("good > bad by 0.5 at the end", Undecided),
            ("bad > good on average", Fails),
            ("good within 0.6 of bad at the end", Holds),
            ("good within 0.1 of bad at the end", Fails),
            ("good > 80 % at the end", Holds),
            ("bad > 0.8 at the end", Fails),
            ("good reaches 0.3 before bad", Holds),
            ("bad reaches 20 % before good", Fails),
            ("good within 0.05 of 0 from 8 games on", Holds),
            ("bad within 0.05 of 0 from 8 games on", Fails),
            ("good > bad after 8 games", Holds),
            ("good within 0.1 of bad after 2 games", Holds),
            ("good within 0.1 of bad after 12 games", Fails),
            ("bad > good by 0.3 from 8 games on", Holds),
            ("decay: good > bad at the end", Holds),
        ];
        for (text, verdict) in expected {
            let found = evaluate(text);
            assert_eq!(found.verdict, verdict, "{text}: {found:?}");
        }
    }

    #[test]
    fn claims_that_say_nothing_are_refused_with_examples() {
        for text in
            ["good beats bad", "good > bad", "good reaches 0.8", "good within x of bad at the end"]
        {
            let text = Claim::try_from(text.to_owned()).unwrap_err().to_string();
            assert!(text.contains("expected a claim such as"), "{text}");
        }
    }

    #[test]
    fn four_runs_decide_nothing() {
        let (few, more) = (vec![vec![(0, 1.0)]; 4], vec![vec![(0, 0.0)]; 5]);
        let found = |a: &'static str, b: &'static str| {
            claim(&format!("{a} > {b} at the end")).evaluate(&|name| match name {
                "few" => &few,
                _ => &more,
            })
        };
        assert_eq!(found("few", "more").verdict, ClaimVerdict::Undecided);
        assert_eq!(found("few", "more").reason, "fewer than 5 runs of few");
        assert_eq!(found("other", "more").verdict, ClaimVerdict::Fails);
    }

    #[test]
    fn a_claim_may_name_its_protocol() {
        assert_eq!(claim("ab-dl: a > b at the end").protocol(), Some("ab-dl"));
        assert_eq!(claim("a > b at the end").protocol(), None);
    }
}
