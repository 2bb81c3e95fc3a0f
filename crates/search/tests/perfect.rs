//! Deep enough, or patient enough, agents play perfectly.

#![allow(clippy::unwrap_used)]

use ludens_core::{Agent, Game, Move, Notation, Params, Rewards, Rng, Turn, ValueFunction};
use ludens_games::text_tree::TextTreeShape;
use ludens_games::{Connect4, Hex, Nim, Nimm3, TextTree, TicTacToe};
use ludens_search::{
    AlphaBeta, EndgameRandom, FinalMoveRule, MaxN, Mcts, MctsSettings, SearchLimits,
};
use std::time::{Duration, Instant};

fn open<G: Notation>(text: &str) -> G {
    G::configure(&text.parse::<Params>().unwrap().check(G::SETTINGS).unwrap()).unwrap()
}

fn patient<G: Game>(iterations: u64) -> Mcts<G> {
    Mcts::new(MctsSettings { iterations, ..MctsSettings::default() }, None)
}

fn alphabeta<G: Game>(depth: u32) -> AlphaBeta<G> {
    AlphaBeta::new(SearchLimits { depth, time: None }, None)
}

/// Plays one game and returns what each player gained.
fn play<G: Game>(game: &G, agents: &mut [&mut dyn Agent<G>], rng: &mut Rng) -> Rewards {
    let (mut state, mut gained) = (game.start(), Rewards::NONE);
    agents.iter_mut().for_each(|agent| agent.begin(game, &state));
    loop {
        let before = state.clone();
        let played = match game.turn(&state) {
            Turn::Over => return gained,
            Turn::Chance => {
                let event = game.draw(&state, rng);
                gained += game.resolve(&mut state, event);
                ludens_core::Played::Event(event)
            }
            Turn::Player(player) => {
                let mv = agents[player.index()].choose(game, &state, rng).unwrap().mv;
                gained += game.play(&mut state, mv);
                ludens_core::Played::Move(mv)
            }
        };
        agents.iter_mut().for_each(|agent| agent.watch(game, &before, played));
    }
}

/// Checks in random states that no move chosen is worse than the best.
fn never_errs<G: Game>(game: &G, agent: &mut dyn Agent<G>, games: u64) {
    let mut judge = MaxN::new(200, None);
    for seed in 0..games {
        let rng = &mut Rng::derived(seed, "errs", 0);
        let mut state = game.start();
        while game.turn(&state) != Turn::Over {
            let mut legal = Vec::new();
            game.legal_moves(&state, &mut legal);
            let worth = judge.move_values(game, &state, rng).unwrap();
            let mv = agent.choose(game, &state, rng).unwrap().mv;
            let best = worth.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let chosen = worth[legal.iter().position(|m| *m == mv).unwrap()];
            assert_eq!(chosen, best, "{mv:?} in {state:?}: {worth:?}");
            let any = legal[rng.below(legal.len())];
            game.play(&mut state, any);
        }
    }
}

#[test]
fn searching_to_the_end_is_perfect_in_tictactoe_and_nim() {
    never_errs(&TicTacToe, &mut alphabeta(9), 30);
    never_errs(&open::<Nim>("nim:heaps=3,size=4"), &mut alphabeta(12), 30);
    never_errs(&open::<Nimm3>("nimm3"), &mut alphabeta(20), 5);
}

#[test]
fn patience_is_perfect_in_tictactoe_and_small_nim() {
    never_errs(&TicTacToe, &mut patient(20_000), 8);
    never_errs(&open::<Nim>("nim:heaps=3,size=3"), &mut patient(10_000), 8);
}

#[test]
fn small_hex_is_played_perfectly() {
    never_errs(&open::<Hex>("hex:size=3"), &mut alphabeta(9), 10);
    never_errs(&open::<Hex>("hex:size=3"), &mut patient(10_000), 5);
    // Too large for the judge: whoever begins on 4x4 wins in the middle, and holds it.
    let game = open::<Hex>("hex:size=4");
    for seed in 0..3 {
        let rng = &mut Rng::seeded(seed);
        let gained = play(&game, &mut [&mut patient(20_000), &mut alphabeta(8)], rng);
        assert_eq!(gained.0[0], 1.0);
    }
    let mut first = alphabeta(16);
    assert_eq!(first.choose(&game, &game.start(), &mut Rng::seeded(1)).unwrap().value, Some(1.0));
}

#[test]
fn three_players_who_see_all_share_nim_as_expected() {
    let game = open::<Nim>("nim:heaps=2,size=3,players=3");
    let rng = &mut Rng::seeded(1);
    let worth = |game: &Nim, agent: &mut dyn Agent<Nim>, rng: &mut Rng| {
        agent.choose(game, &game.start(), rng).unwrap().value.unwrap()
    };
    let exact = worth(&game, &mut MaxN::new(20, None), rng);
    let tried = worth(&game, &mut patient(30_000), rng);
    assert!((exact - tried).abs() < 0.15, "{exact} {tried}");
}

