//! The documentation as a static site, by mdBook, with the API documentation inside.

use crate::command::{Program, workspace};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const ABOUT: &str = "builds the documentation as a static site in target/site/book";

const VERSION: &str = "0.5.4";
const TOOLS: &str = "target/tools/mdbook";
const SITE: &str = "target/site";
/// What the site shows or links to; links are the same as in the repository.
const COPIED: [&str; 6] =
    ["docs", "experiments", "notebooks", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];
/// Pages called README keep their names, so that links to them stay as they are.
const CONFIG: &str = "[book]\ntitle = \"Ludens\"\n\n[build]\n\
    use-default-preprocessors = false\n\n[output.html]\nno-section-label = true\n";
/// The page that leads to the API documentation.
const API: &str = "# API documentation\n\n[The crates of Ludens](api/ludens/index.html)\n";

pub(crate) fn run(_: &[String]) -> Result<(), String> {
    install()?;
    let site = workspace().join(SITE);
    let source = site.join("src");
    let _ = fs::remove_dir_all(&site);
    for name in COPIED {
        copy(&workspace().join(name), &source.join(name)).map_err(|e| format!("{name}: {e}"))?;
    }
    write(&site.join("book.toml"), CONFIG)?;
    let index = source.join("docs/README.md");
    let index = fs::read_to_string(&index).map_err(|e| format!("{}: {e}", index.display()))?;
    write(&source.join("README.md"), &from_above(&index))?;
    write(&source.join("API.md"), API)?;
    write(&source.join("SUMMARY.md"), &summary(&source, &index)?)?;
    Program::new(&format!("{TOOLS}/bin/mdbook build {SITE}")).run()?;
    let broken = broken_links(&site.join("book"))?;
    if !broken.is_empty() {
        return Err(format!("links that lead nowhere:\n{}", broken.join("\n")));
    }
    Program::new("cargo doc --workspace --no-deps").run()?;
    let api = site.join("book/api");
    copy(&workspace().join("target/doc"), &api).map_err(|e| format!("target/doc: {e}"))?;
    println!("{SITE}/book/index.html");
    Ok(())
}

fn install() -> Result<(), String> {
    if Program::new(&format!("{TOOLS}/bin/mdbook --version")).succeeds() {
        return Ok(());
    }
    println!("==> installing mdBook {VERSION}; this takes some minutes, once");
    let install = "cargo install mdbook --locked --quiet";
    Program::new(&format!("{install} --version {VERSION} --root {TOOLS}")).run()
}

/// The table of contents: the index of docs by reader, then all pages it does not name.
fn summary(source: &Path, index: &str) -> Result<String, String> {
    let mut text = "# Summary\n\n[Documentation](README.md)\n".to_owned();
    let mut listed = BTreeSet::new();
    for section in index.split("\n## ").skip(1) {
        let title = section.lines().next().unwrap_or_default();
        text += &format!("\n# {title}\n\n");
        for (name, target) in links(section) {
            let path = target.strip_prefix("../").map_or(format!("docs/{target}"), str::to_owned);
            if path.ends_with(".md") && listed.insert(path.clone()) {
                text += &format!("- [{name}]({path})\n");
            }
        }
    }
    text += "\n# More pages\n\n";
    let mut pages = Vec::new();
    collect(&source.join("docs"), "md", &mut pages).map_err(|e| e.to_string())?;
    pages.push(source.join("CHANGELOG.md"));
    for page in pages {
        let path = page.strip_prefix(source).unwrap_or(&page).display().to_string();
        if listed.insert(path.clone()) {
            text += &format!("- [{}]({path})\n", title(&page)?);
        }
    }
    Ok(text + "- [API documentation](API.md)\n")
}

/// A page of docs with links as they are from the folder above.
fn from_above(page: &str) -> String {
    page.replace("](", "](docs/").replace("](docs/../", "](")
}

/// The texts and targets of the links in a text.
fn links(text: &str) -> Vec<(&str, &str)> {
    let link = |part: &'_ str| -> Option<(usize, usize)> {
        let middle = part.find("](")?;
        Some((middle, middle + part[middle..].find(')')?))
    };
    let parts = text.split('[').skip(1);
    parts.filter_map(|part| link(part).map(|(a, b)| (&part[..a], &part[a + 2..b]))).collect()
}

/// The first heading of a page.
fn title(page: &Path) -> Result<String, String> {
    let text = fs::read_to_string(page).map_err(|e| format!("{}: {e}", page.display()))?;
    let heading = text.lines().find_map(|line| line.strip_prefix("# "));
    heading.map(str::to_owned).ok_or_else(|| format!("{} has no heading", page.display()))
}

/// Links between pages of the site whose files are missing.
fn broken_links(book: &Path) -> Result<Vec<String>, String> {
    let mut pages = Vec::new();
    collect(book, "html", &mut pages).map_err(|e| e.to_string())?;
    let mut broken = Vec::new();
    for page in pages.iter().filter(|page| !page.ends_with("print.html")) {
        let text = fs::read_to_string(page).map_err(|e| format!("{}: {e}", page.display()))?;
        let targets = text.split("href=\"").chain(text.split("src=\"")).skip(1);
        for target in targets.filter_map(|rest| rest.split(['"', '#', '?']).next()) {
            let outside = target.starts_with('/') || target.contains([':', '<']);
            let inside = !target.is_empty() && !outside;
            let folder = page.parent().unwrap_or(book);
            let is_api = target.ends_with("api/ludens/index.html");
            if inside && !is_api && !folder.join(target).is_file() {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    Ok(broken)
}

/// All files with this ending below a folder, in order.
fn collect(folder: &Path, ending: &str, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, ending, files)?;
        } else if path.extension().is_some_and(|found| found == ending) {
            files.push(path);
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if from.is_file() {
        fs::create_dir_all(to.parent().unwrap_or(to))?;
        return fs::copy(from, to).map(drop);
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_in_sentences() {
        let text = "see [a b](x.md), or\n[c](../y.md): [not a link]";
        assert_eq!(links(text), [("a b", "x.md"), ("c", "../y.md")]);
        let above = from_above(text);
        assert_eq!(links(&above), [("a b", "docs/x.md"), ("c", "y.md")]);
    }
}
