//! Any lines as questions to `ludens analyze`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    ludens_cli::fuzzing::analyze(text);
});
