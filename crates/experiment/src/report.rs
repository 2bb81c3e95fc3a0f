//! What people read: a page, a summary, figures and data.

mod csv;
mod figures;
mod html;
mod markdown;

use crate::{Laboratory, Results};
use ludens_lab::RunError;
use ludens_registry::replace_file;
use std::path::PathBuf;

/// Everything that is told about an experiment: file names and their content.
pub struct Report {
    files: Vec<(String, Vec<u8>)>,
}

impl Report {
    /// The report about what has been finished so far.
    pub fn new(laboratory: &Laboratory, results: &Results) -> Report {
        let figures = figures::figures(laboratory, results);
        let mut files: Vec<(String, Vec<u8>)> = vec![
            ("curves.csv".into(), csv::curves(results).into()),
            ("results.csv".into(), csv::results(results).into()),
            ("summary.md".into(), markdown::page(laboratory, results, &figures).into()),
            ("index.html".into(), html::page(laboratory, results, &figures).into()),
        ];
        files.extend(figures.into_iter().map(|figure| (figure.file(), figure.svg.into())));
        Report { files }
    }

    /// Writes all files into the folder of the laboratory, and says where.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn write(&self, laboratory: &Laboratory) -> Result<Vec<PathBuf>, RunError> {
        let folder = laboratory.folder.join("report");
        let wrong = |path: PathBuf| move |error| RunError::File { path, error };
        std::fs::create_dir_all(&folder).map_err(wrong(folder.clone()))?;
        let mut written = Vec::new();
        for (name, content) in &self.files {
            let path = folder.join(name);
            replace_file(&path, |out| out.write_all(content)).map_err(wrong(path.clone()))?;
            written.push(path);
        }
        Ok(written)
    }
}

/// The rows of the table of results, heading first.
fn table(laboratory: &Laboratory, results: &Results) -> Vec<Vec<String>> {
    let line = laboratory.experiment.learned;
    let published = results.variants.iter().any(|results| results.variant.published.is_some());
    let mut heading: Vec<String> =
        ["variant", "runs", "at the end", "last quarter", "on average"].map(String::from).into();
    if let Some(line) = line {
        heading.push(format!("episodes to {line}"));
    }
    if published {
        heading.push("published".into());
    }
    let row = |of: &crate::VariantResults| {
        let spread = |spread: &Option<crate::Spread>| spread.map_or("-".into(), |s| s.to_string());
        let mut row = vec![of.variant.name.clone(), of.curves.len().to_string()];
        row.extend([&of.end, &of.asymptote, &of.area].map(spread));
        if line.is_some() {
            row.push(of.median_time().map_or("never".into(), |time| format!("{time:.0}")));
        }
        if published {
            row.push(of.variant.published.map_or("-".into(), |figure| figure.to_string()));
        }
        row
    };
    std::iter::once(heading).chain(results.variants.iter().map(row)).collect()
}
