//! Cargo's metadata of the packages.

use crate::command::Program;
use serde_json::Value;

/// A package of the workspace or a dependency.
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// As an SPDX expression; empty if none is declared.
    pub(crate) licence: String,
    /// Whether it belongs to the workspace.
    pub(crate) ours: bool,
    pub(crate) uses: Vec<Dependency>,
}

/// That a package declares another as dependency.
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// Whether only its tests, examples and benchmarks use it.
    pub(crate) for_tests: bool,
}

/// Every package of the workspace and every dependency that may be compiled for it.
pub(crate) fn packages() -> Result<Vec<Package>, String> {
    let text = Program::new("cargo metadata --format-version 1").output()?;
    let metadata: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let members = list(&metadata["workspace_members"]);
    Ok(list(&metadata["packages"]).iter().map(|package| read(package, members)).collect())
}

fn read(package: &Value, members: &[Value]) -> Package {
    let read_use =
        |used: &Value| Dependency { name: text(&used["name"]), for_tests: used["kind"] == "dev" };
    Package {
        name: text(&package["name"]),
        version: text(&package["version"]),
        licence: text(&package["license"]),
        ours: members.contains(&package["id"]),
        uses: list(&package["dependencies"]).iter().map(read_use).collect(),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().into()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
