//! A terminal that is recorded, and drawn as an animated SVG.

use std::fmt::Write;

const COLUMNS: usize = 100;
const ROWS: usize = 26;
/// The width of a letter and the height of a line, in pixels.
const LETTER: f64 = 8.4;
const LINE: usize = 18;
const MARGIN: usize = 14;
const PROMPT: &str = "$ ";

const STYLE: &str = "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,\
    'DejaVu Sans Mono',monospace;fill:#d5d9e0;white-space:pre}\
    .p{fill:#8fd18f;font-weight:bold}.h{fill:#ffd479;font-weight:bold}\
    .x{fill:#ffd479;font-weight:bold}.o{fill:#ff8a80;font-weight:bold}";

/// What stands on the screen, and the frames so far.
#[derive(Default)]
pub(crate) struct Recording {
    lines: Vec<String>,
    frames: Vec<Frame>,
}

/// The lines of the screen and how many seconds they stay.
struct Frame {
    lines: Vec<String>,
    seconds: f64,
}

impl Recording {
    /// Types a command at the prompt, a word at a time.
    pub(crate) fn type_command(&mut self, command: &str) {
        if !self.lines.is_empty() {
            self.print("");
        }
        self.print(PROMPT);
        self.show_for(0.6);
        for word in command.split_inclusive(' ') {
            self.append(word);
            self.show_for(0.2);
        }
        self.show_for(0.4);
    }

    /// Prints a line, broken where the screen ends.
    pub(crate) fn print(&mut self, line: &str) {
        let letters: Vec<char> = line.chars().collect();
        let first = letters.len().min(COLUMNS);
        self.lines.push(letters[..first].iter().collect());
        let rest = letters[first..].chunks(COLUMNS);
        self.lines.extend(rest.map(|part| part.iter().collect::<String>()));
    }

    /// Adds to the last line.
    pub(crate) fn append(&mut self, text: &str) {
        self.lines.last_mut().expect("a prompt stands on the screen").push_str(text);
    }

    /// Shows the screen as it is for some seconds.
    pub(crate) fn show_for(&mut self, seconds: f64) {
        let first = self.lines.len().saturating_sub(ROWS);
        self.frames.push(Frame { lines: self.lines[first..].to_vec(), seconds });
    }

    /// How long the recording lasts.
    pub(crate) fn seconds(&self) -> f64 {
        self.frames.iter().map(|frame| frame.seconds).sum()
    }

    /// All frames below each other, of which the picture shows one at a time.
    pub(crate) fn to_svg(&self) -> String {
        let width = (COLUMNS as f64 * LETTER) as usize + 2 * MARGIN;
        let height = ROWS * LINE + 2 * MARGIN;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             xml:space=\"preserve\">\n<style>{STYLE}\n{}</style>\n\
             <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#16181d\"/>\n<g class=\"film\">\n",
            self.animation(height)
        );
        for (i, frame) in self.frames.iter().enumerate() {
            let _ = writeln!(svg, "<g transform=\"translate({MARGIN} {})\">", i * height + MARGIN);
            for (row, line) in frame.lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
                let _ = writeln!(svg, "{}", draw(line, row * LINE + LINE - 4));
            }
            svg += "</g>\n";
        }
        svg + "</g>\n</svg>\n"
    }

    /// Moves the film up by one frame at a time; without motion the last frame stays.
    fn animation(&self, height: usize) -> String {
        let (total, mut begun) = (self.seconds(), 0.0);
        let mut steps = String::new();
        for (i, frame) in self.frames.iter().enumerate() {
            let share = 100.0 * begun / total;
            let _ = write!(steps, "{share:.3}%{{transform:translateY(-{}px)}}", i * height);
            begun += frame.seconds;
        }
        let last = (self.frames.len() - 1) * height;
        format!(
            "@keyframes film{{{steps}}}\n\
             .film{{animation:film {total:.1}s step-end infinite}}\n\
             @media(prefers-reduced-motion:reduce)\
             {{.film{{animation:none;transform:translateY(-{last}px)}}}}"
        )
    }
}

/// A line of text, in colours for commands, results and stones.
fn draw(line: &str, y: usize) -> String {
    let text = line.replace('&', "&amp;").replace('<', "&lt;");
    let class = if line.starts_with(PROMPT) {
        " class=\"p\""
    } else if line.starts_with("finds an optimal move") || line.starts_with("You ") {
        " class=\"h\""
    } else {
        ""
    };
    let text = if is_board(line) { with_stones(&text) } else { text };
    format!("<text y=\"{y}\"{class}>{text}</text>")
}

/// Whether a line is a row of a board.
fn is_board(line: &str) -> bool {
    line.starts_with(' ') && line.chars().all(|letter| " .xo()".contains(letter))
}

fn with_stones(text: &str) -> String {
    let stone = |letter: char| match letter {
        'x' | 'o' => format!("<tspan class=\"{letter}\">{letter}</tspan>"),
        other => other.to_string(),
    };
    text.chars().map(stone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_rows_are_shown_and_long_lines_broken() {
        let mut recording = Recording::default();
        recording.print(&"a".repeat(COLUMNS + 1));
        (0..ROWS).for_each(|i| recording.print(&format!("{i} < x")));
        recording.show_for(1.0);
        let lines = &recording.frames[0].lines;
        assert_eq!((lines.len(), lines[0].as_str()), (ROWS, "0 < x"));
        assert_eq!(recording.lines[1], "a");
        assert!(recording.to_svg().contains(">0 &lt; x</text>"));
    }

    #[test]
    fn only_stones_of_boards_have_colours() {
        assert!(draw(" . (x) o", 1).contains("<tspan class=\"x\">x</tspan>"));
        assert!(!draw("next", 1).contains("tspan"));
    }
}
