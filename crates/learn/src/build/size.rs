//! How many weights a network is going to have, before memory is allocated.

use ludens_core::Invalid;

/// More weights than this are always refused.
pub(super) const MAX_WEIGHTS: u64 = u32::MAX as u64;

/// Counts weights without overflowing: a number that is too large stays too large.
#[derive(Copy, Clone)]
pub(super) struct WeightCount(Option<u64>);

impl WeightCount {
    pub(super) fn of(number: usize) -> WeightCount {
        WeightCount(u64::try_from(number).ok())
    }

    pub(super) fn times(self, number: usize) -> WeightCount {
        WeightCount(self.0.and_then(|n| n.checked_mul(u64::try_from(number).ok()?)))
    }

    pub(super) fn plus(self, other: WeightCount) -> WeightCount {
        WeightCount(self.0.and_then(|n| n.checked_add(other.0?)))
    }

    /// The count; refuses more than `max`.
    pub(super) fn check(self, max: u64) -> Result<u64, Invalid> {
        match self.0 {
            Some(count) if count <= max => Ok(count),
            Some(count) => {
                Err(Invalid(format!("the value would have {count} weights; at most {max} fit")))
            }
            None => Err(Invalid(format!("the value would have too many weights; {max} fit"))),
        }
    }
}

/// The weights of a network with these layers.
pub(super) fn layers(inputs: usize, hidden: &[usize], bias: bool) -> WeightCount {
    let (mut from, mut count) = (inputs, WeightCount::of(0));
    for &to in hidden.iter().chain(&[1]) {
        let rows = WeightCount::of(from).plus(WeightCount::of(bias.into()));
        count = count.plus(rows.times(to));
        from = to;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_counted_with_their_biases() {
        assert_eq!(layers(9, &[80], true).0, Some(10 * 80 + 81));
        assert_eq!(layers(9, &[80, 5], false).0, Some(9 * 80 + 80 * 5 + 5));
    }

    #[test]
    fn what_is_too_large_stays_so() {
        let huge = layers(9, &[usize::MAX, usize::MAX], true);
        assert!(huge.check(MAX_WEIGHTS).unwrap_err().to_string().contains("too many weights"));
        assert!(WeightCount::of(7).check(7).is_ok() && WeightCount::of(8).check(7).is_err());
    }
}
