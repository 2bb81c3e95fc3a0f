//! The Go Text Protocol, version 2: commands in, answers out.

use super::board::{GtpBoard, playable};
use super::clock::GtpClock;
use ludens_core::{Player, Turn};
use ludens_registry::gtp_words;
use std::time::{Duration, Instant};

/// Understands commands, one line each.
pub(super) struct GtpEngine {
    board: GtpBoard,
    clock: GtpClock,
    quit: bool,
}

/// The response to a command, or its error.
type GtpResponse = Result<String, String>;

struct GtpCommand {
    name: &'static str,
    run: fn(&mut GtpEngine, &[&str]) -> GtpResponse,
}

/// Every command, in alphabetical order.
const COMMANDS: &[GtpCommand] = &[
    GtpCommand { name: "boardsize", run: boardsize },
    GtpCommand { name: "clear_board", run: clear_board },
    GtpCommand { name: "final_score", run: final_score },
    GtpCommand { name: "genmove", run: genmove },
    GtpCommand { name: "known_command", run: known_command },
    GtpCommand { name: "komi", run: komi },
    GtpCommand { name: "list_commands", run: list_commands },
    GtpCommand { name: "list_games", run: list_games },
    GtpCommand { name: "ludens-values", run: values },
    GtpCommand { name: "name", run: |_, _| Ok("Ludens".into()) },
    GtpCommand { name: "play", run: play },
    GtpCommand { name: "protocol_version", run: |_, _| Ok("2".into()) },
    GtpCommand { name: "quit", run: quit },
    GtpCommand { name: "reg_genmove", run: reg_genmove },
    GtpCommand { name: "set_game", run: set_game },
    GtpCommand { name: "showboard", run: showboard },
    GtpCommand { name: "time_left", run: time_left },
    GtpCommand { name: "time_settings", run: time_settings },
    GtpCommand { name: "undo", run: undo },
    GtpCommand { name: "version", run: |_, _| Ok(env!("CARGO_PKG_VERSION").into()) },
];

impl GtpEngine {
    pub(super) fn new(board: GtpBoard) -> GtpEngine {
        GtpEngine { board, clock: GtpClock::default(), quit: false }
    }

    pub(super) fn has_quit(&self) -> bool {
        self.quit
    }

    /// The answer to one line, ready to be written; none to empty lines and comments.
    pub(super) fn answer(&mut self, line: &str) -> Option<String> {
        let line: String = line.split('#').next()?.replace('\t', " ");
        let line: String = line.chars().filter(|c| !c.is_control()).collect();
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let id = words.first().filter(|w| w.bytes().all(|b| b.is_ascii_digit())).copied();
        if id.is_some() {
            words.remove(0);
        }
        let (name, arguments) = words.split_first()?;
        let answer = match COMMANDS.iter().find(|command| command.name == *name) {
            Some(command) => (command.run)(self, arguments),
            None => Err("unknown command".into()),
        };
        let (mark, text) = match answer {
            Ok(text) => ('=', text),
            Err(reason) => ('?', reason),
        };
        // An empty line would end the answer.
        let full: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        Some(
            format!("{mark}{} {}\n\n", id.unwrap_or_default(), full.join("\n"))
                .replace(" \n", "\n"),
        )
    }
}

fn boardsize(engine: &mut GtpEngine, arguments: &[&str]) -> GtpResponse {
    let sizes: Vec<usize> = arguments.iter().filter_map(|word| word.parse().ok()).collect();
    let (width, height) = match sizes[..] {
        [size] if arguments.len() == 1 => (size, size),
        [width, height] if arguments.len() == 2 => (width, height),
        _ => return Err(syntax("boardsize", "SIZE")),
    };
    let set = engine.board.set_size(width, height);
    set.map_err(|e| format!("unacceptable size: {e}")).map(|()| String::new())
}

fn clear_board(engine: &mut GtpEngine, _: &[&str]) -> GtpResponse {
    engine.board.clear();
    engine.clock.restart();
    Ok(String::new())
}

fn final_score(engine: &mut GtpEngine, _: &[&str]) -> GtpResponse {
    if engine.board.live().turn() != Turn::Over {
        return Err("cannot score: the game is not over".into());
    }
    let gained = engine.board.live().rewards()[Player(0)];
    Ok(match gained {
        ..0.0 => format!("W+{}", -gained),
        0.0 => "0".into(),
        _ => format!("B+{gained}"),
    })
}

fn genmove(engine: &mut GtpEngine, arguments: &[&str]) -> GtpResponse {
    let text = reg_genmove(engine, arguments)?;
    if text != "resign" {
        engine.board.live().play(&text).map_err(|e| e.to_string())?;
    }
    Ok(text)
}

