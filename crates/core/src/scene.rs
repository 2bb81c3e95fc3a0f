//! A board to draw: one description, drawn as text and as SVG.

mod svg;
mod text;

use crate::Move;

/// A colour, written as in CSS: `#rrggbb`.
pub type Color = &'static str;

/// What to draw. One unit is the width of a cell; x grows to the right, y downwards.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Cells and labels. All cells of a row have the same y.
    pub cells: Vec<SceneCell>,
    /// Coloured lines along the border; text output omits them.
    pub edges: Vec<Edge>,
    /// The colour behind the cells.
    pub ground: Option<Color>,
}

/// One place of the board and its content.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneCell {
    /// The horizontal centre.
    pub x: f32,
    /// The vertical centre.
    pub y: f32,
    /// The outline.
    pub shape: Shape,
    /// The colour of the place itself.
    pub fill: Color,
    /// Its content.
    pub piece: Piece,
    /// Whether the last move or event was played here.
    pub marked: bool,
    /// The move that a click here plays, if that is always the same one.
    pub mv: Option<Move>,
}

/// The outline of a place.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// No outline: the place of a label.
    None,
    /// A square that fills the unit.
    Square,
    /// A square with round corners and some space around.
    Tile,
    /// A round hole.
    Hole,
    /// A hexagon with a corner on top; its neighbours in a row are one unit away.
    Hexagon,
}

/// The content of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Nothing; the text shows this character.
    Empty(char),
    /// A round stone; the text shows this character.
    Disc(Color, char),
    /// A character drawn large, such as a cross.
    Mark(Color, char),
    /// A word or number.
    Text(Color, String),
}

/// A coloured line.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The points it joins.
    pub points: Vec<(f32, f32)>,
    /// Its colour.
    pub color: Color,
}

/// The colour of labels.
pub const INK: Color = "#5b6470";

impl SceneCell {
    /// An empty place.
    pub fn new(x: f32, y: f32, shape: Shape, fill: Color) -> SceneCell {
        let piece = Piece::Empty('.');
        SceneCell { x, y, shape, fill, piece, marked: false, mv: None }
    }

    /// A label beside the board.
    pub fn label(x: f32, y: f32, text: impl ToString) -> SceneCell {
        let piece = Piece::Text(INK, text.to_string());
        SceneCell { piece, ..SceneCell::new(x, y, Shape::None, "none") }
    }

    /// The same place with this on it.
    pub fn with(self, piece: Piece) -> SceneCell {
        SceneCell { piece, ..self }
    }

    /// The same place, marked or not.
    pub fn marked(self, marked: bool) -> SceneCell {
        SceneCell { marked, ..self }
    }

    /// The same place, where a click plays `mv`.
    pub fn plays(self, mv: Move) -> SceneCell {
        SceneCell { mv: Some(mv), ..self }
    }
}

impl Scene {
    /// The cells of a `width` x `height` grid, row by row from (0, 0).
    pub fn grid(
        width: usize,
        height: usize,
        mut cell: impl FnMut(usize, SceneCell) -> SceneCell,
        shape: Shape,
        fill: Color,
    ) -> Scene {
        let place = |i: usize| {
            let (x, y) = ((i % width) as f32, (i / width) as f32);
            cell(i, SceneCell::new(x, y, shape, fill))
        };
        Scene { cells: (0..width * height).map(place).collect(), ..Scene::default() }
    }

    /// Adds a label above each of `width` columns: `a`, `b`, ...
    pub fn label_columns(&mut self, width: usize, name: impl Fn(usize) -> String) {
        self.cells.extend((0..width).map(|x| SceneCell::label(x as f32, -1.0, name(x))));
    }

    /// Adds a label to the left of each of `height` rows: `1`, `2`, ...
    pub fn label_rows(&mut self, height: usize, name: impl Fn(usize) -> String) {
        self.cells.extend((0..height).map(|y| SceneCell::label(-1.0, y as f32, name(y))));
    }
}

/// The letter of a column: `a`, `b`, ...
pub fn letter(index: usize) -> String {
    char::from(b'a' + index as u8).to_string()
}
