//! The `ludens` command.

fn main() -> std::process::ExitCode {
    ludens_cli::main()
}
