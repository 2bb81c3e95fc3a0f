//! The number of episodes until a curve crosses a threshold.

/// A figure, and after how many episodes it was measured.
pub type CurvePoint = (u64, f64);

/// A learning curve, in the order of episodes.
pub type LearningCurve = Vec<CurvePoint>;

/// The number of neighbours on each side that smoothing averages.
const WIDTH: usize = 2;

/// The curve averaged over five neighbouring figures, fewer at its ends.
///
/// Thill (2014) smooths "to dampen fluctuations" and does not say how; this is our choice.
pub fn smoothed(curve: &[CurvePoint]) -> LearningCurve {
    let around = |i: usize| {
        let near = &curve[i.saturating_sub(WIDTH)..(i + WIDTH + 1).min(curve.len())];
        near.iter().map(|point| point.1).sum::<f64>() / near.len() as f64
    };
    curve.iter().enumerate().map(|(i, point)| (point.0, around(i))).collect()
}

/// Episodes until the smoothed curve crosses the line upwards for the last time.
///
/// Nothing if it ends below (Thill 2014, figure 6).
pub fn last_crossing(curve: &[CurvePoint], line: f64) -> Option<u64> {
    let smooth = smoothed(curve);
    let above = smooth.iter().rev().take_while(|point| point.1 >= line).count();
    smooth.get(smooth.len() - above).map(|point| point.0)
}

/// Episodes until the smoothed curve crosses the line for the first time (Thill 2014, figure 7).
pub fn first_crossing(curve: &[CurvePoint], line: f64) -> Option<u64> {
    smoothed(curve).iter().find(|point| point.1 >= line).map(|point| point.0)
}

/// The mean figure over the last quarter of the episodes: the asymptotic success of Thill (2014),
/// who averages the last 500,000 of 2 million games.
pub fn asymptote(curve: &[CurvePoint]) -> f64 {
    let Some(&(end, _)) = curve.last() else { return f64::NAN };
    let late: Vec<f64> =
        curve.iter().filter(|point| point.0 >= end - end / 4).map(|point| point.1).collect();
    late.iter().sum::<f64>() / late.len() as f64
}

/// The mean height of the curve over its episodes, by trapezoids.
pub fn area(curve: &[CurvePoint]) -> f64 {
    let piece = |w: &[CurvePoint]| (w[1].0 - w[0].0) as f64 * (w[0].1 + w[1].1) / 2.0;
    match curve {
        [] => f64::NAN,
        [only] => only.1,
        [first, .., last] => {
            curve.windows(2).map(piece).sum::<f64>() / (last.0 - first.0).max(1) as f64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(figures: &[f64]) -> LearningCurve {
        figures.iter().enumerate().map(|(i, &figure)| (10 * i as u64, figure)).collect()
    }

    #[test]
    fn smoothing_averages_five_neighbours() {
        let found = smoothed(&curve(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]));
        let figures: Vec<f64> = found.iter().map(|point| point.1).collect();
        assert_eq!(figures, [1.0 / 3.0, 0.25, 0.2, 0.4, 0.5, 1.0 / 3.0]);
    }

    #[test]
    fn the_last_and_the_first_crossing_differ_where_a_curve_falls_back() {
        let mut figures = vec![0.0; 5];
        figures.extend([1.0; 5]);
        figures.extend([0.0; 5]);
        figures.extend([1.0; 5]);
        let curve = curve(&figures);
        // Four of five are ones from the fourth place of each ascent on.
        assert_eq!(first_crossing(&curve, 0.8), Some(60));
        assert_eq!(last_crossing(&curve, 0.8), Some(160));
        assert_eq!(last_crossing(&curve[..13], 0.8), None);
        assert_eq!(first_crossing(&curve, 1.1), None);
    }

    #[test]
    fn the_asymptote_is_the_mean_of_the_last_quarter() {
        assert_eq!(asymptote(&curve(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.75, 1.0])), 0.75);
    }

    #[test]
    fn the_area_is_the_mean_height() {
        assert_eq!(area(&[(0, 0.0), (10, 1.0), (30, 1.0)]), 25.0 / 30.0);
    }
}
