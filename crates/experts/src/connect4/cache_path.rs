//! The location of the cache of solved positions.

use super::cache::Cache;
use std::env::var_os;
use std::ffi::OsString;
use std::path::PathBuf;

/// The size of the default cache: four million positions.
pub const CACHE_BYTES: u64 = 64 << 20;

/// The folder in `LUDENS_CACHE`, or `ludens` in the user's cache folder.
///
/// The user's cache folder is `XDG_CACHE_HOME`, `~/.cache` or, on Windows, `LOCALAPPDATA`. `None`
/// if `LUDENS_CACHE` is `off` or no folder is known.
pub fn cache_folder() -> Option<PathBuf> {
    folder(&|name| var_os(name).filter(|value| !value.is_empty()))
}

/// The cache in its default location; `None` if it cannot be used.
///
/// Without it the solver is slower, but equally exact.
pub fn default_cache() -> Option<Cache> {
    let folder = cache_folder()?;
    std::fs::create_dir_all(&folder).ok()?;
    Cache::open(&folder.join("connect4.cache"), CACHE_BYTES).ok()
}

fn folder(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    match variable("LUDENS_CACHE") {
        Some(off) if off == "off" => None,
        Some(named) => Some(named.into()),
        None => {
            let path = |name| variable(name).map(PathBuf::from);
            let caches = path("XDG_CACHE_HOME")
                .filter(|path| path.is_absolute())
                .or_else(|| Some(path("HOME")?.join(".cache")))
                .or_else(|| path("LOCALAPPDATA"));
            Some(caches?.join("ludens"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &[(&str, &str)]) -> Option<String> {
        let value = |name: &str| {
            let known = variables.iter().find(|(known, _)| *known == name);
            known.map(|(_, value)| OsString::from(value))
        };
        folder(&value).map(|path| path.display().to_string())
    }

    #[test]
    fn the_nearest_word_about_the_place_counts() {
        let home = ("HOME", "/home/a");
        assert_eq!(found(&[home]).unwrap(), "/home/a/.cache/ludens");
        assert_eq!(found(&[home, ("XDG_CACHE_HOME", "/c")]).unwrap(), "/c/ludens");
        assert_eq!(found(&[home, ("XDG_CACHE_HOME", "c")]).unwrap(), "/home/a/.cache/ludens");
        assert_eq!(found(&[home, ("LUDENS_CACHE", "here")]).unwrap(), "here");
        assert_eq!(found(&[home, ("LUDENS_CACHE", "off")]), None);
        assert_eq!(found(&[]), None);
    }
}
