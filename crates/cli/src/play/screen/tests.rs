//! The screen as a person would see it, drawn into memory.

use super::super::controller::Controller;
use super::super::played_game::PlayedGame;
use super::app::App;
use super::view;
use ludens_registry::open_game;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::{Color, Modifier};
use std::fmt::Write;
use std::time::Duration;

fn app(game: &str, seats: &[&str]) -> App {
    let game = open_game(game).unwrap();
    let live = game.live(1);
    let seats = seats.iter().map(|text| Controller::from(*text)).collect();
    let mut played_game = PlayedGame { game, live, seats, advisor: None };
    played_game.seat_agents().unwrap();
    App::new(played_game, 1, true)
}

fn screen(app: &App, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| view::draw(frame, app)).unwrap();
    terminal.backend().buffer().clone()
}

fn rows(buffer: &Buffer) -> Vec<String> {
    let width = usize::from(buffer.area.width);
    let row =
        |cells: &[ratatui::buffer::Cell]| cells.iter().map(ratatui::buffer::Cell::symbol).collect();
    buffer.content.chunks(width).map(row).collect()
}

fn text(app: &App) -> String {
    rows(&screen(app, 80, 24)).join("\n")
}

fn press(app: &mut App, codes: &[KeyCode]) {
    for code in codes {
        app.press(KeyEvent::new(*code, KeyModifiers::NONE));
        settle(app);
    }
}

fn type_in(app: &mut App, words: &str) {
    let letters: Vec<KeyCode> = words.chars().map(KeyCode::Char).collect();
    press(app, &letters);
    press(app, &[KeyCode::Enter]);
}

/// Waits until no agent is thinking.
fn settle(app: &mut App) {
    for _ in 0..2000 {
        app.advance();
        if app.thinking().is_none() && !app.advising() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("somebody thinks for ever");
}

#[test]
fn moves_are_pointed_at_or_typed_and_the_agent_answers() {
    let mut app = app("tictactoe", &["human", "maxn:depth=9"]);
    assert!(text(&app).contains("> 1 you") && text(&app).contains("2 maxn:depth=9"));
    press(&mut app, &[KeyCode::Up, KeyCode::Left, KeyCode::Enter]);
    assert_eq!(app.shown.history, ["a1", "b2"], "{}", text(&app));
    assert!(text(&app).contains("Player 2 plays b2, expecting +0.00."));
    type_in(&mut app, "c1");
    assert_eq!(app.shown.history.len(), 4);
    type_in(&mut app, "z9");
    assert!(text(&app).contains("is not legal here"), "{}", text(&app));
}

#[test]
fn moves_are_taken_back_and_sides_changed() {
    let mut app = app("connect4", &["human", "alphabeta:depth=2"]);
    type_in(&mut app, "4");
    assert_eq!(app.shown.history.len(), 2);
    press(&mut app, &[KeyCode::Backspace]);
    assert!(app.shown.history.is_empty() && text(&app).contains("Taken back."));
    type_in(&mut app, "side");
    assert_eq!(app.shown.history.len(), 1, "the agent has begun");
    assert!(text(&app).contains("> 2 you"), "{}", text(&app));
}

#[test]
fn hints_and_values_are_shown_on_demand() {
    let mut app = app("tictactoe", &["human", "human"]);
    for text in ["a1", "a2", "b1", "b2"] {
        type_in(&mut app, text);
    }
    assert!(!text(&app).contains("+1.00"));
    press(&mut app, &[KeyCode::Char('!')]);
    assert!(text(&app).contains("Hint: c1."), "{}", text(&app));
    press(&mut app, &[KeyCode::Tab]);
    assert_eq!(text(&app).matches("+1.00").count(), 2, "on the board and beside: {}", text(&app));
    press(&mut app, &[KeyCode::Enter]);
    assert!(text(&app).contains("Player 1 wins."), "the hint was pointed at: {}", text(&app));
}

#[test]
fn games_are_saved_and_loaded() {
    let file = std::env::temp_dir().join(format!("ludens-screen-{}.json", std::process::id()));
    let mut one = app("2048", &["human"]);
    press(&mut one, &[KeyCode::Left, KeyCode::Up, KeyCode::Right, KeyCode::Down]);
    assert!(one.shown.history.len() > 4, "directions are moves: {:?}", one.shown.history);
    type_in(&mut one, &format!("save {}", file.display()));
    assert!(text(&one).contains("The game is written down."), "{}", text(&one));
    let mut two = app("2048", &["human"]);
    type_in(&mut two, &format!("load {}", file.display()));
    assert_eq!(two.shown.history, one.shown.history, "chance included");
    assert_eq!(two.shown.gains, one.shown.gains);
    let mut other = app("tictactoe", &["human", "random"]);
    type_in(&mut other, &format!("load {}", file.display()));
    assert!(text(&other).contains("expected tictactoe, found 2048"), "{}", text(&other));
    std::fs::remove_file(file).unwrap();
}

#[test]
fn help_covers_the_board_until_a_key_is_pressed() {
    let mut app = app("hex:size=5", &["human", "random"]);
    press(&mut app, &[KeyCode::Char('?')]);
    assert!(text(&app).contains("values of all moves, on and off"));
    press(&mut app, &[KeyCode::Esc]);
    assert!(!text(&app).contains("values of all moves, on and off"));
    app.press(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
    assert!(app.is_left() && app.farewell().starts_with("You left the game."));
}

#[test]
fn every_game_fits_a_usual_terminal_and_says_when_it_does_not() {
    for entry in ludens_registry::GAMES {
        let players = open_game(entry.name).unwrap().info().players;
        let app = app(entry.name, &vec!["human"; players]);
        let drawn = text(&app);
        assert!(drawn.contains(entry.title) && drawn.contains(" 1 you"), "{drawn}");
        for (width, height) in [(200, 60), (60, 20), (30, 10), (5, 2), (1, 1)] {
            screen(&app, width, height);
        }
        assert!(rows(&screen(&app, 60, 5)).concat().contains("too small") || players == 1);
    }
}

#[test]
fn no_colour_is_used_where_none_is_wanted() {
    let mut plain = app("othello", &["human", "random"]);
    assert!(screen(&plain, 80, 24).content.iter().any(|cell| cell.bg != Color::Reset));
    plain.color = false;
    let drawn = screen(&plain, 80, 24);
    assert!(drawn.content.iter().all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset)));
    assert!(rows(&drawn).concat().contains('['), "the cursor is seen all the same");
}

