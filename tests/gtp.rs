//! The command as an engine, played by ourselves over the Go Text Protocol.

use ludens_core::{Player, Rewards, Turn};
use ludens_registry::open_game;

/// A game of the command, asked by the protocol, against somebody random.
fn against_random(game: &str, agent: &str, engines_seat: Player, seed: u64) -> Rewards {
    let command = format!("'{}' gtp {game} --agent {agent}", env!("CARGO_BIN_EXE_ludens"));
    let mut live = open_game(game).expect("the game is known").live(seed);
    live.seat(engines_seat, &format!("gtp:command=({command})")).expect("the engine starts");
    live.seat(engines_seat.other(), "random").expect("random is known");
    while live.turn() != Turn::Over {
        let advice = live.choose().expect("an agent answers");
        live.play(&advice.text).expect("agents choose legal moves");
    }
    live.rewards()
}

#[test]
fn both_sides_of_the_protocol_understand_each_other_in_every_game() {
    for game in ["connect4", "hex:size=4", "nim", "othello", "othello:size=6", "tictactoe"] {
        for (seat, seed) in [(Player(0), 1), (Player(1), 2)] {
            let rewards = against_random(game, "mcts:iterations=300", seat, seed);
            assert!(rewards[seat] >= 0.0, "{game}: {rewards:?}");
        }
    }
}

#[test]
fn an_engine_keeps_up_when_moves_are_taken_back() {
    let command = format!("'{}' gtp tictactoe --agent maxn:depth=9", env!("CARGO_BIN_EXE_ludens"));
    let mut live = open_game("tictactoe").unwrap().live(1);
    live.seat(Player(1), &format!("gtp:command=({command})")).unwrap();
    for first in ["a1", "b2", "c2"] {
        live.play(first).unwrap();
        let advice = live.choose().unwrap();
        live.play(&advice.text).unwrap();
        assert!(live.undo() && live.undo());
    }
}

#[test]
fn our_engine_plays_a_whole_game_against_the_engine_of_another_author() {
    let installed = |folder: &str| std::path::Path::new(folder).join("gtp-rhino").exists();
    if !["/usr/games", "/usr/bin"].into_iter().any(installed) {
        eprintln!("gtp-rhino is not installed: no game was played against it");
        return;
    }
    let engine = env!("CARGO_BIN_EXE_ludens");
    let ours = format!("gtp:command=('{engine}' gtp --game othello --agent mcts:iterations=50)");
    let theirs = "gtp:command=(gtp-rhino --level=1)";
    let mut live = open_game("othello").unwrap().live(1);
    live.seat(Player(0), &ours).unwrap();
    live.seat(Player(1), theirs).unwrap();
    while live.turn() != Turn::Over {
        let advice = live.choose().expect("both engines answer to the end");
        live.play(&advice.text).expect("both engines keep to the rules");
    }
    assert!(live.history().len() > 40, "{:?}", live.history());
}

/// Waits until it is so.
#[cfg(target_os = "linux")]
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = std::time::Instant::now();
    while !holds() {
        assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{what}");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_engine_and_no_child_of_one_outlives_a_command_that_is_interrupted_or_killed() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("engine-ends");
    std::fs::create_dir_all(&folder).unwrap();
    let script = folder.join("engine.sh");
    let text = r#"sleep 600 & echo "$$ $!" >> "$1"
while read -r command rest; do
    case "$command" in
        protocol_version) printf '= 2\n\n' ;;
        list_commands) printf '=\n\n' ;;
        genmove) sleep 600 ;;
        *) printf '=\n\n' ;;
    esac
done
"#;
    std::fs::write(&script, text).unwrap();
    for command in ["match", "tournament"] {
        for signal in ["INT", "TERM", "KILL"] {
            let pids = folder.join(format!("{command}-{signal}"));
            let _ = std::fs::remove_file(&pids);
            let engine = format!("gtp:command=(sh '{}' '{}')", script.display(), pids.display());
            let mut ludens = std::process::Command::new(env!("CARGO_BIN_EXE_ludens"));
            ludens.args([command, "tictactoe", &engine, "random", "--games", "2"]);
            ludens.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
            let mut ludens = ludens.spawn().unwrap();
            let read = || std::fs::read_to_string(&pids).unwrap_or_default();
            until("the engine starts", || read().ends_with('\n'));
            std::thread::sleep(std::time::Duration::from_millis(200));
            let number = ludens.id().to_string();
            let sent = std::process::Command::new("kill").args(["-s", signal, &number]).status();
            assert!(sent.unwrap().success());
            let status = ludens.wait().unwrap();
            if signal != "KILL" {
                assert_eq!(status.code(), Some(130), "{command} {signal}");
            }
            for pid in read().split_whitespace() {
                let stat = || std::fs::read_to_string(format!("/proc/{pid}/stat"));
                let ended = || stat().map_or(true, |text| text.contains(") Z "));
                until(&format!("{command}, {signal}: {pid} ends"), ended);
            }
        }
    }
}
