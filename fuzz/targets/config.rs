//! Any text as a file of settings, as one setting, and as the plan of a run.

#![no_main]

use ludens_lab::{Layers, Plan};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let mut layers = Layers::default();
    if layers.add_file("fuzzed", text).is_ok() {
        layers.config().expect("a file that was accepted is a configuration");
    }
    let mut layers = Layers::default();
    if layers.set(text).is_ok() {
        layers.config().expect("a setting that was accepted is a configuration");
    }
    if let Ok(plan) = toml::from_str::<Plan>(text) {
        let written = toml::to_string(&plan).expect("a plan can be written");
        toml::from_str::<Plan>(&written).expect("a plan that was written is read");
    }
});
