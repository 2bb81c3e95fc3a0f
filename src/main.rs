//! The `ludens` command.

fn main() {}
