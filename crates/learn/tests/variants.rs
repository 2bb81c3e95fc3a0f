//! Every variant of learning learns, and says so by numbers that a broken one misses.

use ludens_core::{Agent, Game, Invalid, Move, Notation, Params, Player, Rng, Turn, ValueFunction};
use ludens_games::{Nim, Nimm3, RandomWalk, TicTacToe};
use ludens_learn::{Config, Trainer};

fn open<G: Notation>(text: &str) -> Result<Box<dyn Agent<G>>, Invalid> {
    match text {
        "random" => Ok(Box::new(ludens_core::RandomAgent::default())),
        _ => Err(Invalid(format!("no agent {text}"))),
    }
}

fn game<G: Notation>(text: &str) -> G {
    let params: Params = text.parse().expect("a game");
    G::configure(&params.check(G::SETTINGS).expect("settings")).expect("settings")
}

fn trainer<G: Notation>(game: G, config: &str) -> Trainer<G> {
    let config: Config = toml::from_str(config).expect("a config");
    Trainer::new(game, config, 1, &open::<G>).expect("a trainer")
}

fn trained<G: Notation>(game: G, config: &str) -> Trainer<G> {
    let mut trainer = trainer(game, config);
    while trainer.episode() < trainer.config().episodes {
        trainer.step(None).expect("no agent forfeits");
    }
    trainer
}

/// Games lost of 500 against random play, each player in turn.
fn lost(trainer: &mut Trainer<TicTacToe>) -> u32 {
    let (mut lost, mut agent) = (0, trainer.agent());
    for number in 0..500 {
        let (rng, me) = (&mut Rng::derived(3, "game", number), Player((number % 2) as u8));
        let mut state = TicTacToe.start();
        let mut rewards = ludens_core::Rewards::NONE;
        while let Turn::Player(player) = TicTacToe.turn(&state) {
            let mv = if player == me {
                Agent::choose(&mut agent, &TicTacToe, &state, rng).expect("it never forfeits").mv
            } else {
                TicTacToe.random_move(&state, rng, &mut Vec::new())
            };
            rewards += TicTacToe.play(&mut state, mv);
        }
        lost += u32::from(rewards[me] < 0.0);
    }
    lost
}

const NTUPLE: &str = "[value.ntuple]\ntuples = [[0, 1, 2, 3, 4, 5, 6, 7, 8]]\n\
                      [explore.epsilon]\nrate = 0.2\n";

#[track_caller]
fn assert_loses_at_most(limit: u32, config: &str) {
    let found = lost(&mut trained(TicTacToe, config));
    assert!(found <= limit, "lost {found} of 500, at most {limit} allowed:\n{config}");
}

#[test]
fn learning_after_the_game_learns() {
    for learner in [
        "algorithm = \"td-offline\"",
        "algorithm = \"td\"\nbatch = 5",
        "algorithm = \"td\"\nrepeats = 5",
        "algorithm = \"td\"\ninverted = true",
        "algorithm = \"td-farl\"\nbatch = 10",
    ] {
        assert_loses_at_most(
            0,
            &format!("episodes = 30000\n{NTUPLE}[learner]\nalpha = 0.5\n{learner}"),
        );
    }
}

#[test]
fn looking_ahead_while_learning_learns() {
    for algorithm in ["td-leaf", "td-directed"] {
        let learner = format!("[learner]\nalgorithm = \"{algorithm}\"\nalpha = 0.5");
        assert_loses_at_most(0, &format!("episodes = 6000\n{NTUPLE}{learner}"));
    }
}

#[test]
fn games_from_elsewhere_are_learned_from() {
    for (limit, games) in [
        (2, "from = \"random\""),
        (2, "from = \"opponent\"\nagent = \"random\""),
        (0, "from = \"twin\""),
        (0, "from = \"random\"\nweight = 0.3\n[[games]]\nfrom = \"self-play\"\nweight = 0.7"),
    ] {
        let learner = "[learner]\nalgorithm = \"q\"\nalpha = 0.3";
        let learner = if games.contains("twin") {
            learner.replace("\"q\"", "\"td\"")
        } else {
            learner.into()
        };
        assert_loses_at_most(
            limit,
            &format!("episodes = 30000\n{NTUPLE}{learner}\n[[games]]\n{games}"),
        );
    }
}

