//! Any text as the file of an experiment.

#![no_main]

use ludens_experiment::Experiment;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(experiment) = Experiment::parse("fuzzed", text) else { return };
    let written = toml::to_string(&experiment).expect("an experiment can be written");
    assert_eq!(Experiment::parse("again", &written).as_ref(), Ok(&experiment), "{text:?}");
});