/// The picture of the documents, and how it came about.
#[test]
fn the_picture_in_the_documents_is_the_screen() {
    let mut app = app("connect4", &["human", "alphabeta:depth=6"]);
    for text in ["4", "4", "2", "6"] {
        type_in(&mut app, text);
    }
    press(&mut app, &[KeyCode::Tab]);
    let (drawn, kept) = (to_svg(&screen(&app, 80, 24)), "../../docs/pictures/play.svg");
    if std::env::var_os("LUDENS_BLESS").is_some() {
        std::fs::write(kept, &drawn).unwrap();
    }
    assert!(std::fs::read_to_string(kept).unwrap_or_default() == drawn, "{kept} differs");
}

const ACROSS: usize = 9;
const DOWN: usize = 18;

fn to_svg(buffer: &Buffer) -> String {
    let (width, height) = (usize::from(buffer.area.width), usize::from(buffer.area.height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" \
         font-family=\"monospace\" font-size=\"15\" \
         shape-rendering=\"crispEdges\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#16181d\"/>\n",
        width * ACROSS,
        height * DOWN
    );
    for (i, cell) in buffer.content.iter().enumerate() {
        let (x, y) = (i % width * ACROSS, i / width * DOWN);
        let (mut front, mut back) = (css(cell.fg, "#d5d9e0"), css(cell.bg, "#16181d"));
        if cell.modifier.contains(Modifier::REVERSED) {
            (front, back) = (back, front);
        }
        if back != "#16181d" {
            let size = format!("width=\"{ACROSS}\" height=\"{DOWN}\"");
            let _ = writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" {size} fill=\"{back}\"/>");
        }
        let half = format!("width=\"{ACROSS}\" height=\"{}\" fill=\"{front}\"", DOWN / 2);
        let _ = match cell.symbol() {
            " " => Ok(()),
            "▀" => writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" {half}/>"),
            "▄" => writeln!(svg, "<rect x=\"{x}\" y=\"{}\" {half}/>", y + DOWN / 2),
            symbol => {
                let symbol = symbol.replace('&', "&amp;").replace('<', "&lt;");
                let y = y + 13;
                writeln!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"{front}\">{symbol}</text>")
            }
        };
    }
    svg + "</svg>\n"
}

fn css(color: Color, reset: &str) -> String {
    match color {
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        Color::Black => "#000000".into(),
        Color::White => "#ffffff".into(),
        _ => reset.into(),
    }
}
