//! The data for programs.

use crate::{ProtocolResults, Results, SeedStatistics, VariantComparison, median_time};
use std::fmt::Write;

/// Every figure of every run.
pub(super) fn curves(results: &ProtocolResults) -> String {
    let mut text = String::from("variant,run,episode,figure\n");
    for of in &results.variants {
        let name = field(&of.variant.name);
        for (run, curve) in of.curves.iter().enumerate() {
            for (episode, figure) in curve {
                let _ = writeln!(text, "{name},{},{episode},{figure}", run + 1);
            }
        }
    }
    text
}

/// One line a variant.
pub(super) fn results(results: &ProtocolResults) -> String {
    let mut text = String::from(
        "variant,runs,end,end_low,end_high,end_iqm,end_iqm_low,end_iqm_high,asymptote,area,\
         published,learned,published_learned,mastered\n",
    );
    for of in &results.variants {
        let (Some(end), Some(asymptote), Some(area)) = (of.end, of.asymptote, of.area) else {
            continue;
        };
        let SeedStatistics { mean, interval, interquartile_mean, interquartile_interval } = end;
        let optional = |number: Option<f64>| number.map_or(String::new(), |n| n.to_string());
        let fields = [
            field(&of.variant.name),
            of.curves.len().to_string(),
            mean.to_string(),
            optional(interval.map(|interval| interval.low)),
            optional(interval.map(|interval| interval.high)),
            interquartile_mean.to_string(),
            optional(interquartile_interval.map(|interval| interval.low)),
            optional(interquartile_interval.map(|interval| interval.high)),
            asymptote.mean.to_string(),
            area.mean.to_string(),
            optional(of.variant.published),
            optional(median_time(&of.learned)),
            optional(of.variant.published_time),
            optional(median_time(&of.mastered)),
        ];
        text += &(fields.join(",") + "\n");
    }
    text
}

/// Every pair of variants: Mann and Whitney's U, P(A > B), p and p corrected by Holm.
pub(super) fn comparisons(results: &ProtocolResults) -> String {
    let mut text = String::from("a,b,when,u,p_a_greater_b,p,p_holm\n");
    for VariantComparison { one, other, when, found, corrected } in &results.comparisons {
        let (one, other) = (field(one), field(other));
        let crate::Comparison { pairs, effect, probability } = found;
        let _ = writeln!(text, "{one},{other},{when},{pairs},{effect},{probability},{corrected}");
    }
    text
}

/// The verdict on each claim.
pub(super) fn claims(results: &Results) -> String {
    let mut text = String::from("claim,verdict,numbers\n");
    for finding in &results.findings {
        let (claim, reason) = (field(&finding.claim), field(&finding.reason));
        let _ = writeln!(text, "{claim},{},{reason}", finding.verdict.name());
    }
    text
}

/// The weights that have names.
pub(super) fn weights(results: &ProtocolResults) -> String {
    let mut text = String::from("variant,run,name,weight\n");
    for of in &results.variants {
        for (run, weights) in of.weights.iter().enumerate() {
            for (name, weight) in of.variant.weights.iter().zip(weights) {
                let variant = field(&of.variant.name);
                let _ = writeln!(text, "{variant},{},{},{weight}", run + 1, field(name));
            }
        }
    }
    text
}

/// The score of each player.
pub(super) fn players(results: &ProtocolResults) -> String {
    let mut text = String::from("variant,run,number,figure\n");
    for of in &results.variants {
        let variant = field(&of.variant.name);
        for (run, tried) in of.players.iter().enumerate() {
            for tried in tried {
                let _ = writeln!(text, "{variant},{},{},{}", run + 1, tried.number, tried.figure);
            }
        }
    }
    text
}

/// The text in quotes where a comma or a quote is in it.
pub(super) fn field(text: &str) -> String {
    if text.contains([',', '"']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}
