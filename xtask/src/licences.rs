//! Licences of the dependencies, and versions that come twice.
//!
//! A quick form of what `cargo xtask deny` checks in full; both follow `deny.toml`.

use crate::metadata::{Package, packages};

pub(crate) const ABOUT: &str = "every dependency is permissively licensed and comes in one version";

/// The licences that anything we use may have.
const PERMISSIVE: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Packages that may come in several versions, and why.
const TWICE: &[(&str, &str)] = &[];

pub(crate) fn check() -> Result<(), String> {
    let packages = packages()?;
    let unlicensed = packages.iter().filter(|package| !is_permissive(&package.licence));
    let mut wrong: Vec<_> = unlicensed.map(licence_complaint).collect();
    let mut names: Vec<_> = packages.iter().map(|p| (&p.name, &p.version)).collect();
    names.sort();
    let twice = names.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let unexplained = twice.filter(|pair| TWICE.iter().all(|(name, _)| name != pair[0].0));
    wrong.extend(unexplained.map(|pair| {
        format!(
            "{} comes as {} and as {}; see TWICE in {}",
            pair[0].0,
            pair[0].1,
            pair[1].1,
            file!()
        )
    }));
    println!("{} packages", packages.len());
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn licence_complaint(package: &Package) -> String {
    let Package { name, version, licence, .. } = package;
    format!("{name} {version} has the licence {licence:?}; see PERMISSIVE in {}", file!())
}

/// Whether the SPDX `expression` lets us choose permissive licences only.
///
/// Reads `OR`, `AND`, brackets, the old `/` for `OR`, and ignores exceptions after `WITH`, which
/// only ever permit more.
fn is_permissive(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    any_of(&words)
}

fn any_of(words: &[&str]) -> bool {
    split(words, "OR").into_iter().any(|part| split(part, "AND").into_iter().all(single))
}

fn single(words: &[&str]) -> bool {
    match words {
        ["(", inner @ .., ")"] => any_of(inner),
        [licence] | [licence, "WITH", _] => PERMISSIVE.contains(licence),
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
    use super::is_permissive;

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
