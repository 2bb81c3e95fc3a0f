//! Chores of the workspace: `cargo xtask <chore>`.

mod bench;
mod bless;
mod browser;
mod champions;
mod command;
mod demo;
mod deny;
mod dependencies;
mod dist;
mod engines;
mod fuzz;
mod house_style;
mod instructions;
mod kill;
mod licences;
mod load;
mod memory;
mod metadata;
mod peers;
mod peers_search;
mod performance;
mod python;
mod results;
mod sanitize;
mod site;
mod speed;
mod step;
mod test;

use std::process::ExitCode;

/// A chore: its name, what it does, and the function that does it with its arguments.
struct Chore {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<(), String>,
}

/// Every chore, one file each.
const CHORES: &[Chore] = &[
    Chore { name: "test", about: test::ABOUT, run: test::run },
    Chore { name: "champions", about: champions::ABOUT, run: champions::run },
    Chore { name: "bless", about: bless::ABOUT, run: bless::run },
    Chore { name: "pictures", about: browser::PICTURES, run: browser::pictures },
    Chore { name: "demo", about: demo::ABOUT, run: demo::run },
    Chore { name: "docs", about: site::ABOUT, run: site::run },
    Chore { name: "peers", about: peers::ABOUT, run: peers::run },
    Chore { name: "bench", about: bench::ABOUT, run: bench::run },
    Chore { name: "speed", about: speed::ABOUT, run: speed::run },
    Chore { name: "load", about: load::ABOUT, run: load::run },
    Chore { name: "results", about: results::ABOUT, run: results::run },
    Chore { name: "memory", about: memory::ABOUT, run: memory::run },
    Chore { name: "sanitize", about: sanitize::ABOUT, run: sanitize::run },
    Chore { name: "kill", about: kill::ABOUT, run: kill::run },
    Chore { name: "fuzz", about: fuzz::ABOUT, run: fuzz::run },
    Chore { name: "dist", about: dist::ABOUT, run: dist::run },
    Chore { name: "sdist", about: python::SDIST_ABOUT, run: python::sdist },
    Chore { name: "deny", about: deny::ABOUT, run: deny::run },
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let wanted = args.first().map_or("--help", String::as_str);
    if ["help", "--help", "-h"].contains(&wanted) {
        print!("{}", usage());
        return ExitCode::SUCCESS;
    }
    let Some(chore) = CHORES.iter().find(|chore| chore.name == wanted) else {
        eprint!("no chore is called {wanted:?}\n\n{}", usage());
        return ExitCode::from(2);
    };
    match (chore.run)(&args[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    let line = |chore: &Chore| format!("  {:<9} {}\n", chore.name, chore.about);
    format!("usage: cargo xtask <chore>\n\n{}", CHORES.iter().map(line).collect::<String>())
}
