//! No text makes the registry panic, and what is accepted keeps its promises.
//!
//! `PROPTEST_CASES=10000 cargo test -p ludens-registry --test any_text` looks longer.

mod properties;

use ludens_core::{Kind, Params, Player, Setting};
use ludens_registry::{AnyGame, GAMES, accesses_system, open_game};
use properties::{Edit, Entered, check_game, check_moves, check_params, check_state, random_state};
use proptest::prelude::*;
use proptest::sample::select;

/// Larger boards take too long for a test.
const MOST_CELLS: usize = 100;

/// A value that the setting allows; the small ones more often.
fn allowed(setting: &'static Setting) -> BoxedStrategy<String> {
    match setting.kind {
        Kind::Integer { min, max, .. } => prop_oneof![
            (min..=max.min(min.saturating_add(4))).prop_map(|n| n.to_string()),
            (min..=max).prop_map(|n| n.to_string()),
        ]
        .boxed(),
        Kind::Number { min, max, .. } => {
            (0.0..=1.0).prop_map(move |x: f64| (min + x * (max.min(1e6) - min)).to_string()).boxed()
        }
        Kind::Choice { of, .. } => select(of).prop_map(str::to_owned).boxed(),
        Kind::Flag { .. } => any::<bool>().prop_map(|flag| flag.to_string()).boxed(),
        Kind::Text { .. } => "[a-z0-9;:/.+-]{0,12}".boxed(),
    }
}

/// `key=value`, mostly with an allowed value.
fn assignment(setting: &'static Setting) -> impl Strategy<Value = String> {
    prop_oneof![8 => allowed(setting), 1 => "\\PC{0,6}", 1 => "-?[0-9]{1,20}"]
        .prop_map(|value| format!("{}={value}", setting.key))
}

/// A game with some of its settings written out.
fn spec() -> impl Strategy<Value = String> {
    (0..GAMES.len()).prop_flat_map(|i| {
        let entry = &GAMES[i];
        let all: Vec<_> = entry.settings.iter().map(assignment).collect();
        let chosen = proptest::collection::vec(any::<bool>(), all.len());
        (all, chosen).prop_map(|(all, chosen)| {
            let kept = all.into_iter().zip(chosen).filter(|(_, keep)| *keep);
            format!("{}:{}", entry.name, kept.map(|(text, _)| text).collect::<Vec<_>>().join(","))
        })
    })
}

/// A game that opens and is small enough to play in a test.
fn small_game() -> impl Strategy<Value = String> {
    let plain = (0..GAMES.len()).prop_map(|i| GAMES[i].name.to_owned());
    prop_oneof![plain, spec()].prop_filter("opens, and is small", |spec| {
        let cells = open_game(spec).map(|game| game.info().width * game.info().height);
        cells.is_ok_and(|cells| cells <= MOST_CELLS)
    })
}

fn open(spec: &str) -> Box<dyn AnyGame> {
    open_game(spec).expect("was opened before")
}

fn edit() -> impl Strategy<Value = Edit> {
    any::<(u8, u16, u8)>().prop_map(|(kind, place, what)| Edit { kind, place, what })
}

fn entered() -> impl Strategy<Value = Entered> {
    prop_oneof![
        2 => any::<u8>().prop_map(|i| Entered::Legal(i.into())),
        1 => prop_oneof!["\\PC{0,8}", "[a-z0-9]{1,3}"].prop_map(Entered::Text),
    ]
}

/// Pieces of names inside names, in any order, and one of them very often.
fn nested() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "decay:agent=",
        "level:agent=(",
        "epsilon:",
        "maxn:depth=200",
        "random",
        "p=0.5",
        "(",
        ")",
        ",",
        "=",
        ":",
        " ",
        "\0",
        "\u{e9}",
        "value=",
        "agent",
    ];
    let some =
        || proptest::collection::vec(select(PIECES), 0..8).prop_map(|pieces| pieces.concat());
    let count = prop_oneof![0..30usize, 0..20_000usize];
    (some(), some(), count, some())
        .prop_map(|(begin, often, count, end)| format!("{begin}{}{end}", often.repeat(count)))
}

/// Texts in the letters of parameters, brackets and all.
const SPEC_LIKE: &str = "[a-z0-9-]{0,4}:[a-c0-9:=,() .;/-]{0,20}";

/// Failures are printed with their text; keep them as ordinary tests, not as numbers in a file.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn params_are_refused_or_read_back(text in prop_oneof!["\\PC*", SPEC_LIKE]) {
        check_params(&text);
    }

    #[test]
    fn agents_nested_in_any_way_are_refused_or_open(text in nested()) {
        check_params(&text);
        accesses_system(&text);
        let mut live = open("tictactoe").live(1);
        if let Err(refused) = live.seat(Player(0), &text) {
            prop_assert!(refused.to_string().len() < 20 * Params::MAX_LENGTH);
        }
    }

    #[test]
    fn games_are_refused_or_open_again(text in prop_oneof!["\\PC*", SPEC_LIKE, spec()]) {
        check_params(&text);
        check_game(&text);
    }

    #[test]
    fn every_setting_conforms(spec in small_game()) {
        open(&spec).conformance(2).unwrap_or_else(|breach| panic!("{spec}: {breach}"));
    }

    #[test]
    fn states_are_refused_or_played_to_their_end(
        spec in small_game(),
        text in prop_oneof!["\\PC*", "[xo./0-9a-z; -]{0,80}"],
        seed in any::<u64>(),
    ) {
        check_state(&*open(&spec), &text, seed);
    }

    #[test]
    fn changed_states_are_refused_or_played_to_their_end(
        spec in small_game(),
        turns in 0..80usize,
        edits in proptest::collection::vec(edit(), 1..6),
        seed in any::<u64>(),
    ) {
        let text = random_state(&*open(&spec), turns, seed).state_text();
        check_state(&*open(&spec), &edits.iter().fold(text, |text, edit| edit.apply(&text)), seed);
    }

    #[test]
    fn moves_are_refused_or_played(
        spec in small_game(),
        entries in proptest::collection::vec(entered(), 0..80),
        seed in any::<u64>(),
    ) {
        check_moves(&*open(&spec), &entries, seed);
    }
}
