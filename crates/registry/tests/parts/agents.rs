//! Agents by name.

use ludens_core::{Agent, Invalid, Params, TrainableGame, ValueFunction};
use ludens_core::{Game, Move, Rewards, Rng};
use ludens_games::TicTacToe;
use ludens_games::{Nim, RandomWalk};
use ludens_registry::{Hooks, accesses_system, agent_list, open_agent};

fn open(text: &str) -> Result<Box<dyn Agent<TicTacToe>>, Invalid> {
    open_agent(text, &TicTacToe, &Hooks::NONE)
}

fn message(text: &str) -> String {
    open(text).err().unwrap().to_string()
}

#[test]
fn names_are_unique_sorted_and_plain() {
    let names: Vec<_> = agent_list().map(|e| e.name).collect();
    assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    assert!(names.iter().all(|n| n.bytes().all(plain)));
}

#[test]
fn agents_nest() {
    let mut agent = open("decay:p=0,agent=(level:strength=10,agent=(maxn:depth=9))").unwrap();
    let choice = agent.choose(&TicTacToe, &TicTacToe.start(), &mut Rng::seeded(1)).unwrap();
    assert_eq!(choice.value, Some(0.0));
}

#[test]
fn wrong_names_and_settings_are_explained_at_any_depth() {
    assert!(message("mxn").contains("did you mean \"maxn\"? known: ab, "));
    assert!(message("maxn:depth=0").contains("a whole number from 1 to 200"));
    assert!(message("decay:agent=(maxn:depht=2)").contains("did you mean \"depth\"?"));
    assert_eq!(message("decay:p=0.5"), "decay: expected agent=..., such as decay:agent=random");
    assert_eq!(
        message("greedy"),
        "greedy: expected a file, such as greedy:value=runs/a/value.safetensors"
    );
    assert!(message("greedy:a/b").starts_with("greedy: a/b: it cannot be read: "));
}

/// Thinks the last legal move best.
struct Last;

impl ValueFunction<TicTacToe> for Last {
    fn values(&mut self, _: &TicTacToe, _: &<TicTacToe as Game>::State) -> Rewards {
        Rewards::NONE
    }

    fn move_values(
        &mut self,
        _: &TicTacToe,
        _: &<TicTacToe as Game>::State,
        legal: &[Move],
        out: &mut Vec<f32>,
    ) {
        out.extend(legal.iter().map(|mv| mv.0 as f32 / 8.0));
    }
}

#[test]
fn values_come_from_the_files_that_are_named() {
    let hooks = Hooks {
        value: &|_, path| {
            assert_eq!(path, "a/b");
            Ok(Box::new(Last))
        },
        human: None,
    };
    for text in ["greedy:a/b", "maxn:depth=1,value=a/b", "alphabeta:depth=1,value=a/b"] {
        let mut agent = open_agent(text, &TicTacToe, &hooks).unwrap();
        let choice = agent.choose(&TicTacToe, &TicTacToe.start(), &mut Rng::seeded(1));
        assert_eq!(choice.unwrap().mv, Move(8), "{text}");
    }
    let mut agent = open_agent("mcts:iterations=1,value=a/b", &TicTacToe, &hooks).unwrap();
    let choice = agent.choose(&TicTacToe, &TicTacToe.start(), &mut Rng::seeded(1)).unwrap();
    assert_eq!(choice.mv, Move(8));
}

#[test]
fn an_agent_without_opinions_cannot_be_levelled() {
    let refused = message("level:agent=(decay:agent=random)");
    assert!(refused.contains("decay:agent=random does not tell what each move is worth"));
    assert!(open("level:agent=(decay:agent=maxn)").is_ok());
}

#[test]
fn agents_that_reach_out_are_recognised_at_any_depth() {
    assert!(accesses_system("gtp:command=(rm -r /)"));
    assert!(accesses_system("decay:agent=(level:agent=(gtp:command=x))"));
    assert!(accesses_system("mcts:value=/etc/passwd") && accesses_system("greedy:/etc/passwd"));
    assert!(!accesses_system("decay:agent=(mcts:iterations=10)"));
}

#[test]
fn an_engine_that_cannot_be_started_is_refused() {
    assert!(message("gtp:no-such-engine").starts_with("gtp: `no-such-engine` does not start"));
    assert!(message("gtp").starts_with("gtp: expected command="));
}

fn refusal<G: TrainableGame>(agent: &str, game: &str) -> String {
    let chosen = game.parse::<Params>().unwrap().check(G::SETTINGS).unwrap();
    let game = G::configure(&chosen).unwrap();
    open_agent(agent, &game, &Hooks::NONE).err().unwrap().to_string()
}

#[test]
fn an_agent_that_does_not_fit_the_game_is_refused_with_the_reason() {
    assert_eq!(message("human"), "a human plays in `ludens play`");
    let three = refusal::<Nim>("alphabeta", "nim:players=3");
    assert!(three.contains("two players; nim has 3; maxn looks"), "{three}");
    for agent in ["alphabeta", "maxn"] {
        let chance = refusal::<RandomWalk>(agent, "random-walk");
        assert!(chance.contains("chance acts in random-walk; expectimax looks"), "{chance}");
    }
}
