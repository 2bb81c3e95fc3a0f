//! Pictures of pixels: filled boxes and small letters, written as PNG.

use font8x8::{BASIC_FONTS, LATIN_FONTS, UnicodeFonts};
use std::ops::Range;

/// A white picture to draw on.
pub(super) struct Raster {
    width: usize,
    pixels: Vec<[u8; 3]>,
}

const WHITE: [u8; 3] = [255; 3];
const INK: [u8; 3] = [0x20, 0x24, 0x2a];

/// Pixels for each dot of a letter.
const SCALE: usize = 2;
const LETTER: usize = 8 * SCALE;

impl Raster {
    pub(super) fn new(width: usize, height: usize) -> Raster {
        Raster { width, pixels: vec![WHITE; width * height] }
    }

    /// How many pixels a text takes.
    pub(super) fn width_of(text: &str) -> usize {
        LETTER * text.chars().count()
    }

    /// Fills a box with a colour; what lies outside of the picture is left out.
    pub(super) fn fill(&mut self, across: Range<usize>, down: Range<usize>, color: [u8; 3]) {
        for y in down.start..down.end.min(self.pixels.len() / self.width) {
            for x in across.start..across.end.min(self.width) {
                self.pixels[y * self.width + x] = color;
            }
        }
    }

    /// Writes a text that begins at `x`, its middle at the height `y`.
    pub(super) fn text(&mut self, x: usize, y: usize, text: &str) {
        for (i, letter) in text.chars().enumerate() {
            let glyph = BASIC_FONTS.get(letter).or_else(|| LATIN_FONTS.get(letter));
            for (row, bits) in glyph.unwrap_or_default().into_iter().enumerate() {
                for column in (0..8).filter(|column| bits >> column & 1 == 1) {
                    let (x, y) = (x + i * LETTER + column * SCALE, y + row * SCALE - LETTER / 2);
                    self.fill(x..x + SCALE, y..y + SCALE, INK);
                }
            }
        }
    }

    /// Writes a text with its centre there.
    pub(super) fn centred(&mut self, x: usize, y: usize, text: &str) {
        self.text(x - Raster::width_of(text) / 2, y, text);
    }

    /// The picture as a file.
    pub(super) fn to_png(&self) -> Vec<u8> {
        let mut file = Vec::new();
        let height = self.pixels.len() / self.width;
        let mut encoder = png::Encoder::new(&mut file, self.width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header().expect("memory can be written");
        writer.write_image_data(self.pixels.as_flattened()).expect("memory can be written");
        writer.finish().expect("memory can be written");
        file
    }
}
