//! Lists the files of the page and of the documentation, so that the program carries them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    let page = table("PAGE", &here.join("page"), &|_| true)?;
    // The symbolic link becomes a copy in the published crate; not every checkout has it.
    let folders = [here.join("../../docs"), here.join("docs")];
    let folder = folders.iter().find(|folder| folder.join("play.md").is_file());
    let folder = folder.ok_or_else(|| io::Error::other("the folder docs is missing"))?;
    let pages = pages(folder)?;
    let docs = table("DOCS", folder, &|path| is_read(path, &pages))?;
    fs::write(out.join("files.rs"), page + &docs)
}

/// Whether people read a file of the documentation in the page. PNG files are large: only those that
/// a page shows are there.
fn is_read(path: &Path, pages: &str) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    ["md", "svg"].contains(&ending) || ending == "png" && pages.contains(name)
}

/// The text of all pages below a folder.
fn pages(folder: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    files.iter().map(fs::read_to_string).collect()
}

/// A table of the files below a folder, by their names there.
fn table(name: &str, folder: &Path, wanted: &dyn Fn(&Path) -> bool) -> io::Result<String> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.retain(|path| wanted(path));
    files.sort();
    let mut text = format!("pub(crate) static {name}: &[(&str, &[u8])] = &[\n");
    for path in files {
        let below = path.strip_prefix(folder).map_err(io::Error::other)?;
        let below = below.to_string_lossy().replace('\\', "/");
        let _ = writeln!(text, "    ({below:?}, include_bytes!({:?})),", path.display());
    }
    Ok(text + "];\n")
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo:rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => collect(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}
