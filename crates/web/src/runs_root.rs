//! Paths that stay below the folder of all runs, wherever links lead.

use std::path::{Component, Path, PathBuf};

/// The path called `name` below a folder; `None` if the name would leave the folder.
pub(crate) fn below(folder: &Path, name: &str) -> Option<PathBuf> {
    let plain = |part| matches!(part, Component::Normal(_));
    let stays = !name.is_empty() && !name.contains(['\\', '\0']);
    let stays = stays && Path::new(name).components().all(plain);
    stays.then(|| folder.join(name))
}

/// Whether a path exists and lies below the folder of all runs, all links followed.
pub(crate) fn is_inside(runs: &Path, path: &Path) -> bool {
    let real = runs.canonicalize().and_then(|root| Ok((root, path.canonicalize()?)));
    real.is_ok_and(|(root, path)| path.starts_with(root))
}

/// Whether a folder and everything in it lie below the folder of all runs, all links followed.
pub(crate) fn holds_only_inside(runs: &Path, folder: &Path) -> bool {
    let Ok(entries) = folder.read_dir() else { return false };
    let leads_out = |entry: std::fs::DirEntry| {
        entry.file_type().is_ok_and(|kind| kind.is_symlink()) && !is_inside(runs, &entry.path())
    };
    is_inside(runs, folder) && !entries.flatten().any(leads_out)
}
