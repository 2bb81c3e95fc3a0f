//! What a checkpoint says about the run that it belongs to.

use crate::log::LogEnd;
use crate::{Plan, RunError, RunFolder, differences};
use ludens_core::Invalid;
use ludens_registry::{Training, ValueFile, stored_config};

/// The texts of a checkpoint that keep the ends of both logs, and what else the plan says.
pub(super) fn kept_texts(metrics: LogEnd, games: LogEnd, plan: &Plan) -> Vec<(String, String)> {
    let of_log = |name: &str, end: LogEnd| {
        let checksum = end.checksum.unwrap_or_default();
        let length = (format!("{name}-bytes"), end.length.to_string());
        [length, (format!("{name}-crc32"), format!("{checksum:08x}"))]
    };
    let plan = ("plan".to_owned(), plan.measuring_text());
    [of_log("metrics", metrics), of_log("games", games)]
        .into_iter()
        .flatten()
        .chain([plan])
        .collect()
}

/// The ends of the learning curve and of the sample of games when the run was saved.
pub(super) fn log_ends(file: &ValueFile) -> Result<(LogEnd, LogEnd), RunError> {
    let end = |name: &str| {
        let length = file.number(&format!("{name}-bytes"));
        // Older checkpoints keep the length alone.
        let checksum = file.about().get(&format!("{name}-crc32"));
        let checksum = checksum.and_then(|text| u32::from_str_radix(text, 16).ok());
        let length = length.map_err(|e| e.about(file.path().display()))?;
        Ok::<_, RunError>(LogEnd { length, checksum })
    };
    Ok((end("metrics")?, end("games")?))
}

/// Refuses to resume with another schedule than before.
pub(super) fn check_plan(
    folder: &RunFolder,
    file: &ValueFile,
    plan: &Plan,
) -> Result<(), RunError> {
    let kept = file.about().get("plan");
    let Some((key, before, now)) = kept.and_then(|kept| plan.changed_since(kept)) else {
        return Ok(());
    };
    Err(was_changed(folder, key, &before, &now))
}

/// Refuses to resume with other settings than before.
pub(super) fn check_config(
    folder: &RunFolder,
    file: &ValueFile,
    training: &dyn Training,
) -> Result<(), RunError> {
    let mut stored = stored_config(file)?;
    stored.episodes = training.config().episodes;
    let mut changed = differences(&stored, training.config());
    // Another game says more than whatever else it brings along.
    changed.sort_by_key(|(key, ..)| key != "game");
    let Some((key, before, now)) = changed.into_iter().next() else { return Ok(()) };
    let tell = |value: Option<String>| value.unwrap_or_else(|| "not set".into());
    Err(was_changed(folder, &key, &tell(before), &tell(now)))
}

fn was_changed(folder: &RunFolder, key: &str, before: &str, now: &str) -> RunError {
    let plan = folder.plan().display().to_string();
    Invalid(format!(
        "{plan} was changed: {key} was {before} and is {now}; a run resumes only with the \
         settings it began with"
    ))
    .into()
}
