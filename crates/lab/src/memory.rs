//! Memory, counted before it is taken.

use crate::Plan;
use crate::machine::field_of;
use ludens_core::Invalid;
use ludens_registry::open_game;
use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// The memory that this process may still take, in bytes, if known.
///
/// The least of what the system has available, what the control groups leave, and what the limit of
/// the address space leaves (`ulimit -v`).
pub fn free_memory() -> Option<u64> {
    [available(), left_in_groups(), left_of_address_space()].into_iter().flatten().min()
}

/// Refuses a run that needs more memory than there is, before it takes any.
///
/// # Errors
///
/// If it does, with both figures, or if the plan cannot be carried out.
pub fn check_memory(plan: &Plan) -> Result<(), Invalid> {
    let needed = open_game(&plan.config.game)?.training_bytes(&plan.config, plan.seed)?;
    match free_memory() {
        Some(free) if needed > free => Err(too_little(needed, free)),
        _ => Ok(()),
    }
}

fn too_little(needed: u64, free: u64) -> Invalid {
    let (needed, free) = (megabytes(needed), megabytes(free));
    Invalid(format!("the run needs {needed} MB of memory, but only {free} MB are available"))
}

fn megabytes(bytes: u64) -> u64 {
    bytes.div_ceil(1_000_000)
}

fn available() -> Option<u64> {
    kilobytes(&field_of("/proc/meminfo", "MemAvailable")?)
}

fn kilobytes(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// What the limits of the control groups of this process leave, from the innermost to the root.
fn left_in_groups() -> Option<u64> {
    let groups = read_to_string("/proc/self/cgroup").ok()?;
    let of_line = |line: &str| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?);
        let (root, limit, usage) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
            "memory" => {
                let root = "/sys/fs/cgroup/memory";
                (root, "memory.limit_in_bytes", "memory.usage_in_bytes")
            }
            _ => return None,
        };
        left_below(Path::new(root), path, limit, usage)
    };
    groups.lines().filter_map(of_line).min()
}

/// The least that the groups on the way from `root` to `path` leave.
fn left_below(root: &Path, path: &str, limit: &str, usage: &str) -> Option<u64> {
    let number = |path: PathBuf| read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let inner = root.join(path.trim_start_matches('/'));
    let left = |group: &Path| {
        let limit = number(group.join(limit))?;
        Some(limit.saturating_sub(number(group.join(usage)).unwrap_or(0)))
    };
    inner.ancestors().take_while(|group| group.starts_with(root)).filter_map(left).min()
}

fn left_of_address_space() -> Option<u64> {
    let limits = read_to_string("/proc/self/limits").ok()?;
    let limit = address_space_limit(&limits)?;
    let used = kilobytes(&field_of("/proc/self/status", "VmSize")?)?;
    Some(limit.saturating_sub(used))
}

/// The soft limit of the address space; nothing if it is unlimited.
fn address_space_limit(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_learn::Config;
    use ludens_learn::config::{TuplesConfig, ValueConfig};

    #[test]
    fn this_process_has_some_memory_left() {
        assert!(free_memory().is_none_or(|bytes| bytes > 1 << 20));
    }

    #[test]
    fn a_limit_of_the_address_space_is_read() {
        let line = |limit: &str| format!("Limit  Soft  Hard\nMax address space   {limit}  bytes");
        assert_eq!(address_space_limit(&line("unlimited            unlimited")), None);
        assert_eq!(address_space_limit(&line("4294967296           unlimited")), Some(1 << 32));
    }

    #[test]
    fn the_tightest_group_counts() {
        let root = std::env::temp_dir().join(format!("ludens-groups-{}", std::process::id()));
        let write = |path: &str, limit: &str, usage: &str| {
            let group = root.join(path);
            std::fs::create_dir_all(&group).unwrap();
            std::fs::write(group.join("memory.max"), limit).unwrap();
            std::fs::write(group.join("memory.current"), usage).unwrap();
        };
        write("", "max\n", "5\n");
        write("a", "1000\n", "400\n");
        write("a/b", "900\n", "200\n");
        let left = |path| left_below(&root, path, "memory.max", "memory.current");
        assert_eq!((left("/a/b"), left("/a"), left("/")), (Some(600), Some(600), None));
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn a_run_that_needs_more_than_there_is_is_refused_before_it_takes_anything() {
        let mut plan = Plan::new(Config { game: "2048".into(), ..Config::default() }, 1);
        let ValueConfig::Ntuple(ntuple) = &mut plan.config.value else { panic!("not the default") };
        // 15 tuples of 7 cells have 4 billion weights: 16 GB, and as much again for each copy.
        let tuple = |shift: u16| (shift..shift + 7).collect::<Vec<u16>>();
        ntuple.tuples = TuplesConfig::Listed((0..10).map(tuple).collect());
        let game = open_game("2048").unwrap();
        let needed = game.training_bytes(&plan.config, 1).unwrap();
        assert!(needed >= 10 * 4 * (1 << 28), "{needed}");
        let refused = too_little(48_000_000_000, 3_200_000_000).to_string();
        assert_eq!(refused, "the run needs 48000 MB of memory, but only 3200 MB are available");
        if free_memory().is_some_and(|free| free < needed) {
            assert!(check_memory(&plan).unwrap_err().to_string().contains("MB are available"));
        }
    }
}