fn known_command(_: &mut GtpEngine, arguments: &[&str]) -> GtpResponse {
    let known = |name: &&str| COMMANDS.iter().any(|command| command.name == *name);
    Ok(arguments.first().is_some_and(known).to_string())
}

/// Nothing is added to any score of our games; the command is there for those who always send it.
fn komi(_: &mut GtpEngine, arguments: &[&str]) -> GtpResponse {
    match arguments {
        [number] if number.parse::<f32>().is_ok() => Ok(String::new()),
        _ => Err(syntax("komi", "NUMBER")),
    }
}

fn list_commands(_: &mut GtpEngine, _: &[&str]) -> GtpResponse {
    let names: Vec<_> = COMMANDS.iter().map(|command| command.name).collect();
    Ok(names.join("\n"))
}

fn list_games(_: &mut GtpEngine, _: &[&str]) -> GtpResponse {
    Ok(playable().map(|(_, title)| title).collect::<Vec<_>>().join("\n"))
}

fn values(engine: &mut GtpEngine, _: &[&str]) -> GtpResponse {
    let Turn::Player(mover) = engine.board.live().turn() else {
        return Err("the game is over".into());
    };
    engine.board.take_seat(mover).map_err(|e| e.to_string())?;
    let live = engine.board.live();
    let values = live.move_values().ok_or("the agent holds no opinion on moves")?;
    let line = |((_, text), value): ((_, String), f32)| format!("{text} {value:.4}");
    Ok(live.legal().into_iter().zip(values).map(line).collect::<Vec<_>>().join("\n"))
}

fn play(engine: &mut GtpEngine, arguments: &[&str]) -> GtpResponse {
    let [colour, text] = arguments else { return Err(syntax("play", "COLOUR MOVE")) };
    let player = gtp_words::player(colour).ok_or_else(|| syntax("play", "COLOUR MOVE"))?;
    let turned = engine.board.turn_to(player);
    let played = turned.and_then(|()| engine.board.play(text));
    played.map_err(|e| format!("illegal move: {e}")).map(|()| String::new())
}

fn quit(engine: &mut GtpEngine, _: &[&str]) -> GtpResponse {
    engine.quit = true;
    Ok(String::new())
}

fn reg_genmove(engine: &mut GtpEngine, arguments: &[&str]) -> GtpResponse {
    let player = arguments.first().and_then(|word| gtp_words::player(word));
    let player = player.ok_or_else(|| syntax("genmove", "COLOUR"))?;
    engine.board.turn_to(player).map_err(|e| e.to_string())?;
    engine.board.take_seat(player).map_err(|e| e.to_string())?;
    let (start, budget) = (Instant::now(), engine.clock.budget(player));
    let live = engine.board.live();
    live.limit_time(player, budget);
    let chosen = live.choose().map(|advice| advice.text).map_err(|e| e.to_string());
    engine.clock.spend(player, start.elapsed());
    chosen
}

fn set_game(engine: &mut GtpEngine, arguments: &[&str]) -> GtpResponse {
    let wanted = arguments.join(" ");
    let meant = |(name, title): &(&str, &str)| {
        title.eq_ignore_ascii_case(&wanted) || name.eq_ignore_ascii_case(&wanted)
    };
    let found = playable().find(meant).ok_or_else(|| format!("no game is called {wanted:?}"))?;
    if found.1 != engine.board.info().title {
        engine.board.set_game(found.0).map_err(|e| e.to_string())?;
    }
    Ok(String::new())
}

fn showboard(engine: &mut GtpEngine, _: &[&str]) -> GtpResponse {
    let live = engine.board.live();
    let turn = match live.turn() {
        Turn::Player(player) => format!("{} to move", gtp_words::colour(player)),
        _ => "the game is over".into(),
    };
    Ok(format!("{turn}\n{}", live.scene().to_text()))
}

fn time_left(engine: &mut GtpEngine, arguments: &[&str]) -> GtpResponse {
    let wrong = || syntax("time_left", "COLOUR TIME STONES");
    let [colour, time, stones] = arguments else { return Err(wrong()) };
    let player = gtp_words::player(colour).ok_or_else(wrong)?;
    let time = seconds(time).ok_or_else(wrong)?;
    engine.clock.correct(player, time, stones.parse().map_err(|_| wrong())?);
    Ok(String::new())
}

fn time_settings(engine: &mut GtpEngine, arguments: &[&str]) -> GtpResponse {
    let wrong = || syntax("time_settings", "MAIN BYO STONES");
    let [main, period, stones] = arguments else { return Err(wrong()) };
    let main = seconds(main).ok_or_else(wrong)?;
    let period = seconds(period).ok_or_else(wrong)?;
    engine.clock.set(main, period, stones.parse().map_err(|_| wrong())?);
    Ok(String::new())
}

