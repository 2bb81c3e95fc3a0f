//! Learning curves drawn with letters.

/// Rows of a drawing.
const HEIGHT: usize = 10;
/// Columns of a drawing.
const WIDTH: usize = 60;

/// Draws a curve through points with ascending x, with both axes labelled.
pub fn draw_curve(points: &[(f64, f64)], x_label: &str, y_label: &str) -> String {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return String::new() };
    let heights = points.iter().map(|p| p.1);
    let low = heights.clone().fold(f64::INFINITY, f64::min);
    let high = heights.fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = if low == high { (low - 0.5, high + 0.5) } else { (low, high) };
    let row_of = |column: usize| {
        let x = first.0 + (last.0 - first.0) * column as f64 / (WIDTH - 1) as f64;
        let share = (height_at(points, x) - low) / (high - low);
        ((1.0 - share) * (HEIGHT - 1) as f64).round() as usize
    };
    let marks: Vec<usize> = (0..WIDTH).map(row_of).collect();
    let mut drawing = format!("{y_label}\n");
    for i in 0..HEIGHT {
        let label = match i {
            0 => short(high),
            _ if i == HEIGHT - 1 => short(low),
            _ => String::new(),
        };
        let row: String = marks.iter().map(|&row| if row == i { '*' } else { ' ' }).collect();
        drawing += &format!("{label:>8} |{row}", row = row.trim_end());
        drawing.push('\n');
    }
    let (from, to) = (short(first.0), short(last.0));
    let gap = WIDTH.saturating_sub(from.len() + to.len());
    drawing += &format!("{:>8} +{}\n", "", "-".repeat(WIDTH));
    drawing + &format!("{:>8}  {from}{}{to} {x_label}\n", "", " ".repeat(gap))
}

/// The height of the curve, straight between points.
fn height_at(points: &[(f64, f64)], x: f64) -> f64 {
    let after = points.partition_point(|p| p.0 < x).min(points.len() - 1);
    let (a, b) = (points[after.saturating_sub(1)], points[after]);
    if b.0 > a.0 { a.1 + (b.1 - a.1) * (x - a.0) / (b.0 - a.0) } else { b.1 }
}

/// A number in at most seven letters or so.
fn short(number: f64) -> String {
    match number.abs() {
        10_000.0.. => format!("{number:.0}"),
        _ if number.fract() == 0.0 => format!("{number:.0}"),
        100.0.. => format!("{number:.1}"),
        _ => format!("{number:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rising_line_goes_from_corner_to_corner() {
        let drawing = draw_curve(&[(0.0, -1.0), (100.0, 1.0)], "episodes", "score");
        let lines: Vec<&str> = drawing.lines().collect();
        assert_eq!(lines.len(), HEIGHT + 3);
        assert_eq!(lines[0], "score");
        assert!(lines[1].starts_with("       1 |") && lines[1].ends_with('*'));
        assert!(lines[HEIGHT].starts_with("      -1 |*"));
        assert!(lines[HEIGHT + 2].ends_with("100 episodes"));
    }

    #[test]
    fn one_point_is_a_level_line() {
        let drawing = draw_curve(&[(5.0, 0.25)], "episodes", "score");
        assert_eq!(drawing.matches('*').count(), WIDTH);
        assert_eq!(draw_curve(&[], "x", "y"), "");
    }
}