#[test]
fn moves_of_others_that_were_not_good_are_passed_over() {
    let learner = "[learner]\nalgorithm = \"td-mu\"\nalpha = 0.5\nlearn-from-random = \"if-over\"";
    let games = "[[games]]\nfrom = \"opponent\"\nagent = \"random\"";
    assert_loses_at_most(3, &format!("episodes = 30000\n{NTUPLE}{learner}\n{games}"));
}

#[test]
fn basis_functions_learn_tictactoe() {
    let config = "episodes = 20000\n\
        [value.rbf]\nfeatures = \"cells\"\ncentres = 100\nwidth = 2.0\nplayers = \"each\"\n\
        [explore.epsilon]\nrate = { from = 0.3, to = 0.1 }\n\
        [learner]\nalgorithm = \"td-farl\"\nalpha = 0.02";
    assert_loses_at_most(110, config);
}

#[test]
fn line_features_are_enough_for_a_linear_function() {
    let config = "episodes = 20000\n[value.linear]\nfeatures = \"lines\"\nplayers = \"each\"\n\
        [explore.epsilon]\nrate = { from = 0.3, to = 0.05 }\n\
        [learner]\nalgorithm = \"td-farl\"\nalpha = 0.02";
    assert_loses_at_most(10, config);
}

#[test]
fn divisibility_by_four_is_found_to_be_what_counts() {
    let nimm = game::<Nimm3>("nimm3");
    let config = "game = \"nimm3\"\nepisodes = 20000\n\
        [value.linear]\nfeatures = \"divisibility\"\noutput = \"none\"\nplayers = \"shared\"\n\
        [explore.epsilon]\nrate = 0.3\n\
        [learner]\nalgorithm = \"td-farl\"\nalpha = { from = 0.05, to = 0.001 }";
    let mut trainer = trained(nimm, config);
    let weights = trainer.value().net.tensors()[0].data.to_vec();
    // The weights of g_2, g_3, g_4, ...; the bias comes last.
    let largest = (0..weights.len() - 1).max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
    assert_eq!(largest, Some(2), "{weights:?}");
    assert!(weights[2] > 0.5, "{weights:?}");
}

#[test]
fn a_table_learns_tictactoe() {
    let config = "episodes = 60000\n[value.table]\n[explore.epsilon]\nrate = 0.3\n\
        [learner]\nalgorithm = \"td-farl\"\nalpha = 0.3";
    assert_loses_at_most(0, config);
}

/// The values of the five states of the walk, by an n-tuple that sees them all.
fn walk_values(learner: &str) -> Vec<f32> {
    let walk = game::<RandomWalk>("random-walk");
    let config = format!(
        "game = \"random-walk\"\nepisodes = 20000\n\
         [value.linear]\nfeatures = \"cells\"\nbias = false\noutput = \"none\"\nplayers = \"shared\"\n\
         {learner}"
    );
    let mut trainer = trained(walk, &config);
    trainer.value().net.tensors()[0].data.to_vec()
}

#[test]
fn the_random_walk_has_the_values_that_theory_tells() {
    let alpha = "alpha = { from = 0.1, to = 0.0002, shape = \"exponential\" }";
    for learner in [
        format!("[learner]\nalgorithm = \"td\"\n{alpha}"),
        format!("[trace]\nlambda = 0.8\n[learner]\nalgorithm = \"td\"\n{alpha}"),
        format!("[learner]\nalgorithm = \"td-farl\"\n{alpha}"),
        format!("[learner]\nalgorithm = \"monte-carlo\"\n{alpha}"),
    ] {
        let values = walk_values(&learner);
        let close = (1..=5).all(|i| (values[i - 1] - i as f32 / 6.0).abs() < 0.03);
        assert!(close, "{values:?} for i/6 with {learner}");
    }
}

fn move_values<G: Notation>(trainer: &mut Trainer<G>, state: &G::State) -> (Vec<Move>, Vec<f32>) {
    let (game, mut legal, mut values) = (trainer.game().clone(), Vec::new(), Vec::new());
    game.legal_moves(state, &mut legal);
    trainer.value().move_values(&game, state, &legal, &mut values);
    (legal, values)
}

