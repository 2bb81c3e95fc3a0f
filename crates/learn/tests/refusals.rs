//! Configurations that make no sense are refused with the reason.

mod common;

use common::refusal;
use ludens_games::{Nim, TicTacToe};
use ludens_learn::Config;

#[test]
fn what_does_not_go_together_is_refused_with_the_reason() {
    let small = "[value.ntuple]\ntuples = [[0, 1]]\n[[games]]\n";
    for (game, config, reason) in [
        ("nim:players=3", "[learner]\nalgorithm = 'td'", "3 players"),
        ("nim", "[learner]\nbootstrap-terminal = true", "td algorithms only"),
        ("nim", "[learner]\njudge-ends = true", "td algorithms only"),
        ("nim", "[trace]\nlambda = 1.5", "a number from 0 to 1"),
        ("nim", &format!("{small}from = 'opponent'"), "need agent"),
        ("nim", "[value.ntuple]\ntuples = [[7]]", "cell 7"),
        ("nim", &format!("{small}from = 'records'\nfile = 'none'"), "cannot read"),
        ("nim", "[step]\nrprop = {}", "set learner.batch"),
    ] {
        let message = refusal::<Nim>(game, config);
        assert!(message.contains(reason), "{config}: {message}");
    }
}

#[test]
fn what_would_have_no_effect_is_refused_with_the_reason() {
    let schedule = "[learner]\nalpha = { from = 0.1, to = 0.01 }\n";
    for (config, reason) in [
        (&*format!("{schedule}[step]\nidbd = {{}}"), "learner.alpha has a schedule"),
        (&format!("{schedule}[step]\nautostep = {{}}"), "learner.alpha has a schedule"),
        ("[value.mlp]\nrates = [1.0, 0.5]\n[step]\nk1 = {}", "value.mlp.rates"),
        (
            "[value.ntuple]\noutput = 'none'\n[step.idbd]\nloss = 'cross-entropy'",
            "needs an output of tanh or sigmoid",
        ),
        ("[learner]\nalgorithm = 'td'\nadapt-others = false", "learner.adapt-others"),
        ("[learner]\nalgorithm = 'q'\nadapt-last = false", "learner.adapt-last"),
        ("[learner]\nmu = 0.1", "learner.mu"),
        ("[search]\ndepth = 4", "search.depth goes with"),
        ("[learner]\nrewards = 'chance'\nreward-scale = 2.0", "learner.reward-scale"),
        ("[learner]\nalgorithm = 'q'\nlearn-from-random = 'if-won'", "always"),
        ("[learner]\nredraw = true", "learner.redraw goes with sarsa-farl"),
        ("[learner]\nresidual = 0.5", "learner.residual goes with the td algorithms"),
        ("[step.tcl]\n[learner]\nalgorithm = 'td'\nresidual = 0.5", "adds two gradients"),
        ("[learner]\nresidual = 2.0", "learner.residual is 2"),
        ("[learner]\nlength-penalty = -1.0", "learner.length-penalty is -1"),
        ("[learner]\nregions = 3", "learner.regions needs a value with inputs"),
        ("[value.linear]\n[learner]\nregions = 10", "from 2 to the number of moves"),
        ("[value.mlp]\n[learner]\nalgorithm = 'q'\nregions = 3", "goes with td, td-offline"),
        ("[learner]\nalgorithm = 'q-farl'\nredraw = true\nbatch = 4", "learned while played"),
        (
            "[learner]\nalgorithm = 'q-farl'\nredraw = true\nlearn-from-random = 'if-won'",
            "before a move is played",
        ),
        ("[trace]\nlambda = 0.5\nhorizon = 3", "trace.horizon"),
        ("[trace]\nlambda = 0.5\n[learner]\nalgorithm = 'monte-carlo'", "outcome alone"),
        ("[start]\nmax-plies = 3", "needs start.share"),
        ("[start]\nshare = 0.5", "needs start.max-plies"),
        ("[start]\nshare = 0.5\nmax-plies = 1\nstates = ['...']", "takes the place"),
    ] {
        let message = refusal::<TicTacToe>("tictactoe", config);
        assert!(message.contains(reason), "{config}: {message}");
    }
}

#[test]
fn algorithms_have_the_names_that_files_use() {
    let names = ["td", "td-offline", "td-leaf", "td-directed", "td-mu", "q", "td-farl"];
    for name in names.into_iter().chain(["sarsa-farl", "q-farl", "monte-carlo"]) {
        let config: Config = common::config("nim", &format!("[learner]\nalgorithm = '{name}'"));
        assert_eq!(config.learner.algorithm.name(), name);
    }
}
