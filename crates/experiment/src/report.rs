//! The report of an experiment: page, summary, figures and data.

mod content;
mod csv;
mod figures;
mod html;
mod index;
mod markdown;
mod page;

pub use index::{Index, IndexEntry, PaperComparison};

use crate::{ExperimentRunner, ProtocolResults, Results};
use ludens_lab::RunError;
use ludens_registry::replace_file;
use std::path::{Path, PathBuf};

/// The report of an experiment: file names and contents.
pub struct ExperimentReport {
    files: Vec<(String, Vec<u8>)>,
}

impl ExperimentReport {
    /// The report about what has been finished so far.
    pub fn new(runner: &ExperimentRunner, results: &Results) -> ExperimentReport {
        let figures = figures::figures(runner, results);
        let main = &results.main;
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        for by in results.by_protocol() {
            let end = file_end(results, by);
            files.push((format!("curves{end}.csv"), csv::curves(by).into()));
            files.push((format!("results{end}.csv"), csv::results(by).into()));
            files.push((format!("comparisons{end}.csv"), csv::comparisons(by).into()));
        }
        files.push(("claims.csv".into(), csv::claims(results).into()));
        if main.variants.iter().any(|of| !of.variant.weights.is_empty()) {
            files.push(("weights.csv".into(), csv::weights(main).into()));
        }
        if runner.experiment.players.is_some() {
            files.push(("players.csv".into(), csv::players(main).into()));
        }
        let names = files.iter().map(|(name, _)| name.clone()).collect();
        let page = content::page(runner, results, &figures, names);
        let entry = serde_json::to_string_pretty(&IndexEntry::new(runner, results));
        let entry = entry.expect("texts and numbers can be written") + "\n";
        files.push((index::ENTRY.into(), entry.into()));
        files.push(("summary.md".into(), markdown::write(&page).into()));
        files.push(("index.html".into(), html::write(&page).into()));
        for figure in figures {
            files.push((format!("{}.svg", figure.name), figure.svg.into()));
            files.push((format!("{}.png", figure.name), figure.png));
        }
        ExperimentReport { files }
    }

    /// Writes all files into a folder, and says where.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, RunError> {
        write_files(&self.files, folder)
    }
}

/// The end of the names of files by a protocol: nothing for the first, `-PROTOCOL` for others.
fn file_end(results: &Results, by: &ProtocolResults) -> String {
    let first = by.protocol == results.main.protocol;
    if first { String::new() } else { format!("-{}", by.protocol) }
}

fn write_files(files: &[(String, Vec<u8>)], folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    let wrong = |path: &Path| {
        let path = path.to_owned();
        move |error| RunError::File { path, error }
    };
    std::fs::create_dir_all(folder).map_err(wrong(folder))?;
    let mut written = Vec::new();
    for (name, content) in files {
        let path = folder.join(name);
        replace_file(&path, |out| out.write_all(content)).map_err(wrong(&path))?;
        written.push(path);
    }
    Ok(written)
}
