//! Licences of the dependencies, and versions that come twice.
//!
//! A quick form of what `cargo xtask deny` checks in full. Both follow `deny.toml`.

use crate::command::workspace;
use crate::metadata::{Package, packages};
use toml::{Table, Value};

pub(crate) const ABOUT: &str = "every dependency is permissively licensed and comes in one version";

/// The licences that `deny.toml` allows.
struct LicencePolicy {
    licences: Vec<String>,
    /// Packages that may come in several versions.
    twice: Vec<String>,
}

pub(crate) fn check() -> Result<(), String> {
    let (policy, packages) = (policy()?, packages()?);
    let wrong = [licence_violations(&policy, &packages), version_violations(&policy, &packages)];
    let wrong = wrong.concat();
    println!("{} packages", packages.len());
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn policy() -> Result<LicencePolicy, String> {
    let text = std::fs::read_to_string(workspace().join("deny.toml"))
        .map_err(|e| format!("deny.toml: {e}"))?;
    let table: Table = text.parse().map_err(|e| format!("deny.toml: {e}"))?;
    let list = |section: &str, key: &str| -> Vec<Value> {
        let found = table.get(section).and_then(|section| section.get(key)?.as_array().cloned());
        found.unwrap_or_default()
    };
    let licence = |value: &Value| value.as_str().map(str::to_owned);
    let name = |value: &Value| {
        let spec = value.get("crate")?.as_str()?;
        Some(spec.split('@').next().unwrap_or(spec).to_owned())
    };
    Ok(LicencePolicy {
        licences: list("licenses", "allow").iter().filter_map(licence).collect(),
        twice: list("bans", "skip").iter().filter_map(name).collect(),
    })
}

fn licence_violations(policy: &LicencePolicy, packages: &[Package]) -> Vec<String> {
    let allowed = |licence: &str| policy.licences.iter().any(|known| known == licence);
    let refused = packages.iter().filter(|package| !permits(&package.licence, &allowed));
    let violation = |Package { name, version, licence, .. }: &Package| {
        format!("{name} {version} has the licence {licence:?}, which deny.toml does not allow")
    };
    refused.map(violation).collect()
}

fn version_violations(policy: &LicencePolicy, packages: &[Package]) -> Vec<String> {
    let mut names: Vec<_> = packages.iter().map(|p| (&p.name, &p.version)).collect();
    names.sort();
    let twice = names.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let unexplained = twice.filter(|pair| !policy.twice.contains(pair[0].0));
    let violation = |pair: &[(&String, &String)]| {
        let (name, a, b) = (pair[0].0, pair[0].1, pair[1].1);
        format!("{name} comes as {a} and as {b}; use one, or give a reason in deny.toml, bans.skip")
    };
    unexplained.map(violation).collect()
}

/// Whether the SPDX `expression` lets us choose `allowed` licences only.
///
/// Reads `OR`, `AND`, brackets, the old `/` for `OR`, and ignores exceptions after `WITH`, which
/// only ever permit more.
fn permits(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    any_of(&words, allowed)
}

fn any_of(words: &[&str], allowed: &dyn Fn(&str) -> bool) -> bool {
    let all = |part| split(part, "AND").into_iter().all(|words| single(words, allowed));
    split(words, "OR").into_iter().any(all)
}

fn single(words: &[&str], allowed: &dyn Fn(&str) -> bool) -> bool {
    match words {
        ["(", inner @ .., ")"] => any_of(inner, allowed),
        [licence] | [licence, "WITH", _] => allowed(licence),
        _ => false,
    }
}

/// The parts of `words` between those `at` that stand outside brackets.
fn split<'a, 'w>(words: &'a [&'w str], at: &str) -> Vec<&'a [&'w str]> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0, 0);
    for (i, &word) in words.iter().enumerate() {
        match word {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ if word == at && depth == 0 => {
                parts.push(&words[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&words[from..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::permits;

    fn is_permissive(expression: &str) -> bool {
        permits(expression, &|licence| {
            ["MIT", "Apache-2.0", "Zlib", "Unicode-3.0"].contains(&licence)
        })
    }

    #[test]
    fn a_choice_needs_one_permissive_licence_and_a_sum_needs_all() {
        assert!(is_permissive("MIT OR GPL-3.0-only"));
        assert!(is_permissive("GPL-2.0/MIT"));
        assert!(!is_permissive("MIT AND GPL-3.0-only"));
        assert!(is_permissive("(MIT OR GPL-3.0-only) AND Unicode-3.0"));
        assert!(!is_permissive("GPL-3.0-only AND (MIT OR Zlib)"));
        assert!(is_permissive("Apache-2.0 WITH LLVM-exception OR GPL-3.0-only"));
    }

    #[test]
    fn no_licence_is_not_permissive() {
        assert!(!is_permissive(""));
        assert!(!is_permissive("custom words"));
    }
}
