//! Engines spoken to by the Go Text Protocol: faulty ones written here, and a real one.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use ludens_core::{Agent, Game, Move, Notation, Params, Played, Player, Rewards, Rng, Turn};
use ludens_games::{Othello, TicTacToe};
use ludens_search::{Gtp, GtpSettings, Mcts, MctsSettings};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// An engine for TicTacToe that answers `genmove` by this piece of shell, and leaves its number and
/// everything it was told beside its script.
fn engine(name: &str, genmove: &str) -> PathBuf {
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("engine-{name}.sh"));
    let text = format!(
        r#"echo $$ > "$0.pid"
: > "$0.log"
while read -r command rest; do
    echo "$command $rest" >> "$0.log"
    case "$command" in
        protocol_version) printf '= 2\n\n' ;;
        list_commands) printf '=\nplay\nset_game\ngenmove\n\n' ;;
        genmove) {genmove} ;;
        *) printf '=\n\n' ;;
    esac
done
"#
    );
    std::fs::write(&script, text).unwrap();
    script
}

fn start(script: &Path) -> Gtp<TicTacToe> {
    let command = format!("sh '{}'", script.display());
    Gtp::start(GtpSettings { command, timeout: Duration::from_millis(1500) }, &TicTacToe).unwrap()
}

fn beside(script: &Path, ending: &str) -> String {
    std::fs::read_to_string(format!("{}.{ending}", script.display())).unwrap()
}

fn is_running(script: &Path) -> bool {
    Path::new("/proc").join(beside(script, "pid").trim()).exists()
}

fn asked(agent: &mut Gtp<TicTacToe>) -> Result<Move, String> {
    let choice = agent.choose(&TicTacToe, &TicTacToe.start(), &mut Rng::seeded(1));
    choice.map(|choice| choice.mv).map_err(|forfeit| forfeit.to_string())
}

#[test]
fn an_engine_is_told_every_move_and_answers() {
    let script = engine("good", r"printf '=7 B2\n\n'");
    let mut agent = start(&script);
    let state = &mut TicTacToe.start();
    agent.begin(&TicTacToe, state);
    for (mv, own) in [(Move(4), true), (Move(0), false)] {
        if own {
            assert_eq!(asked(&mut agent), Ok(Move(4)));
        }
        agent.watch(&TicTacToe, state, Played::Move(mv));
        TicTacToe.play(state, mv);
    }
    let refused = agent.choose(&TicTacToe, state, &mut Rng::seeded(1)).unwrap_err();
    assert!(refused.to_string().contains("answered \"B2\": \"B2\" is not legal here"));
    assert_eq!(
        beside(&script, "log").lines().skip(2).map(str::trim).collect::<Vec<_>>(),
        [
            "set_game TicTacToe",
            "boardsize 3",
            "clear_board",
            "genmove black",
            "play white a1",
            "genmove black"
        ]
    );
}

#[test]
fn a_state_that_nobody_announced_is_found() {
    let script = engine("found", r"printf '= c3\n\n'");
    let mut agent = start(&script);
    let state = TicTacToe.parse_state("x.o/.x./...").unwrap();
    let choice = agent.choose(&TicTacToe, &state, &mut Rng::seeded(1)).unwrap();
    assert_eq!(choice.mv, Move(8));
    let told = beside(&script, "log");
    assert!(told.contains("play black") && told.ends_with("genmove white\n"), "{told}");
}

#[test]
fn an_engine_that_hangs_forfeits_in_time_and_is_ended() {
    let script = engine("hanging", "exec sleep 1000");
    let mut agent = start(&script);
    let begun = Instant::now();
    let reason = asked(&mut agent).unwrap_err();
    assert!(reason.contains("no answer to `genmove black` within 1.5 s"), "{reason}");
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert!(!is_running(&script));
}

#[test]
fn an_engine_that_crashes_forfeits_with_its_last_words_and_is_started_anew() {
    let script = engine("crashing", "echo 'no more ideas' >&2; exit 3");
    let mut agent = start(&script);
    for _ in 0..2 {
        let reason = asked(&mut agent).unwrap_err();
        assert!(reason.contains("ended at `genmove black` (exit status: 3): no more ideas"));
    }
}

#[test]
fn illegal_and_senseless_answers_forfeit() {
    let cases = [
        ("illegal", r"printf '= d9\n\n'", "answered \"d9\": \"d9\" is not legal here; legal: a1"),
        ("refusing", r"printf '? too tired\n\n'", "refuses `genmove black`: too tired"),
        ("resigning", r"printf '= resign\n\n'", "the engine resigns"),
        ("babbling", "while :; do echo nonsense; done", "no answer to `genmove black`"),
    ];
    for (name, genmove, expected) in cases {
        let script = engine(name, genmove);
        let reason = asked(&mut start(&script)).unwrap_err();
        assert!(reason.contains(expected), "{name}: {reason}");
        assert!(!is_running(&script), "{name}");
    }
}

