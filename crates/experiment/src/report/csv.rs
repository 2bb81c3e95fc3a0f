//! The data for programs.

use crate::Results;
use std::fmt::Write;

/// Every figure of every run.
pub(super) fn curves(results: &Results) -> String {
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
pub(super) fn results(results: &Results) -> String {
    let mut text = String::from("variant,runs,end,end_iqm,end_low,end_high,asymptote,area,time\n");
    for of in &results.variants {
        let (Some(end), Some(asymptote), Some(area)) = (of.end, of.asymptote, of.area) else {
            continue;
        };
        let time = of.median_time().map_or(String::new(), |time| time.to_string());
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{time}",
            field(&of.variant.name),
            of.curves.len(),
            end.mean,
            end.interquartile_mean,
            end.interval.low,
            end.interval.high,
            asymptote.mean,
            area.mean,
        );
    }
    text
}

/// The text in quotes where a comma or a quote is in it.
fn field(text: &str) -> String {
    if text.contains([',', '"']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}
