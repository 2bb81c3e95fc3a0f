//! Documentation pages and reports.

mod html;

use crate::app_state::AppState;
use crate::page::{DOCS, kind_of};
use crate::problem::Problem;
use crate::routes::{ImageReply, NoInput};
use crate::runs_root::{below, is_inside};
use html::to_html;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Every page.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Pages {
    pages: Vec<PageSummary>,
}

/// A page, by name.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "PageTold")]
struct PageSummary {
    id: String,
    title: String,
    kind: PageKind,
}

/// What a page is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum PageKind {
    Game,
    Guide,
    Method,
    Report,
}

/// A page to read.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "PageInFull")]
pub(crate) struct PageView {
    id: String,
    title: String,
    kind: PageKind,
    html: String,
    markdown: String,
}

/// Which page.
#[derive(Deserialize, JsonSchema)]
#[serde(rename = "OfPage", deny_unknown_fields)]
pub(crate) struct PageQuery {
    /// Its name, slashes included.
    id: String,
}

/// Which picture.
#[derive(Deserialize, JsonSchema)]
#[serde(rename = "OfPicture", deny_unknown_fields)]
pub(crate) struct PictureQuery {
    /// Its name, slashes included.
    name: String,
}

/// The path of a report below its folder.
const REPORT: &str = "report/summary.md";
const DEPTH: usize = 4;

/// `GET /api/pages`
pub(crate) fn list(app: &Arc<AppState>, _: NoInput) -> Result<Pages, Problem> {
    let docs = DOCS.iter().filter_map(|(name, content)| {
        let id = name.strip_suffix(".md")?;
        let text = std::str::from_utf8(content).ok()?;
        Some(PageSummary { id: id.into(), title: title(text, id), kind: kind(id) })
    });
    let reports = reports(&app.runs).into_iter().filter_map(|(id, folder)| {
        let text = String::from_utf8(read_inside(&app.runs, &folder.join(REPORT))?).ok()?;
        let title = title(&text, &id);
        Some(PageSummary { id: format!("reports/{id}"), title, kind: PageKind::Report })
    });
    let mut pages: Vec<PageSummary> = docs.chain(reports).collect();
    pages.sort_by(|a, b| a.kind.cmp(&b.kind).then_with(|| a.title.cmp(&b.title)));
    Ok(Pages { pages })
}

/// `GET /api/pages/{*id}`
pub(crate) fn page(app: &Arc<AppState>, PageQuery { id }: PageQuery) -> Result<PageView, Problem> {
    let unknown = || Problem::unknown(format!("there is no page {id:?}"));
    let (markdown, pictures) = match id.strip_prefix("reports/") {
        Some(report) => {
            let path = below(&app.runs, report).ok_or_else(unknown)?.join(REPORT);
            let text =
                read_inside(&app.runs, &path).and_then(|bytes| String::from_utf8(bytes).ok());
            let text = text.ok_or_else(unknown)?;
            (text, format!("reports/{report}/"))
        }
        None => {
            let file = format!("{id}.md");
            let found = DOCS.iter().find(|(name, _)| *name == file).ok_or_else(unknown)?;
            let text = std::str::from_utf8(found.1).map_err(|_| unknown())?;
            (text.to_owned(), String::new())
        }
    };
    let folder = id.rsplit_once('/').map_or("", |(folder, _)| folder);
    let html = to_html(&markdown, folder, &pictures);
    Ok(PageView { title: title(&markdown, &id), kind: kind(&id), id, html, markdown })
}

/// `GET /api/pictures/{*name}`
pub(crate) fn picture(app: &Arc<AppState>, request: PictureQuery) -> Result<ImageReply, Problem> {
    let name = request.name;
    let unknown = || Problem::unknown(format!("there is no picture {name:?}"));
    let kind = Some(kind_of(&name)).filter(|kind| kind.starts_with("image/"));
    let kind = kind.ok_or_else(unknown)?;
    let content = match name.strip_prefix("reports/").and_then(|rest| rest.rsplit_once('/')) {
        Some((report, file)) => {
            let folder = below(&app.runs, report).ok_or_else(unknown)?.join("report");
            let path = below(&folder, file).ok_or_else(unknown)?;
            read_inside(&app.runs, &path).ok_or_else(unknown)?
        }
        None => DOCS.iter().find(|(known, _)| *known == name).ok_or_else(unknown)?.1.to_vec(),
    };
    Ok(ImageReply { kind, content })
}

/// The content of a file, unless it lies elsewhere than below the folder of all runs.
fn read_inside(runs: &Path, path: &Path) -> Option<Vec<u8>> {
    is_inside(runs, path).then(|| std::fs::read(path).ok()).flatten()
}

/// The first heading, or else the name.
fn title(markdown: &str, id: &str) -> String {
    let heading = markdown.lines().find_map(|line| line.strip_prefix("# "));
    heading.map_or_else(|| id.into(), |text| text.replace('`', "").trim().into())
}

fn kind(id: &str) -> PageKind {
    match id.split_once('/').map_or("", |(folder, _)| folder) {
        "games" => PageKind::Game,
        "methods" => PageKind::Method,
        "reports" => PageKind::Report,
        _ => PageKind::Guide,
    }
}

/// Every folder with a report, by its path below the folder of all runs.
fn reports(runs: &Path) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    collect(runs, runs, DEPTH, &mut found);
    found.sort();
    found
}

fn collect(runs: &Path, at: &Path, depth: usize, found: &mut Vec<(String, PathBuf)>) {
    let Ok(entries) = std::fs::read_dir(at) else { return };
    let folders = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
    for path in folders.filter(|path| is_inside(runs, path)) {
        let id = path.strip_prefix(runs).ok().and_then(Path::to_str);
        if path.join(REPORT).is_file() {
            found.extend(id.map(|id| (id.replace('\\', "/"), path.clone())));
        } else if depth > 0 && !path.join("run.toml").is_file() {
            collect(runs, &path, depth - 1, found);
        }
    }
}
