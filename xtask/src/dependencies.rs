//! The direction of dependencies between the crates of the workspace.

use crate::metadata::{Package, packages};

pub(crate) const ABOUT: &str = "our crates use only the crates they may use";

/// Each crate and the crates it may use. A new crate adds its line here.
const MAY_USE: &[(&str, &[&str])] = &[
    ("ludens-core", &[]),
    ("ludens-files", &[]),
    ("ludens-simd", &["ludens-core"]),
    ("ludens-games", &["ludens-core", "ludens-simd"]),
    ("ludens-approx", &["ludens-core", "ludens-simd"]),
    ("ludens-search", &["ludens-core"]),
    ("ludens-learn", &["ludens-core", "ludens-simd", "ludens-approx"]),
    ("ludens-experts", &["ludens-core", "ludens-files", "ludens-games", "ludens-simd"]),
    ("ludens-arena", &["ludens-core", "ludens-files", "ludens-learn", "ludens-search"]),
    (
        "ludens-registry",
        &[
            "ludens-core",
            "ludens-files",
            "ludens-games",
            "ludens-approx",
            "ludens-search",
            "ludens-learn",
            "ludens-experts",
            "ludens-arena",
        ],
    ),
    // What is chosen about a run and how it is measured are plain data of learn and arena.
    // Of simd the tests use the allocator that fails.
    (
        "ludens-lab",
        &[
            "ludens-core",
            "ludens-files",
            "ludens-simd",
            "ludens-learn",
            "ludens-arena",
            "ludens-registry",
        ],
    ),
    // The same statistics and figures serve a match and an experiment.
    (
        "ludens-experiment",
        &[
            "ludens-core",
            "ludens-files",
            "ludens-learn",
            "ludens-arena",
            "ludens-registry",
            "ludens-lab",
        ],
    ),
    (
        "ludens-cli",
        &[
            "ludens-core",
            "ludens-files",
            "ludens-simd",
            "ludens-learn",
            "ludens-registry",
            "ludens-lab",
            "ludens-experiment",
            "ludens-speed",
            "ludens-web",
        ],
    ),
    // The form for a training is built from the schema of what learn lets one choose.
    (
        "ludens-web",
        &["ludens-core", "ludens-learn", "ludens-registry", "ludens-lab", "ludens-experiment"],
    ),
    // The wheel carries the command, and a run is described as the command line does it; the page
    // also shows games that are written in Python.
    (
        "ludens-python",
        &[
            "ludens-core",
            "ludens-files",
            "ludens-learn",
            "ludens-registry",
            "ludens-lab",
            "ludens-experiment",
            "ludens-cli",
            "ludens-web",
        ],
    ),
    // Training is measured as the registry compiles it: compiling it again would take longer.
    (
        "ludens-speed",
        &[
            "ludens-core",
            "ludens-games",
            "ludens-simd",
            "ludens-approx",
            "ludens-search",
            "ludens-learn",
            "ludens-registry",
        ],
    ),
    ("ludens-bench", &["ludens-core", "ludens-registry", "ludens-speed"]),
    ("xtask", &[]),
];

/// The facade crate, which re-exports the others and may use all of them.
const FACADE: &str = "ludens";

/// The crates that the tests of any crate may use.
const FOR_TESTS: &[&str] = &["ludens-core", "ludens-games"];

pub(crate) fn check() -> Result<(), String> {
    let packages = packages()?;
    let ours: Vec<&Package> = packages.iter().filter(|package| package.ours).collect();
    let names: Vec<&str> = ours.iter().map(|package| package.name.as_str()).collect();
    let wrong: Vec<_> = ours.iter().flat_map(|package| violations(package, &names)).collect();
    println!("{} crates", ours.len());
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn violations(package: &Package, ours: &[&str]) -> Vec<String> {
    let name = package.name.as_str();
    if name == FACADE {
        return Vec::new();
    }
    let Some((_, may)) = MAY_USE.iter().find(|(crate_, _)| *crate_ == name) else {
        return vec![format!("{name} is unknown: add its line to MAY_USE in {}", file!())];
    };
    let allowed = |used: &str, for_tests: bool| {
        may.contains(&used) || for_tests && FOR_TESTS.contains(&used) || !ours.contains(&used)
    };
    let used = package.uses.iter().filter(|used| !allowed(&used.name, used.for_tests));
    used.map(|used| format!("{name} may not use {}; see MAY_USE in {}", used.name, file!()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Dependency;

    fn violations_of(name: &str, used: &str, for_tests: bool) -> Vec<String> {
        let uses = vec![Dependency { name: used.into(), for_tests }];
        let (name, version, licence) = (name.into(), String::new(), String::new());
        let package = Package { name, version, licence, ours: true, uses };
        violations(&package, &["ludens-core", "ludens-games", "ludens-registry"])
    }

    #[test]
    fn crates_use_only_what_stands_left_of_them() {
        assert_eq!(violations_of("ludens-games", "ludens-core", false), [""; 0]);
        assert_eq!(violations_of("ludens-games", "rand_core", false), [""; 0]);
        assert!(violations_of("ludens-core", "ludens-games", false)[0].contains("may not use"));
        assert!(violations_of("ludens-lab", "ludens-games", false)[0].contains("may not use"));
    }

    #[test]
    fn tests_may_use_games() {
        assert_eq!(violations_of("ludens-core", "ludens-games", true), [""; 0]);
        assert!(violations_of("ludens-core", "ludens-registry", true)[0].contains("may not use"));
    }

    #[test]
    fn an_unknown_crate_must_be_entered() {
        assert!(violations_of("ludens-extra", "serde", false)[0].contains("add its line"));
    }
}