/// Controllers write whole seconds; some write fractions.
fn seconds(text: &str) -> Option<Duration> {
    text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

fn undo(engine: &mut GtpEngine, _: &[&str]) -> GtpResponse {
    if engine.board.live().undo() { Ok(String::new()) } else { Err("cannot undo".into()) }
}

fn syntax(command: &str, arguments: &str) -> String {
    format!("syntax error: expected {command} {arguments}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_registry::open_game;

    fn engine(game: &str, agent: &str) -> GtpEngine {
        GtpEngine::new(GtpBoard::new(open_game(game).unwrap(), agent.into(), 1).unwrap())
    }

    /// Each line with its answer, without the empty line at its end.
    fn talk(engine: &mut GtpEngine, lines: &[(&str, &str)]) {
        for (line, expected) in lines {
            let answer = engine.answer(line).unwrap_or_default();
            assert_eq!(answer, format!("{expected}\n\n"), "{line}");
        }
    }

    #[test]
    fn the_protocol_is_spoken() {
        let mut engine = engine("tictactoe", "maxn:depth=9");
        talk(
            &mut engine,
            &[
                ("protocol_version", "= 2"),
                ("12 name # who is it", "=12 Ludens"),
                ("3 nonsense", "?3 unknown command"),
                ("known_command undo", "= true"),
                ("known_command redo", "= false"),
                ("komi 6.5", "="),
                ("komi", "? syntax error: expected komi NUMBER"),
                ("time_settings 60 0 0", "="),
                ("time_left b 60 0", "="),
                ("boardsize 3", "="),
                ("7\tquit\r", "=7"),
            ],
        );
        assert!(engine.has_quit());
        assert_eq!(engine.answer("  # nothing"), None);
        assert_eq!(engine.answer(""), None);
    }

    #[test]
    fn moves_are_played_generated_and_taken_back() {
        let mut engine = engine("tictactoe", "maxn:depth=9");
        talk(
            &mut engine,
            &[
                ("play b a1", "="),
                ("play b a2", "? illegal move: it is the turn of white"),
                (
                    "play w A1",
                    "? illegal move: \"A1\" is not legal here; legal: b1 c1 a2 b2 c2 a3 b3 c3",
                ),
                ("reg_genmove white", "= b2"),
                ("genmove white", "= b2"),
                ("undo", "="),
                ("undo", "="),
                ("undo", "? cannot undo"),
                ("final_score", "? cannot score: the game is not over"),
            ],
        );
        for line in ["play b a1", "play w a2", "play b b1", "play w b2", "genmove b"] {
            assert!(engine.answer(line).unwrap().starts_with('='));
        }
        talk(&mut engine, &[("final_score", "= B+1"), ("genmove w", "? the game is over")]);
        let shown = engine.answer("showboard").unwrap();
        assert!(shown.starts_with("= the game is over\n") && shown.matches("\n\n").count() == 1);
    }

    #[test]
    fn games_and_sizes_change() {
        let mut engine = engine("othello", "random");
        talk(
            &mut engine,
            &[
                ("boardsize 6", "="),
                ("set_game connect4", "="),
                ("play b D", "="),
                ("play w 4", "="),
                ("set_game Chess", "? no game is called \"Chess\""),
            ],
        );
        assert!(engine.board.info().spec.starts_with("connect4"));
        let refused = engine.answer("boardsize 99").unwrap();
        assert!(refused.starts_with("? unacceptable size: "), "{refused}");
        assert!(engine.answer("list_games").unwrap().contains("Othello"));
    }

    #[test]
    fn no_move_takes_longer_than_its_time() {
        let mut engine = engine("connect4", "mcts:iterations=1000000000");
        talk(
            &mut engine,
            &[
                ("time_settings 0 1 10", "="),
                ("time_settings 0 x 10", "? syntax error: expected time_settings MAIN BYO STONES"),
                ("time_left w 1 0", "="),
            ],
        );
        let start = Instant::now();
        assert!(engine.answer("genmove b").unwrap().starts_with('='));
        assert!(engine.answer("genmove w").unwrap().starts_with('='));
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }

    #[test]
    fn values_are_told_for_every_legal_move() {
        let mut engine = engine("tictactoe", "maxn:depth=9");
        engine.answer("play b a1");
        let values = engine.answer("ludens-values").unwrap();
        assert_eq!(values.trim().lines().count(), 8);
        assert!(values.contains("b2 0.0000") && values.contains("c1 -1.0000"), "{values}");
    }

    #[test]
    fn games_that_the_protocol_cannot_play_are_refused() {
        let refused = GtpBoard::new(open_game("random-walk").unwrap(), "random".into(), 1);
        assert!(refused.err().unwrap().to_string().contains("two players without chance"));
    }
}
