//! Pictures as PNG: smooth lines and areas, and letters of eight dots.

use super::picture::{Anchor, Picture, Point, Primitive, Rgb, Stroke, WHITE, text_width};
use font8x8::{BASIC_FONTS, GREEK_FONTS, LATIN_FONTS, UnicodeFonts};

/// A picture of pixels.
pub(super) struct Raster {
    width: usize,
    pixels: Vec<[u8; 3]>,
}

/// Pixels for one unit of a picture, and for one dot of a letter.
const SCALE: f64 = 2.0;
const DOT: usize = 2;
/// Pixels from the base line of a text up to its top.
const ASCENT: f64 = 13.0;
/// Into so many lines a row of pixels is cut where the edge of an area crosses it.
const CUTS: usize = 4;

impl Raster {
    /// The pixels of a picture.
    pub(super) fn draw(picture: &Picture) -> Raster {
        let pixels = |units: f64| (SCALE * units).ceil() as usize;
        let (width, height) = (pixels(picture.size.0), pixels(picture.size.1));
        let mut raster = Raster { width, pixels: vec![WHITE.0; width * height] };
        for shape in &picture.shapes {
            raster.add(shape);
        }
        raster
    }

    fn add(&mut self, shape: &Primitive) {
        match shape {
            Primitive::Box { corner: (x, y), size: (width, height), fill } => {
                let corners =
                    [(*x, *y), (x + width, *y), (x + width, y + height), (*x, y + height)];
                self.area(&corners.map(scaled), *fill, 1.0);
            }
            Primitive::Area { corners, fill, opacity } => {
                let corners: Vec<Point> = corners.iter().copied().map(scaled).collect();
                self.area(&corners, *fill, *opacity);
            }
            Primitive::Line { points, stroke } => {
                let points: Vec<Point> = points.iter().copied().map(scaled).collect();
                for piece in dashed(&points, stroke) {
                    let ends = [piece[0], piece[1]];
                    self.segment(ends, SCALE * stroke.width / 2.0, stroke.color);
                }
            }
            Primitive::Dot { at, radius, fill } => {
                let at = scaled(*at);
                self.segment([at, at], SCALE * radius, *fill);
            }
            Primitive::Text { at, anchor, text, color, bold } => {
                let width = text_width(text);
                let before = match anchor {
                    Anchor::Start => 0.0,
                    Anchor::Middle => width / 2.0,
                    Anchor::End => width,
                };
                let at = scaled((at.0 - before, at.1));
                self.text(at, text, *color);
                if *bold {
                    self.text((at.0 + 1.0, at.1), text, *color);
                }
            }
        }
    }

    /// Blends a colour into a pixel; ignores pixels outside the picture.
    fn blend(&mut self, x: i64, y: i64, color: Rgb, share: f64) {
        let inside = x >= 0 && y >= 0 && x < self.width as i64;
        let at = y * self.width as i64 + x;
        if !inside || share <= 0.0 || at >= self.pixels.len() as i64 {
            return;
        }
        let pixel = &mut self.pixels[at as usize];
        for (below, above) in pixel.iter_mut().zip(color.0) {
            let mixed = f64::from(*below) * (1.0 - share) + f64::from(above) * share;
            *below = mixed.round() as u8;
        }
    }

    /// Fills a polygon, line by line; pixels at its edge take part of the colour.
    fn area(&mut self, corners: &[Point], fill: Rgb, opacity: f64) {
        let top = corners.iter().map(|c| c.1).fold(f64::INFINITY, f64::min).floor() as i64;
        let bottom = corners.iter().map(|c| c.1).fold(f64::NEG_INFINITY, f64::max).ceil() as i64;
        let mut covered = vec![0.0; self.width];
        for y in top..bottom {
            covered.fill(0.0);
            for cut in 0..CUTS {
                let height = y as f64 + (cut as f64 + 0.5) / CUTS as f64;
                for span in crossings(corners, height).as_chunks::<2>().0 {
                    cover(&mut covered, *span);
                }
            }
            for (x, share) in covered.iter().enumerate() {
                self.blend(x as i64, y, fill, opacity * share / CUTS as f64);
            }
        }
    }

    /// Draws all pixels within a distance of a piece of straight line.
    fn segment(&mut self, [a, b]: [Point; 2], reach: f64, color: Rgb) {
        let ends = |one: f64, other: f64| {
            let (low, high) = (one.min(other) - reach - 1.0, one.max(other) + reach + 1.0);
            (low.floor() as i64)..=(high.ceil() as i64)
        };
        for y in ends(a.1, b.1) {
            for x in ends(a.0, b.0) {
                let middle = (x as f64 + 0.5, y as f64 + 0.5);
                let share = reach + 0.5 - distance(middle, a, b);
                self.blend(x, y, color, share.clamp(0.0, 1.0));
            }
        }
    }

    fn text(&mut self, at: Point, text: &str, color: Rgb) {
        let (left, top) = (at.0.round() as i64, (at.1 - ASCENT).round() as i64);
        for (i, letter) in text.chars().enumerate() {
            let fonts = [BASIC_FONTS.get(letter), LATIN_FONTS.get(letter), GREEK_FONTS.get(letter)];
            let glyph = fonts.into_iter().flatten().next().unwrap_or_default();
            for (row, bits) in glyph.into_iter().enumerate() {
                for column in (0..8).filter(|column| bits >> column & 1 == 1) {
                    let (x, y) = (8 * i + column, row);
                    self.dot(left + (DOT * x) as i64, top + (DOT * y) as i64, color);
                }
            }
        }
    }

