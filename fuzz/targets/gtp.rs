//! Any lines as commands of the Go Text Protocol, and as answers of an engine.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    ludens_cli::fuzzing::gtp(text);
});
