//! One page about all experiments.

use super::page::{Cell, Page, PagePart};
use super::{csv, html, markdown, write_files};
use crate::{ClaimVerdict, ExperimentRunner, Finding, Results};
use ludens_core::Invalid;
use ludens_lab::RunError;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The file in which a report keeps what the index says of it.
pub(super) const ENTRY: &str = "report.json";

/// One page about all experiments that have been reported.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Index {
    /// Each experiment, in order.
    pub entries: Vec<IndexEntry>,
}

/// The entry of one experiment in the index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IndexEntry {
    /// The name of the experiment and of its report's folder.
    pub name: String,
    /// The title.
    pub title: String,
    /// The paper that it repeats.
    pub source: String,
    /// The scale.
    pub scale: String,
    /// The number of finished runs.
    pub runs: usize,
    /// The name of the measured figure.
    pub measures: String,
    /// The verdict on each claim.
    pub findings: Vec<Finding>,
    /// Our results and the paper's.
    pub beside: Vec<PaperComparison>,
}

/// Our result and the paper's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PaperComparison {
    /// Of which variant.
    pub variant: String,
    /// The name of the measured figure.
    pub measures: String,
    /// Our result.
    pub ours: String,
    /// The published result.
    pub published: f64,
}

impl IndexEntry {
    /// The index entry of an experiment.
    pub fn new(runner: &ExperimentRunner, results: &Results) -> IndexEntry {
        let experiment = &runner.experiment;
        let mut beside = Vec::new();
        for (by, of) in
            results.by_protocol().flat_map(|by| by.variants.iter().map(move |of| (by, of)))
        {
            let mut add = |measures: &str, ours: Option<String>, published: Option<f64>| {
                if let (Some(ours), Some(published)) = (ours, published) {
                    let (variant, measures) = (of.variant.name.clone(), measures.to_owned());
                    beside.push(PaperComparison { variant, measures, ours, published });
                }
            };
            let measures = format!("{} ({})", by.measures, by.protocol);
            add(&measures, of.end.map(|end| end.to_string()), of.variant.published);
            if !of.learned.is_empty() {
                let time = of.time_in_words(&of.learned);
                add("training games to learn", Some(time), of.variant.published_time);
            }
        }
        IndexEntry {
            name: runner.name.clone(),
            title: experiment.title.clone(),
            source: experiment.source.clone(),
            scale: runner.scale.name().into(),
            runs: results.runs(),
            measures: results.main.measures.clone(),
            findings: results.findings.clone(),
            beside,
        }
    }

    /// The number of claims with this verdict.
    pub fn count(&self, verdict: ClaimVerdict) -> usize {
        self.findings.iter().filter(|finding| finding.verdict == verdict).count()
    }

    /// The experiment by name, leading to its page.
    fn link(&self) -> Cell {
        Cell { text: self.name.clone(), to: Some(self.name.clone()) }
    }
}

impl Index {
    /// Collects the reports in the subfolders of `folder`.
    ///
    /// # Errors
    ///
    /// If a folder or file cannot be read.
    pub fn gather(folder: &Path) -> Result<Index, RunError> {
        let wrong = |path: &Path| {
            let path = path.to_owned();
            move |error| RunError::File { path, error }
        };
        let mut entries = Vec::new();
        for beside in std::fs::read_dir(folder).map_err(wrong(folder))? {
            let path = beside.map_err(wrong(folder))?.path().join(ENTRY);
            if path.exists() {
                let text = std::fs::read_to_string(&path).map_err(wrong(&path))?;
                let entry = serde_json::from_str(&text);
                let entry: IndexEntry =
                    entry.map_err(|e| Invalid(format!("{}: {e}", path.display())))?;
                entries.push(entry);
            }
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Index { entries })
    }

    /// Writes the page as HTML and Markdown, and its tables as CSV, and says where.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, RunError> {
        let mut page = Page::new("Experiments");
        page.text(
            "What the experiments that come with Ludens found. Each page tells the settings, the \
             numbers, how certain they are, and where we do otherwise than the source.",
        );
        page.parts.push(PagePart::Table(self.overview()));
        page.parts.push(PagePart::Heading("Claims".into()));
        page.parts.push(PagePart::Table(self.claims()));
        let beside = self.beside();
        if beside.len() > 1 {
            page.parts.push(PagePart::Heading("Ours beside what was published".into()));
            page.parts.push(PagePart::Table(beside));
        }
        let csv = |rows: Vec<Vec<Cell>>| {
            let line = |row: Vec<Cell>| {
                row.iter().map(|cell| csv::field(&cell.text)).collect::<Vec<_>>().join(",") + "\n"
            };
            rows.into_iter().map(line).collect::<String>().into_bytes()
        };
        let files = [
            ("index.html".into(), html::write(&page).into_bytes()),
            ("README.md".into(), markdown::write(&page).into_bytes()),
            ("overview.csv".into(), csv(self.overview())),
            ("claims.csv".into(), csv(self.claims())),
            ("published.csv".into(), csv(self.beside())),
        ];
        write_files(&files, folder)
    }

    fn overview(&self) -> Vec<Vec<Cell>> {
        let heading = ["experiment", "about", "source", "scale", "runs"];
        let verdicts = ClaimVerdict::ALL.map(ClaimVerdict::name);
        let row = |entry: &IndexEntry| {
            let plain = [&entry.title[..], &entry.source, &entry.scale, &entry.runs.to_string()];
            let counts = ClaimVerdict::ALL.map(|verdict| entry.count(verdict).to_string());
            let cells = plain.map(Cell::new).into_iter().chain(counts.map(Cell::new));
            std::iter::once(entry.link()).chain(cells).collect()
        };
        let heading = heading.into_iter().chain(verdicts).map(Cell::new).collect();
        std::iter::once(heading).chain(self.entries.iter().map(row)).collect()
    }

    fn claims(&self) -> Vec<Vec<Cell>> {
        let heading = ["experiment", "claim", "verdict", "numbers"].map(Cell::new);
        let mut rows = vec![heading.into_iter().collect()];
        for entry in &self.entries {
            for finding in &entry.findings {
                let numbers = format!("{} ({})", finding.reason, entry.measures);
                let plain = [&finding.claim[..], finding.verdict.name(), &numbers].map(Cell::new);
                rows.push(std::iter::once(entry.link()).chain(plain).collect());
            }
        }
        rows
    }

    fn beside(&self) -> Vec<Vec<Cell>> {
        let heading = ["experiment", "variant", "measure", "ours", "published"].map(Cell::new);
        let mut rows = vec![heading.into_iter().collect()];
        for entry in &self.entries {
            for beside in &entry.beside {
                let PaperComparison { variant, measures, ours, published } = beside;
                let plain = [variant, measures, ours, &published.to_string()].map(Cell::new);
                rows.push(std::iter::once(entry.link()).chain(plain).collect());
            }
        }
        rows
    }
}