    /// One dot of a letter.
    fn dot(&mut self, left: i64, top: i64, color: Rgb) {
        for y in 0..DOT as i64 {
            for x in 0..DOT as i64 {
                self.blend(left + x, top + y, color, 1.0);
            }
        }
    }

    /// The picture as a file.
    pub(super) fn to_png(&self) -> Vec<u8> {
        let mut file = Vec::new();
        let height = self.pixels.len() / self.width;
        let mut encoder = png::Encoder::new(&mut file, self.width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header().expect("memory can be written");
        writer.write_image_data(self.pixels.as_flattened()).expect("memory can be written");
        writer.finish().expect("memory can be written");
        file
    }
}

fn scaled((x, y): Point) -> Point {
    (SCALE * x, SCALE * y)
}

/// The x coordinates at which the edges of a polygon cross a height, from left to right.
fn crossings(corners: &[Point], height: f64) -> Vec<f64> {
    let next = corners.iter().cycle().skip(1);
    let mut found: Vec<f64> = corners
        .iter()
        .zip(next)
        .filter(|(a, b)| (a.1 <= height) != (b.1 <= height))
        .map(|(a, b)| a.0 + (height - a.1) / (b.1 - a.1) * (b.0 - a.0))
        .collect();
    found.sort_by(f64::total_cmp);
    found
}

/// Adds to each pixel of a line how much of it lies between two ends.
fn cover(covered: &mut [f64], [low, high]: [f64; 2]) {
    let first = low.floor().max(0.0) as usize;
    let last = (high.ceil().max(0.0) as usize).min(covered.len());
    for (x, share) in covered.iter_mut().enumerate().take(last).skip(first) {
        let (left, right) = (low.max(x as f64), high.min(x as f64 + 1.0));
        *share += (right - left).max(0.0);
    }
}

/// The distance of a point from a line segment.
fn distance(point: Point, a: Point, b: Point) -> f64 {
    let (along, to) = ((b.0 - a.0, b.1 - a.1), (point.0 - a.0, point.1 - a.1));
    let length = along.0 * along.0 + along.1 * along.1;
    let share = if length > 0.0 { (along.0 * to.0 + along.1 * to.1) / length } else { 0.0 };
    let share = share.clamp(0.0, 1.0);
    (to.0 - share * along.0).hypot(to.1 - share * along.1)
}

/// The pieces of a line that are drawn: all, or what lies between the gaps.
fn dashed(points: &[Point], stroke: &Stroke) -> Vec<[Point; 2]> {
    let whole = points.windows(2).map(|ends| [ends[0], ends[1]]);
    if stroke.dashes.is_empty() {
        return whole.collect();
    }
    let (mut pieces, mut dash) = (Vec::new(), 0);
    let mut left = SCALE * stroke.dashes[0];
    for [a, b] in whole {
        let length = (b.0 - a.0).hypot(b.1 - a.1);
        let at = |along: f64| {
            let share = along / length.max(1e-9);
            (a.0 + share * (b.0 - a.0), a.1 + share * (b.1 - a.1))
        };
        let mut along = 0.0;
        while along < length {
            let end = (along + left).min(length);
            if dash % 2 == 0 {
                pieces.push([at(along), at(end)]);
            }
            left -= end - along;
            if left <= 1e-9 {
                dash += 1;
                left = SCALE * stroke.dashes[dash % stroke.dashes.len()];
            }
            along = end;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::picture::INK;

    fn pixel(raster: &Raster, x: usize, y: usize) -> [u8; 3] {
        raster.pixels[y * raster.width + x]
    }

    #[test]
    fn a_box_covers_its_pixels_and_no_others() {
        let mut picture = Picture::new(10.0, 10.0);
        picture.fill((2.0, 3.0), (4.0, 2.0), INK);
        let raster = Raster::draw(&picture);
        let inked = raster.pixels.iter().filter(|pixel| **pixel == INK.0).count();
        assert_eq!(inked, 8 * 4);
        assert_eq!(raster.pixels.iter().filter(|pixel| **pixel == WHITE.0).count(), 400 - 32);
        assert_eq!((pixel(&raster, 4, 6), pixel(&raster, 3, 6)), (INK.0, WHITE.0));
    }

    #[test]
    fn dashes_leave_gaps() {
        let stroke = Stroke { color: INK, width: 1.0, dashes: &[2.0, 3.0] };
        let pieces = dashed(&[(0.0, 0.0), (20.0, 0.0)], &stroke);
        assert_eq!(pieces, [[(0.0, 0.0), (4.0, 0.0)], [(10.0, 0.0), (14.0, 0.0)]]);
    }

    #[test]
    fn what_lies_outside_is_left_out() {
        let mut picture = Picture::new(4.0, 4.0);
        picture.line(vec![(-50.0, 2.0), (50.0, 2.0)], Stroke::whole(INK, 1.0));
        picture.text((-3.0, 2.0), Anchor::End, "far");
        picture.area(vec![(-9.0, -9.0), (20.0, -9.0), (20.0, 1.0)], INK, 0.5);
        assert_eq!(Raster::draw(&picture).pixels.len(), 64);
    }
}