#[test]
fn nim_is_played_perfectly() {
    let nim = game::<Nim>("nim");
    let config = "game = \"nim\"\nepisodes = 20000\n[value.ntuple]\ntuples = [[0, 1, 2]]\n\
        [explore.epsilon]\nrate = 0.3\n[start]\nshare = 0.7\nmin-plies = 0\nmax-plies = 4\n\
        [learner]\nalgorithm = \"td-farl\"\nalpha = 0.5";
    let mut trainer = trained(nim.clone(), config);
    for heaps in (1..216).map(|i| [i / 36, i / 6 % 6, i % 6]) {
        if heaps.iter().fold(0, |a, b| a ^ b) == 0 {
            continue;
        }
        let text = heaps.map(|h| h.to_string()).join(" ") + " player 1";
        let state = nim.parse_state(&text).expect("a state");
        let (legal, values) = move_values(&mut trainer, &state);
        let best =
            (0..legal.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).expect("a move");
        let mut after = state;
        nim.play(&mut after, legal[best]);
        let mut cells = [0; 3];
        ludens_core::CellBoard::read_cells(&nim, &after, Player(0), &mut cells);
        assert_eq!(cells.iter().fold(0, |a, b| a ^ b), 0, "{text} is left as {cells:?}");
    }
}

fn weights(config: &str, threads: Option<usize>) -> Vec<u32> {
    let mut trainer = trainer(TicTacToe, config);
    while trainer.episode() < trainer.config().episodes {
        match threads {
            Some(threads) => {
                trainer.step_batch(threads, &mut |_, _, _| {}).expect("batches");
            }
            None => {
                trainer.step(None).expect("no agent forfeits");
            }
        }
    }
    trainer.value().net.tensors()[0].data.iter().map(|w| w.to_bits()).collect()
}

#[test]
fn a_batch_is_the_same_for_any_number_of_threads() {
    let config = format!("episodes = 205\n{NTUPLE}[learner]\nbatch = 20\nalpha = 0.5");
    let one = weights(&config, None);
    assert!([1, 2, 3, 7].iter().all(|&threads| weights(&config, Some(threads)) == one));
}

#[test]
fn threads_that_share_weights_learn_too() {
    let config = format!("episodes = 30000\n{NTUPLE}[learner]\nalpha = 0.5");
    let mut trainer = trainer(TicTacToe, &config);
    assert!(lost(&mut trainer) > 100, "nothing is learned yet");
    while trainer.episode() < 30_000 {
        let played = trainer.step_shared(5_000, 3).expect("weights that can be shared");
        assert_eq!(played.len(), 5_000);
    }
    // Who comes first is left to chance: none is lost in most runs, up to ten in some.
    let found = lost(&mut trainer);
    assert!(found <= 50, "lost {found} of 500");
}

#[test]
fn one_thread_that_shares_with_nobody_learns_the_same_bytes() {
    let config = format!("episodes = 200\n{NTUPLE}[step.tcl]\n[learner]\nalpha = 0.5");
    let mut alone = trainer(TicTacToe, &config);
    alone.step_shared(200, 1).expect("weights that can be shared");
    let mut usual = trained(TicTacToe, &config);
    let bits = |trainer: &mut Trainer<TicTacToe>| -> Vec<u32> {
        let tensors = trainer.value().net.tensors();
        tensors.iter().flat_map(|t| t.data.iter().map(|n| n.to_bits())).collect()
    };
    assert_eq!(bits(&mut alone), bits(&mut usual));
}

#[test]
fn a_run_that_was_stopped_goes_on_as_if_it_had_not_been() {
    for batch in [0, 7] {
        let config = format!("episodes = 100\n{NTUPLE}[learner]\nbatch = {batch}\nalpha = 0.5");
        let mut first = trainer(TicTacToe, &config);
        while first.episode() < 45 {
            first.step(None).expect("no agent forfeits");
        }
        let mut second = trainer(TicTacToe, &config);
        let saved: Vec<Vec<f32>> =
            first.value().net.tensors().iter().map(|t| t.data.to_vec()).collect();
        for (tensor, data) in second.value().net_mut().tensors_mut().into_iter().zip(&saved) {
            tensor.data.copy_from_slice(data);
        }
        second.set_episode(45).expect("no agent forfeits");
        while second.episode() < 100 {
            second.step(None).expect("no agent forfeits");
        }
        let found: Vec<u32> =
            second.value().net.tensors()[0].data.iter().map(|w| w.to_bits()).collect();
        assert_eq!(found, weights(&config, None), "batch {batch}");
    }
}

