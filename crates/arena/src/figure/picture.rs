//! A picture as a list of graphics primitives, which SVG and PNG writers render.

use super::raster::Raster;
use super::svg;

/// A place, from the upper left corner.
pub(super) type Point = (f64, f64);

/// A colour: red, green and blue.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Rgb(pub(super) [u8; 3]);

pub(super) const WHITE: Rgb = Rgb([255; 3]);
pub(super) const INK: Rgb = Rgb([0x20, 0x24, 0x2a]);
/// The colour of secondary text.
pub(super) const FAINT: Rgb = Rgb([0x5b, 0x63, 0x6e]);
/// For lines that only help the eye.
pub(super) const GRID: Rgb = Rgb([0xd9, 0xdd, 0xe2]);

/// Colours that colour-blind readers can distinguish (Okabe and Ito 2008, with grey for black).
const COLORS: [Rgb; 7] = [
    Rgb([0x00, 0x72, 0xb2]),
    Rgb([0xd5, 0x5e, 0x00]),
    Rgb([0x00, 0x9e, 0x73]),
    Rgb([0xcc, 0x79, 0xa7]),
    Rgb([0x70, 0x70, 0x70]),
    Rgb([0xe6, 0x9f, 0x00]),
    Rgb([0x56, 0xb4, 0xe9]),
];

/// Dash patterns that distinguish lines in black and white; the first line is solid.
const DASHES: [&[f64]; 5] = [&[], &[8.0, 4.0], &[2.0, 3.0], &[8.0, 3.0, 2.0, 3.0], &[14.0, 4.0]];

/// The colour of whatever has this index, in all pictures of a report.
pub(super) fn color_of(index: usize) -> Rgb {
    COLORS[index % COLORS.len()]
}

/// The style of a line.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Stroke {
    pub(super) color: Rgb,
    pub(super) width: f64,
    /// Lengths of dashes and gaps in turn; none for a whole line.
    pub(super) dashes: &'static [f64],
}

impl Stroke {
    /// A whole line.
    pub(super) fn whole(color: Rgb, width: f64) -> Stroke {
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
pub(super) enum Primitive {
    /// A rectangle: its upper left corner, its width and its height.
    Box { corner: Point, size: Point, fill: Rgb },
    /// A polygon.
    Area { corners: Vec<Point>, fill: Rgb, opacity: f64 },
    /// Pieces of straight line, one after the other.
    Line { points: Vec<Point>, stroke: Stroke },
    /// A disc.
    Dot { at: Point, radius: f64, fill: Rgb },
    /// A text on a base line.
    Text { at: Point, anchor: Anchor, text: String, color: Rgb, bold: bool },
}

/// A picture on white ground; a unit is about a pixel of a screen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Picture {
    pub(super) size: Point,
    pub(super) shapes: Vec<Primitive>,
}

impl Picture {
    pub(super) fn new(width: f64, height: f64) -> Picture {
        Picture { size: (width, height), shapes: Vec::new() }
    }

    pub(super) fn fill(&mut self, corner: Point, size: Point, fill: Rgb) {
        self.shapes.push(Primitive::Box { corner, size, fill });
    }

    pub(super) fn area(&mut self, corners: Vec<Point>, fill: Rgb, opacity: f64) {
        self.shapes.push(Primitive::Area { corners, fill, opacity });
    }

    pub(super) fn line(&mut self, points: Vec<Point>, stroke: Stroke) {
        self.shapes.push(Primitive::Line { points, stroke });
    }

    pub(super) fn dot(&mut self, at: Point, radius: f64, fill: Rgb) {
        self.shapes.push(Primitive::Dot { at, radius, fill });
    }

    pub(super) fn text(&mut self, at: Point, anchor: Anchor, text: &str) {
        self.colored_text(at, anchor, text, INK);
    }

    pub(super) fn colored_text(&mut self, at: Point, anchor: Anchor, text: &str, color: Rgb) {
        self.shapes.push(Primitive::Text { at, anchor, text: text.into(), color, bold: false });
    }

    /// Draws the title in the upper left corner.
    pub(super) fn title(&mut self, text: &str) {
        let (at, anchor) = ((16.0, 26.0), Anchor::Start);
        self.shapes.push(Primitive::Text { at, anchor, text: text.into(), color: INK, bold: true });
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