#[test]
fn many_tries_come_near_the_best_in_trees_with_chance_and_players() {
    for seed in 0..40 {
        let rng = &mut Rng::derived(seed, "tries", 0);
        let shape =
            TextTreeShape { players: 1, depth: 5, branches: 3, chance: 0.4, zero_sum: false };
        let tree = TextTree::random(&shape, rng);
        let worth = MaxN::new(9, None).move_values(&tree, &tree.start(), rng).unwrap();
        let best = worth.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let choice = patient(20_000).choose(&tree, &tree.start(), rng).unwrap();
        let chosen = worth[choice.mv.0 as usize];
        assert!(best - chosen < 0.1, "{choice:?} {worth:?}");
        assert!((choice.value.unwrap() - best).abs() < 0.3, "{choice:?} {worth:?}");
    }
}

/// What the first player scores on average, a draw counting half.
fn score<G: Game>(
    game: &G,
    first: &mut dyn Agent<G>,
    second: &mut dyn Agent<G>,
    games: u32,
) -> f32 {
    let rng = &mut Rng::seeded(7);
    let mut sum = 0.0;
    for i in 0..games {
        let gained = if i % 2 == 0 {
            play(game, &mut [first, second], rng).0[0]
        } else {
            play(game, &mut [second, first], rng).0[1]
        };
        sum += (gained + 1.0) / 2.0;
    }
    sum / games as f32
}

#[test]
fn strength_grows_with_iterations() {
    let game = open::<Connect4>("connect4");
    let against = |strong, weak| score(&game, &mut patient(strong), &mut patient(weak), 60);
    let scores = [against(100, 20), against(1000, 100)];
    assert!(scores.iter().all(|s| *s > 0.75), "{scores:?}");
}

#[test]
fn what_was_seen_may_be_kept_from_move_to_move() {
    let game = open::<Connect4>("connect4");
    let settings = MctsSettings { iterations: 100, reuse: true, ..MctsSettings::default() };
    let kept = score(&game, &mut Mcts::new(settings, None), &mut patient(30), 60);
    assert!(kept > 0.7, "{kept}");
}

#[test]
fn looking_ahead_beats_seeing_only_the_next_move() {
    let game = open::<Connect4>("connect4");
    let score = score(&game, &mut alphabeta(6), &mut EndgameRandom::default(), 60);
    assert!(score > 0.65, "{score}");
}

#[test]
fn time_is_kept() {
    let game = open::<Connect4>("connect4");
    let time = Some(Duration::from_millis(50));
    let mcts = MctsSettings { iterations: u64::MAX, time, ..MctsSettings::default() };
    let mut agents: [Box<dyn Agent<Connect4>>; 2] = [
        Box::new(Mcts::new(mcts, None)),
        Box::new(AlphaBeta::new(SearchLimits { depth: 1000, time }, None)),
    ];
    for agent in &mut agents {
        let begun = Instant::now();
        agent.choose(&game, &game.start(), &mut Rng::seeded(1)).unwrap();
        let taken = begun.elapsed();
        assert!((Duration::from_millis(45)..Duration::from_secs(2)).contains(&taken), "{taken:?}");
    }
}

/// Knows the truth about TicTacToe.
struct Truth(MaxN<TicTacToe>);

impl ValueFunction<TicTacToe> for Truth {
    fn values(&mut self, game: &TicTacToe, state: &<TicTacToe as Game>::State) -> Rewards {
        let Turn::Player(mover) = game.turn(state) else { return Rewards::NONE };
        let worth = self.0.move_values(game, state, &mut Rng::seeded(0)).unwrap();
        Rewards::zero_sum(mover, worth.into_iter().fold(f32::NEG_INFINITY, f32::max))
    }

    fn move_values(
        &mut self,
        game: &TicTacToe,
        state: &<TicTacToe as Game>::State,
        _: &[Move],
        out: &mut Vec<f32>,
    ) {
        out.extend(self.0.move_values(game, state, &mut Rng::seeded(0)).unwrap());
    }
}

#[test]
fn a_true_value_makes_few_tries_perfect() {
    let settings = MctsSettings {
        iterations: 60,
        c: 1.0,
        plays: FinalMoveRule::Visits,
        temperature: 0.2,
        ..MctsSettings::default()
    };
    let truth = Truth(MaxN::new(9, None));
    never_errs(&TicTacToe, &mut Mcts::new(settings, Some(Box::new(truth))), 20);
}
