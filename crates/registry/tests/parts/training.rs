//! Training with types forgotten.

use ludens_arena::Workload;
use ludens_core::Turn;
use ludens_learn::Config;
use ludens_learn::config::{NTupleConfig, StepRule, TableConfig, Tcl, ValueConfig};
use ludens_registry::{MeasureOptions, Training, ValueFile};
use ludens_registry::{open_game, replace_file, write_value};
use std::path::PathBuf;

/// TicTacToe has few tuples that differ.
fn usual() -> Config {
    let value = ValueConfig::Ntuple(NTupleConfig { count: 4, ..NTupleConfig::default() });
    Config { value, ..Config::default() }
}

fn train(game: &str, config: &Config) -> Box<dyn Training> {
    open_game(game).unwrap().train(config, 7).unwrap()
}

fn bytes(training: &mut dyn Training) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_value(&mut bytes, &training.content()).unwrap();
    bytes
}

fn stored(name: &str, training: &mut dyn Training) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ludens-training-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let content = training.content();
    replace_file(&path, |out| write_value(out, &content)).unwrap();
    path
}

/// Configurations that keep different things between episodes.
fn configs() -> Vec<(&'static str, Config)> {
    let tcl = StepRule::Tcl(Tcl::default());
    let plain = Config { episodes: 300, ..usual() };
    let mut batch = plain.clone();
    batch.learner.batch = 7;
    let table = ValueConfig::Table(TableConfig::default());
    vec![
        ("constant", plain.clone()),
        ("tcl", Config { step: tcl, ..plain.clone() }),
        ("table", Config { value: table, ..plain.clone() }),
        ("mlp", Config { value: ValueConfig::Mlp(Default::default()), ..plain }),
        ("batch", batch),
    ]
}

#[test]
fn a_run_that_was_stopped_ends_with_the_same_bytes() {
    for (name, config) in configs() {
        let mut whole = train("tictactoe", &config);
        whole.run(300, &mut || true).unwrap();
        let mut first = train("tictactoe", &config);
        first.run(123, &mut || true).unwrap();
        let path = stored(name, &mut *first);
        let mut second = train("tictactoe", &config);
        second.load(&mut ValueFile::open(&path).unwrap()).unwrap();
        assert_eq!((second.episode(), second.statistics()), (123, first.statistics()), "{name}");
        second.run(177, &mut || true).unwrap();
        assert!(bytes(&mut *second) == bytes(&mut *whole), "{name}");
    }
}

