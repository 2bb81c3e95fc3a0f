//! Any query or body for any route of the server.
//!
//! Input: a byte for the route, then the query or the body.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [route, input @ ..] = data else { return };
    ludens_web::fuzzing::request((*route).into(), input);
});
