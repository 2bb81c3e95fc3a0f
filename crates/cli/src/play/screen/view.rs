//! The layout of the screen.

use super::app::App;
use super::board;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

/// The width of the panel next to the board.
const PANEL: u16 = 34;
const LEAST_PANEL: u16 = 22;

const KEYS: &str = "arrows+Enter or type a move · ! hint · Tab values · Backspace back · ? help";

const WATCHING: &str = "Space pause · s one move · + faster · - slower · q leave";

const HELP: &str = "arrows, Enter   point at a move and play it
letters, Enter  type a move and play it
!               hint: the best move
Tab             values of all moves, on and off
Backspace       take your last move back
Esc             forget what was typed

and words, with Enter:
moves  hint  values  undo  side  state
save FILE   load FILE   quit (or Ctrl-C)

any key goes back to the game";

/// Draws the whole screen.
pub(super) fn draw(frame: &mut Frame<'_>, app: &App) {
    let rows = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(1),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ]);
    let [title, middle, message, input, keys] = rows.areas(frame.area());
    frame.render_widget(Line::styled(app.shown.title.as_str(), strong()), title);
    draw_middle(frame, app, middle);
    frame.render_widget(Line::raw(message_line(app)), message);
    draw_input(frame, app, input);
    let known = if app.pace.is_some() { WATCHING } else { KEYS };
    frame.render_widget(Line::styled(known, faint()), keys);
    if app.help {
        draw_help(frame);
    }
}

fn draw_middle(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let scene = &app.shown.scene;
    let beside = board::fit(scene, area.width.saturating_sub(LEAST_PANEL + 2), area.height);
    let Some((size, (width, height))) =
        beside.or_else(|| board::fit(scene, area.width, area.height))
    else {
        let text = "The terminal is too small for the board: make it larger.";
        return frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
    };
    let place = Rect { x: area.x + 1, y: area.y, width, height }.intersection(area);
    board::draw(app, size, place, frame.buffer_mut());
    let x = area.x + width + 3;
    if area.right() > x + LEAST_PANEL - 2 {
        let panel = Rect { x, width: (area.right() - x).min(PANEL), ..area };
        frame.render_widget(Paragraph::new(panel_lines(app, panel)), panel);
    }
}

/// Players, then the values or what was played.
fn panel_lines(app: &App, area: Rect) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'_>> = app
        .shown
        .players
        .iter()
        .enumerate()
        .map(|(i, name)| player_line(app, i, name, area.width))
        .collect();
    lines.push(Line::default());
    let room = usize::from(area.height).saturating_sub(lines.len());
    lines.extend(if app.values_wanted { value_lines(app, room) } else { history_lines(app, room) });
    lines
}

fn player_line(app: &App, i: usize, name: &str, width: u16) -> Line<'static> {
    let moves = app.shown.mover == Some(i);
    let gains = app.shown.gains.iter().any(|gain| *gain != 0.0);
    let gain = if gains { format!(" {:+}", app.shown.gains[i]) } else { String::new() };
    let text = format!("{} {} {name}{gain}", if moves { '>' } else { ' ' }, i + 1);
    let text: String = text.chars().take(width.into()).collect();
    if moves { Line::styled(text, strong()) } else { Line::raw(text) }
}

/// The moves with their values, the best first.
fn value_lines(app: &App, room: usize) -> Vec<Line<'static>> {
    let Some(opinion) = &app.opinion else {
        let text = if app.advising() { "weighing the moves…" } else { "no values yet" };
        return vec![Line::styled(text, faint())];
    };
    let Some(values) = &opinion.values else {
        return vec![Line::styled("nobody can tell the values", faint())];
    };
    let mut judged: Vec<(&str, f32, Option<u64>)> = Vec::new();
    for (i, ((_, text), value)) in app.shown.legal.iter().zip(values).enumerate() {
        judged.push((
            text,
            *value,
            opinion.visits.as_ref().and_then(|visits| visits.get(i).copied()),
        ));
    }
    judged.sort_by(|a, b| b.1.total_cmp(&a.1));
    let line = |(text, value, visits): &(&str, f32, Option<u64>)| {
        let visits = visits.map_or(String::new(), |visits| format!("{visits:>8}"));
        Line::raw(format!("{text:>6} {value:>+9.2}{visits}"))
    };
    let head =
        if opinion.visits.is_some() { "  move     value   tries" } else { "  move     value" };
    let head = Line::styled(head, faint());
    std::iter::once(head).chain(judged.iter().map(line)).take(room).collect()
}

/// The history, the newest move last.
fn history_lines(app: &App, room: usize) -> Vec<Line<'static>> {
    let rows: Vec<String> = app.shown.history.chunks(6).map(|row| row.join(" ")).collect();
    let from = rows.len().saturating_sub(room);
    rows[from..].iter().map(|row| Line::raw(row.clone())).collect()
}

fn message_line(app: &App) -> String {
    match app.thinking() {
        Some(time) => {
            let player = app.shown.mover.unwrap_or(0) + 1;
            format!("Player {player} is thinking, {:.0} s…", time.as_secs_f64())
        }
        None => app.message.clone(),
    }
}

fn draw_input(frame: &mut Frame<'_>, app: &App, area: Rect) {
    if let Some(pace) = &app.pace {
        let seconds = pace.between_moves.as_secs_f64();
        let text =
            if pace.paused { "paused".into() } else { format!("a move every {seconds:.2} s") };
        return frame.render_widget(Line::styled(text, strong()), area);
    }
    let prompt = match app.shown.mover {
        Some(player) if app.shown.human => format!("player {}> ", player + 1),
        _ => "> ".into(),
    };
    let x = area.x + (prompt.len() + app.input.chars().count()) as u16;
    let line = Line::from(vec![Span::styled(prompt, strong()), Span::raw(app.input.as_str())]);
    frame.render_widget(line, area);
    frame.set_cursor_position((x.min(area.right().saturating_sub(1)), area.y));
}

fn draw_help(frame: &mut Frame<'_>) {
    let height = HELP.lines().count() as u16 + 2;
    let area = frame.area().centered(Constraint::Length(52), Constraint::Length(height));
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(HELP).block(Block::bordered().title(" help ")), area);
}

fn strong() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

fn faint() -> Style {
    Style::new().add_modifier(Modifier::DIM)
}
