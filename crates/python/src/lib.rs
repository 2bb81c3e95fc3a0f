//! Ludens for Python: a thin layer over what the registry and the lab hold.
//!
//! The package `ludens` in `python/` is what people use; this module, `ludens._ludens`, is what it
//! is made of. Work that may take long is done without the interpreter lock; a panic is raised as
//! an exception.

mod actors;
mod agents;
mod arena;
mod batch;
mod errors;
mod evaluators;
mod figure;
mod game;
mod integers;
mod new_run;
mod notes;
mod rules;
mod selfplay;
mod serve;
mod shutdown;
mod solve;
mod state;
mod train;
mod value;
mod work;

use pyo3::prelude::*;
use std::process::ExitCode;

/// Does what the `ludens` command does with these arguments, and returns its exit code.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<String>) -> u8 {
    let code = py.detach(|| ludens_cli::main_with(arguments));
    let known = |number: &u8| code == ExitCode::from(*number);
    (0..=u8::MAX).find(known).unwrap_or(1)
}

/// What the package `ludens` is made of.
#[pymodule]
mod _ludens {
    #[pymodule_export]
    use crate::actors::PyPlayer;
    #[pymodule_export]
    use crate::agents::add_agent;
    #[pymodule_export]
    use crate::arena::{agent_names, contest, game_names, measure, tournament};
    #[pymodule_export]
    use crate::batch::PyBatch;
    #[pymodule_export]
    use crate::command;
    #[pymodule_export]
    use crate::errors::{Failed, Invalid};
    #[pymodule_export]
    use crate::evaluators::add_evaluator;
    #[pymodule_export]
    use crate::figure::curve_svg;
    #[pymodule_export]
    use crate::game::{PyGame, game};
    #[pymodule_export]
    use crate::rules::{add_rules, known_rules, list_rules};
    #[pymodule_export]
    use crate::selfplay::selfplay;
    #[pymodule_export]
    use crate::serve::PySite;
    #[pymodule_export]
    use crate::shutdown::close;
    #[pymodule_export]
    use crate::solve::solve;
    #[pymodule_export]
    use crate::state::PyState;
    #[pymodule_export]
    use crate::train::{PyTraining, begin_run, check_run, resume_run};
    #[pymodule_export]
    use crate::value::{PyValue, about_value, value_path, write_value};

    /// Panics are raised and notes are warnings; games and agents in Python join the tables.
    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::types::PyAnyMethods;
        let close = module.getattr("close")?;
        module.py().import("atexit")?.call_method1("register", (close,))?;
        crate::work::raise_panics();
        ludens_registry::set_note_listener(crate::notes::warn);
        ludens_registry::add_plugins(ludens_registry::Plugins {
            games: crate::rules::GAME_ENTRIES,
            listed: crate::rules::listed,
            agent: crate::agents::open,
            value: crate::evaluators::open,
            plugin_error: crate::work::plugin_error,
        });
        Ok(())
    }
}
