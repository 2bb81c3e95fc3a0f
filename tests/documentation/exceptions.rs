//! The commands that do not run as they are shown, and why.

/// What is done with a command that does not run as it is shown.
pub(crate) enum Treatment {
    /// This runs instead: the same command made short, with what a person would type, or without
    /// programs that need not be there.
    Instead(&'static str),
    /// The same for a server, which is interrupted as soon as it tells its address.
    Server(&'static str),
    /// Its arguments are checked, but it does not run, for this reason.
    Parsed(#[expect(dead_code, reason = "for readers")] &'static str),
    /// It does not run at all, for this reason.
    Skipped(#[expect(dead_code, reason = "for readers")] &'static str),
}

use Treatment::{Instead, Parsed, Server, Skipped};

const INSTALLS: &str = "installs: `cargo xtask dist` and `cargo xtask test python` do it";
const SLURM: &str = "needs a Slurm cluster";
const ASKS_SERVER: &str = "needs a server: the tests of crates/web send such requests";

/// Every exception: the command as it is shown, and what is done with it.
pub(crate) const EXCEPTIONS: &[(&str, Treatment)] = &[
    ("#!/bin/sh", Skipped(SLURM)),
    ("cargo install --path .", Skipped(INSTALLS)),
    (
        "cargo run --release -- train connect4",
        Instead("ludens train connect4 --episodes 200 --eval none"),
    ),
    (
        "curl -s localhost:7200/api/play -H 'content-type: application/json' \
         -d '{\"game\":\"connect4\",\"played\":[\"4\"],\"move\":\"4\"}'",
        Skipped(ASKS_SERVER),
    ),
    (
        "curl -s localhost:7200/api/study -H 'content-type: application/json' \
         -d '{\"game\":\"connect4\",\"played\":[\"4\",\"4\"],\"agent\":\"mcts:iterations=2000\"}'",
        Skipped(ASKS_SERVER),
    ),
    ("ludens bench", Parsed("takes minutes; `ludens bench tictactoe --quick` runs")),
    ("ludens bench connect4-farl othello --json", Parsed("takes minutes, as above")),
    (
        "ludens experiment report farl-tictactoe",
        Instead("ludens experiment report farl-tictactoe --scale smoke"),
    ),
    (
        "ludens experiment report farl-tictactoe --scale full",
        Instead("ludens experiment report farl-tictactoe --scale smoke"),
    ),
    (
        "ludens experiment run farl-tictactoe --scale quick --jobs 2",
        Instead("ludens experiment run farl-tictactoe --scale smoke --jobs 2"),
    ),
    ("ludens man | man -l -", Instead("ludens man")),
    (
        "ludens match connect4 mcts:iterations=1000 \
         mcts:iterations=1000,tree-depth=10,plays=value --games 400 --openings random:4 --seed 1",
        Instead(
            "ludens match connect4 mcts:iterations=10 \
             mcts:iterations=10,tree-depth=10,plays=value --games 4 --openings random:4 --seed 1",
        ),
    ),
    ("ludens play", Instead("echo | ludens play connect4")),
    ("ludens play connect4 --browser", Server("ludens play connect4 --browser --port 0 --no-open")),
    (
        "ludens play connect4 --browser --against mcts:iterations=2000",
        Server("ludens play connect4 --browser --against mcts:iterations=2000 --port 0 --no-open"),
    ),
    ("ludens play hex --browser", Server("ludens play hex --browser --port 0 --no-open")),
    (
        "ludens play tictactoe --against random --seed 3",
        Instead("printf 'b2\na1\nb1\nb3\n' | ludens play tictactoe --against random --seed 3"),
    ),
    (
        "ludens properties connect4 --states 10000000 --json",
        Instead("ludens properties connect4 --states 10000 --values 0 --json"),
    ),
    ("ludens serve", Server("ludens serve --port 0 --no-open")),
    ("ludens serve --listen 0.0.0.0", Server("ludens serve --listen 0.0.0.0 --port 0 --no-open")),
    ("ludens serve --port 7200 --runs runs", Server("ludens serve --port 0 --runs runs --no-open")),
    (
        "ludens serve --port 8080 --runs experiments/runs --no-open",
        Server("ludens serve --port 0 --runs experiments/runs --no-open"),
    ),
    (
        "ludens solve connect4 --build-book --plies 8 --out connect4-8.book",
        Parsed("takes hours; the tests of crates/experts build small books"),
    ),
    (
        "ludens solve connect4 --build-book --plies 8 --threads 2 --table 4096 \
         --out connect4-8.book",
        Parsed("takes hours, as above"),
    ),
    (
        "ludens sweep connect4 --preset thill-tcl-et --scan trace.lambda 0.4,0.6 --seeds 2 --jobs 2",
        Instead(
            "ludens sweep connect4 --preset thill-tcl-et --scan trace.lambda 0.4,0.6 --seeds 2 \
             --jobs 2 --episodes 20 --eval random:4",
        ),
    ),
    ("ludens train connect4", Instead("ludens train connect4 --episodes 200 --eval none")),
    (
        "ludens train --resume runs/tictactoe-default-1",
        Instead("ludens train --resume runs/tictactoe-default-1 --episodes 31k"),
    ),
    (
        "ludens train --resume runs/nim-mine-1",
        Instead("ludens train --resume runs/nim-mine-1 --episodes 301k"),
    ),
    (
        "ludens train connect4 --preset thill-tcl-et",
        Instead("ludens train connect4 --preset thill-tcl-et --episodes 200 --eval none"),
    ),
    (
        "ludens train connect4 --preset thill-tcl-et --seed 3",
        Instead("ludens train connect4 --preset thill-tcl-et --seed 3 --episodes 200 --eval none"),
    ),
    (
        "ludens train connect4 --threads 4",
        Instead("ludens train connect4 --threads 4 --episodes 200 --eval none"),
    ),
    (
        "ludens train hex --watch",
        Server("ludens train hex --watch --episodes 20 --eval none --port 0 --no-open"),
    ),
    (
        "ludens train hex:size=5 --config mine.toml --eval decay --every 10000",
        Instead(
            "ludens train hex:size=5 --config mine.toml --eval decay:4 --every 10000 \
             --episodes 200",
        ),
    ),
    (
        "ludens train othello --watch",
        Server("ludens train othello --watch --episodes 20 --eval none --port 0 --no-open"),
    ),
    ("pip install '.[pettingzoo]'", Skipped(INSTALLS)),
    ("pip install .", Skipped(INSTALLS)),
    ("sbatch --time=2:00:00 --mem=1G --signal=B:INT@60 farl.sh", Skipped(SLURM)),
];

/// What is done with this command, if it is an exception.
pub(crate) fn find(command: &str) -> Option<&'static Treatment> {
    EXCEPTIONS.iter().find(|(shown, _)| *shown == command).map(|(_, treatment)| treatment)
}
