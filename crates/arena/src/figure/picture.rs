//! A picture as a list of shapes, before anybody writes it as SVG or PNG.

use super::raster::Raster;
use super::svg;

/// A place, from the upper left corner.
pub(super) type Place = (f64, f64);

/// A colour: red, green and blue.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Color(pub(super) [u8; 3]);

pub(super) const WHITE: Color = Color([255; 3]);
pub(super) const INK: Color = Color([0x20, 0x24, 0x2a]);
/// For what is said beside the point.
pub(super) const FAINT: Color = Color([0x5b, 0x63, 0x6e]);
/// For lines that only help the eye.
pub(super) const GRID: Color = Color([0xd9, 0xdd, 0xe2]);

/// Colours that the colour-blind can tell apart (Okabe and Ito 2008, with grey for black).
const COLORS: [Color; 7] = [
    Color([0x00, 0x72, 0xb2]),
    Color([0xd5, 0x5e, 0x00]),
    Color([0x00, 0x9e, 0x73]),
    Color([0xcc, 0x79, 0xa7]),
    Color([0x70, 0x70, 0x70]),
    Color([0xe6, 0x9f, 0x00]),
    Color([0x56, 0xb4, 0xe9]),
];

/// Dashes that tell lines apart in black and white; the first line is whole.
const DASHES: [&[f64]; 5] = [&[], &[8.0, 4.0], &[2.0, 3.0], &[8.0, 3.0, 2.0, 3.0], &[14.0, 4.0]];

/// The colour of whatever has this index, in all pictures of a report.
pub(super) fn color_of(index: usize) -> Color {
    COLORS[index % COLORS.len()]
}

/// How a line is drawn.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Stroke {
    pub(super) color: Color,
    pub(super) width: f64,
    /// Lengths of dashes and gaps in turn; none for a whole line.
    pub(super) dashes: &'static [f64],
}

impl Stroke {
    /// A whole line.
    pub(super) fn whole(color: Color, width: f64) -> Stroke {
        Stroke { color, width, dashes: &[] }
    }

    /// The line of whatever has this index; the first 35 all differ.
    pub(super) fn of(index: usize) -> Stroke {
        Stroke { color: color_of(index), width: 2.0, dashes: DASHES[index % DASHES.len()] }
    }
}

/// Which end of a text stands at its place.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Part of a picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// A rectangle: its upper left corner, its width and its height.
    Box { corner: Place, size: Place, fill: Color },
    /// A polygon.
    Area { corners: Vec<Place>, fill: Color, opacity: f64 },
    /// Pieces of straight line, one after the other.
    Line { places: Vec<Place>, stroke: Stroke },
    /// A disc.
    Dot { at: Place, radius: f64, fill: Color },
    /// A text on a base line.
    Text { at: Place, anchor: Anchor, text: String, color: Color, bold: bool },
}

/// A picture on white ground; a unit is about a pixel of a screen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Picture {
    pub(super) size: Place,
    pub(super) shapes: Vec<Shape>,
}

impl Picture {
    pub(super) fn new(width: f64, height: f64) -> Picture {
        Picture { size: (width, height), shapes: Vec::new() }
    }

    pub(super) fn fill(&mut self, corner: Place, size: Place, fill: Color) {
        self.shapes.push(Shape::Box { corner, size, fill });
    }

    pub(super) fn area(&mut self, corners: Vec<Place>, fill: Color, opacity: f64) {
        self.shapes.push(Shape::Area { corners, fill, opacity });
    }

    pub(super) fn line(&mut self, places: Vec<Place>, stroke: Stroke) {
        self.shapes.push(Shape::Line { places, stroke });
    }

    pub(super) fn dot(&mut self, at: Place, radius: f64, fill: Color) {
        self.shapes.push(Shape::Dot { at, radius, fill });
    }

    pub(super) fn text(&mut self, at: Place, anchor: Anchor, text: &str) {
        self.colored_text(at, anchor, text, INK);
    }

    pub(super) fn colored_text(&mut self, at: Place, anchor: Anchor, text: &str, color: Color) {
        self.shapes.push(Shape::Text { at, anchor, text: text.into(), color, bold: false });
    }

    /// What the picture is about, in its upper left corner.
    pub(super) fn title(&mut self, text: &str) {
        let (at, anchor) = ((16.0, 26.0), Anchor::Start);
        self.shapes.push(Shape::Text { at, anchor, text: text.into(), color: INK, bold: true });
    }

    /// The picture as SVG.
    pub(super) fn to_svg(&self) -> String {
        svg::write(self)
    }

    /// The picture as PNG, two pixels for one unit.
    pub(super) fn to_png(&self) -> Vec<u8> {
        Raster::draw(self).to_png()
    }
}

/// About how wide a text is.
pub(super) fn text_width(text: &str) -> f64 {
    8.0 * text.chars().count() as f64
}

/// The longest of the texts.
pub(super) fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> f64 {
    texts.map(text_width).fold(0.0, f64::max)
}