#[test]
fn what_an_older_version_wrote_is_read() {
    for (name, config) in configs() {
        let mut first = train("tictactoe", &config);
        first.run(123, &mut || true).unwrap();
        let mut older = bytes(&mut *first);
        let at = older.windows(13).position(|w| w == br#""version":"2""#).unwrap();
        older[at + 11] = b'1';
        let path = stored(&format!("older-{name}"), &mut *first);
        std::fs::write(&path, &older).unwrap();
        let mut second = train("tictactoe", &config);
        second.load(&mut ValueFile::open(&path).unwrap()).unwrap();
        assert!(bytes(&mut *second) == bytes(&mut *first), "{name}");
    }
}

#[test]
fn another_order_of_weights_is_refused() {
    let ntuple = NTupleConfig { count: 2, length: 3, ..NTupleConfig::default() };
    let config = Config { value: ValueConfig::Ntuple(ntuple), ..Config::default() };
    let mut older = bytes(&mut *train("othello", &config));
    let at = older.windows(13).position(|w| w == br#""version":"2""#).unwrap();
    older[at + 11] = b'1';
    let path = stored("gaps", &mut *train("othello", &config));
    std::fs::write(&path, &older).unwrap();
    let mut read = train("othello", &config);
    let refused = read.load(&mut ValueFile::open(&path).unwrap()).unwrap_err().to_string();
    assert!(refused.contains("another order of weights"), "{refused}");
    let mut live = open_game("othello").unwrap().live(1);
    live.seat(ludens_core::Player(0), &format!("greedy:{}", path.display())).unwrap_err();
}

#[test]
fn a_run_is_written_down_as_it_is_learned() {
    let mut config = usual();
    (config.start.share, config.start.min_plies, config.start.max_plies) = (1.0, 2, 2);
    let (mut watched, mut plain) = (train("tictactoe", &config), train("tictactoe", &config));
    for _ in 0..20 {
        let record = watched.step_recorded().unwrap();
        plain.step().unwrap();
        assert!(record.start.is_some());
        record.replay(&ludens_games::TicTacToe).unwrap();
    }
    assert!(bytes(&mut *watched) == bytes(&mut *plain));
}

#[test]
fn files_of_other_games_seeds_and_configurations_are_refused() {
    let config = usual();
    let path = stored("other", &mut *train("tictactoe", &config));
    let told = |training: &mut dyn Training| {
        training.load(&mut ValueFile::open(&path).unwrap()).unwrap_err().to_string()
    };
    assert!(told(&mut *train("connect4", &config)).ends_with("learned with another game"));
    let mut other = open_game("tictactoe").unwrap().train(&config, 8).unwrap();
    assert!(told(&mut *other).ends_with("learned with another seed"));
    let mut faster = config.clone();
    faster.learner.gamma = 0.9;
    assert!(
        told(&mut *train("tictactoe", &faster)).ends_with("learned with another configuration")
    );
    let longer = Config { episodes: 20_000, ..config };
    train("tictactoe", &longer).load(&mut ValueFile::open(&path).unwrap()).unwrap();
}

#[test]
fn agents_play_by_what_was_learned() {
    let config = Config { episodes: 3_000, ..usual() };
    let mut training = train("tictactoe", &config);
    training.run(3_000, &mut || true).unwrap();
    let path = stored("play", &mut *training).display().to_string();
    let (protocol, games) = (Some("random"), Some(200));
    let by = MeasureOptions {
        protocol,
        games,
        seed: 1,
        with_perfect: true,
        workload: Workload::default(),
    };
    let learned = training.measure(&by).unwrap().figure;
    assert!(learned.mean > 0.7, "{learned:?}");
    let game = open_game("tictactoe").unwrap();
    let greedy = format!("greedy:{path}");
    let read = game.arena().measure(&greedy, &by).unwrap().figure;
    assert_eq!(read, learned);
    let deeper = format!("alphabeta:depth=2,value=({path})");
    assert!(game.arena().measure(&deeper, &by).unwrap().figure.mean > 0.7);
    let other = open_game("connect4").unwrap().live(1).seat(ludens_core::Player(0), &greedy);
    assert!(other.unwrap_err().to_string().contains("was learned in tictactoe"));
}

#[test]
fn a_live_game_keeps_playing_by_a_copy_while_learning_goes_on() {
    for (name, config) in configs() {
        let mut training = train("tictactoe", &config);
        training.run(100, &mut || true).unwrap();
        let mut live = training.live(1).unwrap();
        training.run(100, &mut || true).unwrap();
        while live.turn() != Turn::Over {
            let advice = live.choose().unwrap();
            live.play(&advice.text).unwrap();
        }
        assert!(live.history().len() >= 5, "{name}");
    }
}

#[test]
fn games_played_elsewhere_are_learned_as_if_they_were_played_here() {
    let mut config = usual();
    config.learner.batch = 10;
    let (mut here, mut there) = (train("tictactoe", &config), train("tictactoe", &config));
    let mut other = train("tictactoe", &config);
    for _ in 0..3 {
        let records = here.step_batch(1, 5).unwrap();
        let weights = there.weights().to_vec();
        other.set_weights(&weights).unwrap();
        let missing = there.missing_games();
        let mut games = other.play_games(missing.start..missing.start + 4, 1).unwrap();
        games.extend(other.play_games(missing.start + 4..missing.end, 2).unwrap());
        assert_eq!(there.learn_games(&games, 5).unwrap(), records);
        let refused = there.learn_games(&games[..games.len() - 4], 5).unwrap_err();
        assert!(refused.to_string().contains("end in the middle"), "{refused}");
    }
    assert_eq!(here.weights(), there.weights());
    assert_eq!(here.episode(), there.episode());
}
