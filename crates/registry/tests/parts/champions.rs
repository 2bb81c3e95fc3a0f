//! The champions that ship with Ludens match their cards and play.

use ludens_core::{Player, Turn};
use ludens_registry::{
    CompactOptions, TensorData, ValueFile, accesses_system, champions, find_champion, open_game,
    pack, stored_config,
};

/// All champions together may take this many bytes.
const MOST_BYTES: usize = 10_000_000;

#[test]
fn each_file_is_the_one_its_card_describes() {
    assert!(champions().iter().map(|c| c.bytes.len()).sum::<usize>() <= MOST_BYTES);
    for champion in champions() {
        let (name, card) = (champion.name, &champion.card);
        assert_eq!(champion.bytes.len() as u64, card.bytes, "{name}");
        assert_eq!(champion.checksum(), card.checksum, "{name}");
        let file = champion.value_file().unwrap();
        assert_eq!(file.text("game").unwrap(), card.game, "{name}");
        assert_eq!(file.number("seed").unwrap(), card.seed, "{name}");
        assert_eq!(file.number("episode").unwrap(), card.episodes, "{name}");
        assert_eq!(stored_config(&file).unwrap().episodes, card.episodes, "{name}");
        let weights: usize = file.shape("weights").unwrap().iter().product();
        assert_eq!(weights as u64, card.weights, "{name}");
    }
}

#[test]
fn each_card_is_complete() {
    for champion in champions() {
        let (name, card) = (champion.name, &champion.card);
        assert_eq!(open_game(&card.game).unwrap().info().spec, card.game, "{name}");
        assert!(card.train.starts_with("ludens train "), "{name}");
        assert!(card.cpu_seconds > 0.0 && (0.0..=10.0).contains(&card.level), "{name}");
        assert!(card.same_moves.positions >= 10_000, "{name}");
        assert!(!card.results.is_empty(), "{name}");
        for result in &card.results {
            let within = result.low - 1e-9..=result.high + 1e-9;
            assert!(within.contains(&result.figure), "{name}");
            assert!(result.count > 0 && !result.text.is_empty(), "{name}");
        }
    }
}

#[test]
fn a_champion_plays_as_well_as_before_it_was_packed() {
    for champion in champions() {
        let same = champion.card.same_moves;
        let share = same.different as f64 / same.positions as f64;
        assert!(share <= 0.002, "{}: {share}", champion.name);
    }
}

#[test]
fn each_champion_finishes_a_game() {
    for champion in champions() {
        let game = open_game(&champion.card.game).unwrap();
        let mut live = game.live(1);
        for player in Player::all(game.info().players) {
            live.seat(player, "champion").unwrap();
        }
        // 2048 takes long; its champion shows within some moves that it plays.
        for _ in 0..200 {
            if live.turn() == Turn::Over {
                break;
            }
            let chosen = live.choose().unwrap().text;
            live.play(&chosen).unwrap();
        }
        assert!(game.info().players == 1 || live.turn() == Turn::Over, "{}", champion.name);
    }
}

#[test]
fn other_agents_use_the_value_of_a_champion() {
    let game = open_game("tictactoe").unwrap();
    let agents = ["mcts:iterations=20,value=champion", "level:strength=3,agent=champion"];
    for agent in agents {
        game.live(1).seat(Player(0), agent).unwrap();
        assert!(!accesses_system(agent), "{agent}");
    }
    assert!(accesses_system("mcts:value=runs/a"));
    assert!(game.value("champion").is_ok());
}

#[test]
fn other_rules_have_no_champion() {
    assert!(find_champion("nim").is_some());
    for game in ["hex:size=4", "nim:size=4", "random-walk"] {
        assert!(find_champion(game).is_none(), "{game}");
        let refused = open_game(game).unwrap().live(1).seat(Player(0), "champion");
        let reason = refused.unwrap_err().to_string();
        assert!(reason.contains("has no champion; games with one: 2048, connect4"), "{reason}");
    }
}

/// The content of a small file.
fn example(weights: Vec<f32>) -> ludens_registry::Content<'static> {
    let mut content = ludens_registry::Content::default();
    content.about.insert("game".into(), "tictactoe".into());
    let data = TensorData::Numbers(weights.into());
    content.tensors.insert("weights".into(), (vec![2, 5], data));
    content
}

/// The example as an open file, by way of a folder of its own.
fn stored(name: &str, bytes: &[u8]) -> Result<ValueFile, ludens_core::Invalid> {
    let folder = std::env::temp_dir().join(format!("ludens-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("example");
    std::fs::write(&path, bytes).unwrap();
    let file = ValueFile::open(&path);
    std::fs::remove_dir_all(folder).unwrap();
    file
}

fn packed(bits: u32) -> Vec<u8> {
    let weights = vec![0.0, 1.0, -1.0, 0.25, -0.75, 0.001, 0.0, 0.5, 0.1, -0.1];
    let mut bytes = Vec::new();
    ludens_registry::write_value(&mut bytes, &example(weights)).unwrap();
    let mut file = stored(&format!("full-{bits}"), &bytes).unwrap();
    let mut initial = vec![0.0; 10];
    initial[9] = -0.1;
    pack(&mut file, CompactOptions { bits }, Some(&initial)).unwrap()
}

#[test]
fn a_compact_file_is_read_like_any_other() {
    for bits in [4, 8, 12, 16] {
        let mut file = stored(&format!("compact-{bits}"), &packed(bits)).unwrap();
        assert_eq!(file.text("game").unwrap(), "tictactoe");
        let weights = file.numbers("weights").unwrap();
        let expected = [0.0, 1.0, -1.0, 0.25, -0.75, 0.001, 0.0, 0.5, 0.1, 0.0];
        let step = 1.0 / ((1 << (bits - 1)) - 1) as f32;
        for (weight, expected) in weights.iter().zip(expected) {
            assert!((weight - expected).abs() <= step / 2.0 + 1e-6, "{bits}: {weights:?}");
        }
        assert_eq!(weights[9], 0.0, "what training did not change is dropped");
    }
}

#[test]
fn a_damaged_compact_file_is_refused() {
    let whole = packed(16);
    for end in [8, 9, whole.len() / 2, whole.len() - 1] {
        let refused = stored(&format!("cut-{end}"), &whole[..end]).unwrap_err();
        assert!(refused.to_string().contains("damaged"), "{refused}");
    }
    for at in 8..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 0x55;
        assert!(stored(&format!("changed-{at}"), &changed).is_err(), "byte {at}");
    }
}