#[test]
fn what_does_not_go_together_is_refused_with_the_reason() {
    let refusal = |game: &str, config: &str| {
        let config: Config = toml::from_str(config).expect("a config");
        let nim: Nim = self::game(game);
        Trainer::new(nim, config, 1, &open::<Nim>).err().expect("a refusal").to_string()
    };
    let td = "[learner]\nalgorithm = \"td\"";
    assert!(refusal("nim:players=3", td).contains("3 players"));
    assert!(refusal("nim", "[learner]\njudge-ends = true").contains("td algorithms only"));
    assert!(refusal("nim", "[trace]\nlambda = 1.5").contains("a number from 0 to 1"));
    let small = "[value.ntuple]\ntuples = [[0, 1]]\n[[games]]\n";
    assert!(refusal("nim", &format!("{small}from = \"opponent\"")).contains("need agent"));
    assert!(refusal("nim", "[value.ntuple]\ntuples = [[7]]").contains("cell 7"));
    let records = format!("{small}from = \"records\"\nfile = \"none\"");
    assert!(refusal("nim", &records).contains("cannot read"));
    assert!(refusal("nim", "[step]\nrprop = {}").contains("set learner.batch"));
}

#[test]
fn what_would_have_no_effect_is_refused_with_the_reason() {
    let schedule = "[learner]\nalpha = { from = 0.1, to = 0.01 }\n";
    for (config, reason) in [
        (format!("{schedule}[step]\nidbd = {{}}"), "learner.alpha has a schedule"),
        (format!("{schedule}[step]\nautostep = {{}}"), "learner.alpha has a schedule"),
        ("[value.mlp]\nrates = [1.0, 0.5]\n[step]\nk1 = {}".into(), "value.mlp.rates"),
        (
            "[value.ntuple]\noutput = \"none\"\n[step.idbd]\nloss = \"cross-entropy\"".into(),
            "needs an output of tanh or sigmoid",
        ),
        ("[learner]\nalgorithm = \"td\"\nadapt-others = false".into(), "learner.adapt-others"),
        ("[learner]\nalgorithm = \"q\"\nadapt-last = false".into(), "learner.adapt-last"),
        ("[learner]\nmu = 0.1".into(), "learner.mu"),
        ("[search]\ndepth = 4".into(), "search.depth goes with"),
        ("[learner]\nrewards = \"chance\"\nreward-scale = 2.0".into(), "learner.reward-scale"),
        ("[learner]\nalgorithm = \"q\"\nlearn-from-random = \"if-won\"".into(), "always"),
        ("[trace]\nlambda = 0.5\nhorizon = 3".into(), "trace.horizon"),
        ("[trace]\nlambda = 0.5\n[learner]\nalgorithm = \"monte-carlo\"".into(), "outcome alone"),
        ("[start]\nmax-plies = 3".into(), "needs start.share"),
        ("[start]\nshare = 0.5".into(), "needs start.max-plies"),
        ("[start]\nshare = 0.5\nmax-plies = 1\nstates = [\"...\"]".into(), "takes the place"),
    ] {
        let parsed: Config = toml::from_str(&config).expect("a config");
        let refused = Trainer::new(TicTacToe, parsed, 1, &open::<TicTacToe>).err();
        let told = refused.unwrap_or_else(|| panic!("{config} is taken")).to_string();
        assert!(told.contains(reason), "{config}: {told}");
    }
}

#[test]
fn algorithms_are_called_as_in_files() {
    let names = ["td", "td-offline", "td-leaf", "td-directed", "td-mu", "q", "td-farl"];
    for name in names.into_iter().chain(["sarsa-farl", "q-farl", "monte-carlo"]) {
        let config: Config = toml::from_str(&format!("[learner]\nalgorithm = \"{name}\"")).unwrap();
        assert_eq!(config.learner.algorithm.name(), name);
    }
}