#[test]
fn no_engine_outlives_its_agent_even_in_a_panic() {
    let script = engine("outlived", r"printf '= a1\n\n'");
    let agent = start(&script);
    assert!(is_running(&script));
    drop(agent);
    assert!(!is_running(&script));
    let panicking = std::thread::spawn({
        let script = script.clone();
        move || {
            let _agent = start(&script);
            panic!("while an engine is running");
        }
    });
    assert!(panicking.join().is_err());
    assert!(!is_running(&script));
}

#[test]
fn what_cannot_be_started_is_explained() {
    let refusal = |command: &str| {
        let settings = GtpSettings { command: command.into(), timeout: Duration::from_secs(5) };
        Gtp::start(settings, &TicTacToe).err().unwrap().to_string()
    };
    assert!(refusal("no-such-engine -x").starts_with("`no-such-engine -x` does not start: "));
    assert!(refusal(" ").starts_with("expected command="));
    assert!(refusal("true").contains("ended at `protocol_version`"));
}

/// The engine of the Debian package grhino, if it is installed; where `LUDENS_ENGINES` is set it
/// must be.
fn rhino() -> Option<GtpSettings> {
    let found = [PathBuf::from("/usr/games/gtp-rhino"), PathBuf::from("/usr/bin/gtp-rhino")];
    let installed = found.iter().any(|path| path.exists());
    let wanted = std::env::var_os("LUDENS_ENGINES").is_some();
    assert!(installed || !wanted, "gtp-rhino is missing: apt-get install grhino");
    let command = "gtp-rhino --level=1".into();
    installed.then_some(GtpSettings { command, timeout: Duration::from_secs(60) })
}

#[test]
fn a_real_engine_plays_othello_to_the_end() {
    let Some(settings) = rhino() else {
        eprintln!("gtp-rhino is not installed: no game was played against it");
        return;
    };
    let params = "othello".parse::<Params>().unwrap();
    let game = Othello::configure(&params.check(Othello::SETTINGS).unwrap()).unwrap();
    let mut engine = Gtp::start(settings, &game).unwrap();
    let mut ours = Mcts::new(MctsSettings { iterations: 50, ..MctsSettings::default() }, None);
    let mut wins = 0;
    for seed in 0..12 {
        let engines_seat = Player((seed % 2) as u8);
        let gained = play(&game, &mut engine, &mut ours, engines_seat, seed);
        assert_eq!(gained.0[0] + gained.0[1], 0.0);
        wins += u32::from(gained[engines_seat] > 0.0);
    }
    // It is far stronger than fifty random games, so more than a few losses would mean that it is
    // misunderstood. It need not play the same each time.
    assert!(wins >= 8, "{wins} of 12");
}

fn play<G: Game>(
    game: &G,
    engine: &mut dyn Agent<G>,
    ours: &mut dyn Agent<G>,
    engines_seat: Player,
    seed: u64,
) -> Rewards {
    let (mut state, mut gained) = (game.start(), Rewards::NONE);
    let rng = &mut Rng::seeded(seed);
    engine.begin(game, &state);
    while let Turn::Player(player) = game.turn(&state) {
        let choice = if player == engines_seat {
            engine.choose(game, &state, rng)
        } else {
            ours.choose(game, &state, rng)
        };
        let mv = choice.unwrap().mv;
        engine.watch(game, &state, Played::Move(mv));
        gained += game.play(&mut state, mv);
    }
    gained
}

/// Whether the process with this number, kept in a file, is running.
fn runs(file: &Path) -> bool {
    let Ok(number) = std::fs::read_to_string(file) else { return false };
    // A process that nobody has waited for is still in the table.
    let status = std::fs::read_to_string(format!("/proc/{}/stat", number.trim()));
    status.is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or("Z").trim().starts_with('Z'))
}

/// Waits until it is so.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_children_of_an_engine_end_with_it() {
    let script = engine("parent", r#"sleep 600 & echo $! > "$0.child"; printf '= b2\n\n'"#);
    let mut agent = start(&script);
    assert!(asked(&mut agent).is_ok());
    let child = PathBuf::from(format!("{}.child", script.display()));
    assert!(runs(&child));
    drop(agent);
    until("the child ends", || !runs(&child));
}

#[test]
fn an_endless_answer_is_cut_off() {
    let script = engine("endless", r"printf '= b2\n'; yes no-empty-line");
    let mut agent = start(&script);
    let reason = asked(&mut agent).unwrap_err();
    assert!(reason.contains("with more than 1048576 bytes"), "{reason}");
    until("the engine ends", || !is_running(&script));
}

#[test]
fn a_cancelled_engine_is_waited_for_no_longer() {
    let script = engine("slow", "sleep 600");
    let command = format!("sh '{}'", script.display());
    let settings = GtpSettings { command, timeout: Duration::from_secs(600) };
    let mut agent = Gtp::start(settings, &TicTacToe).unwrap();
    let token = ludens_core::Cancellation::new();
    token.cancel_after(Duration::from_millis(100));
    let refused = token.scope(|| asked(&mut agent)).unwrap_err();
    assert!(refused.contains("cancelled"), "{refused}");
}
