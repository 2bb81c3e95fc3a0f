//! Settings that change from episode to episode.

/// A number that changes over a run.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Schedule {
    /// At the first episode.
    pub from: f32,
    /// At the last episode.
    pub to: f32,
    /// In between.
    pub shape: Shape,
}

/// How a schedule gets from its first number to its last.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Shape {
    /// By a constant difference.
    Linear,
    /// By a constant factor; both ends have the same sign and are not zero.
    Exponential,
    /// At once, after this share of the run.
    Step {
        /// From 0 to 1.
        at: f32,
    },
}

impl Schedule {
    /// Always the same number.
    pub const fn constant(number: f32) -> Schedule {
        Schedule { from: number, to: number, shape: Shape::Linear }
    }

    /// The number in `episode` of `episodes`, counted from zero. After the last it stays.
    pub fn at(&self, episode: u64, episodes: u64) -> f32 {
        let last = episodes.saturating_sub(1).max(1);
        let progress = (episode as f64 / last as f64).min(1.0);
        let (from, to) = (f64::from(self.from), f64::from(self.to));
        let number = match self.shape {
            Shape::Linear => from + (to - from) * progress,
            Shape::Exponential => from * (to / from).powf(progress),
            Shape::Step { at } => {
                if progress < f64::from(at) {
                    from
                } else {
                    to
                }
            }
        };
        number as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_start_and_end_where_they_say() {
        for shape in [Shape::Linear, Shape::Exponential, Shape::Step { at: 0.5 }] {
            let schedule = Schedule { from: 0.8, to: 0.2, shape };
            assert_eq!((schedule.at(0, 11), schedule.at(10, 11)), (0.8, 0.2), "{shape:?}");
            assert_eq!(schedule.at(99, 11), 0.2);
        }
    }

    #[test]
    fn halfway_depends_on_the_shape() {
        let at = |shape| Schedule { from: 0.8, to: 0.2, shape }.at(5, 11);
        assert!((at(Shape::Linear) - 0.5).abs() < 1e-6);
        assert!((at(Shape::Exponential) - 0.4).abs() < 1e-6);
        assert_eq!(at(Shape::Step { at: 0.6 }), 0.8);
        assert_eq!(Schedule::constant(0.3).at(0, 1), 0.3);
    }
}
