//! Cancellation reaches whatever an agent does.

use ludens_arena::{ContestPlan, NoProgress, Workload};
use ludens_core::{Cancellation, Player};
use ludens_registry::open_game;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Work that would take years.
const ENDLESS: &[(&str, &str)] = &[
    ("hex:size=8", "maxn:depth=200"),
    ("hex:size=8", "alphabeta:depth=200"),
    ("hex:size=8", "mcts:iterations=1000000000000,tree-depth=1"),
    ("2048", "expectimax:depth=200"),
    ("2048", "mcts:iterations=1000000000000,rollout=1000000,tree-depth=1"),
    ("hex:size=8", "decay:p=0,agent=(maxn:depth=200)"),
    ("hex:size=8", "epsilon:epsilon=0,agent=(level:strength=10,agent=(alphabeta:depth=200))"),
    ("hex:size=8", "level:strength=5,agent=(maxn:depth=200)"),
];

/// Cancels `work` once it has begun, and returns its result; fails if it goes on.
fn cancelled<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (token, (sender, receiver)) = (Cancellation::new(), channel());
    let own = token.clone();
    std::thread::spawn(move || sender.send(own.scope(work)));
    let early = receiver.recv_timeout(Duration::from_millis(100));
    assert!(matches!(early, Err(RecvTimeoutError::Timeout)), "{what} takes longer");
    token.cancel();
    receiver.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|_| panic!("{what} goes on"))
}

#[test]
fn every_search_ends_when_it_is_cancelled() {
    for &(game, agent) in ENDLESS {
        let live = || {
            let mut live = open_game(game).unwrap().live(1);
            live.seat(Player(0), agent).unwrap();
            live
        };
        let mut choosing = live();
        assert!(cancelled(agent, move || choosing.choose().is_err()), "{agent} forfeits");
        let mut valuing = live();
        assert_eq!(cancelled(agent, move || valuing.move_values()), None, "{agent}");
        let mut studying = live();
        let study = cancelled(agent, move || studying.study(3));
        assert!(study.is_none_or(|study| study.values.is_none()), "{agent}");
    }
}

#[test]
fn the_exact_solver_ends_when_it_is_cancelled_and_stays_exact() {
    // Two stones, which the opening book does not reach, and no cache: minutes of search.
    let mut solver = ludens_experts::connect4::Solver::new(1 << 20).unwrap();
    let position = ludens_experts::connect4::Position::from_moves("12").unwrap();
    let mut solver = cancelled("the solver", move || {
        solver.score(position);
        solver
    });
    let late = ludens_experts::connect4::Position::from_moves("44444432222226").unwrap();
    let mut fresh = ludens_experts::connect4::Solver::new(1 << 20).unwrap();
    assert_eq!(solver.move_scores(late), fresh.move_scores(late));
}

#[test]
fn a_contest_and_a_training_end_when_they_are_cancelled() {
    let agents = ["maxn:depth=200".to_owned(), "random".to_owned()];
    for threads in [1, 3] {
        let agents = agents.clone();
        let contest = move || {
            let workload = Workload { threads, progress: &NoProgress };
            let game = open_game("hex:size=8").unwrap();
            game.arena().contest(&agents, &ContestPlan::default(), workload).err().unwrap()
        };
        assert!(cancelled("the contest", contest).to_string().contains("stopped"));
    }
    let training = || {
        let toml =
            "game = \"hex:size=8\"\n[[games]]\nfrom = \"opponent\"\nagent = \"maxn:depth=200\"";
        let config = toml::from_str(toml).unwrap();
        let mut training = open_game("hex:size=8").unwrap().train(&config, 1).unwrap();
        training.step().is_err()
    };
    assert!(cancelled("the training", training));
}
