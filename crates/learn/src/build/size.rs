//! How many weights a value is going to have, before room is made for them.

use ludens_core::Invalid;

/// More weights than this are refused, whoever asks for them.
pub(super) const MOST: u64 = u32::MAX as u64;

/// Counts weights without overflowing: a number that is too large stays too large.
#[derive(Copy, Clone)]
pub(super) struct Count(Option<u64>);

impl Count {
    pub(super) fn of(number: usize) -> Count {
        Count(u64::try_from(number).ok())
    }

    pub(super) fn times(self, number: usize) -> Count {
        Count(self.0.and_then(|n| n.checked_mul(u64::try_from(number).ok()?)))
    }

    pub(super) fn plus(self, other: Count) -> Count {
        Count(self.0.and_then(|n| n.checked_add(other.0?)))
    }

    /// Refuses more than `most`.
    pub(super) fn check(self, most: u64) -> Result<(), Invalid> {
        match self.0 {
            Some(count) if count <= most => Ok(()),
            Some(count) => {
                Err(Invalid(format!("the value would have {count} weights; at most {most} fit")))
            }
            None => Err(Invalid(format!("the value would have too many weights; {most} fit"))),
        }
    }
}

/// The weights of a network with these layers.
pub(super) fn layers(inputs: usize, hidden: &[usize], bias: bool) -> Count {
    let (mut from, mut count) = (inputs, Count::of(0));
    for &to in hidden.iter().chain(&[1]) {
        let rows = Count::of(from).plus(Count::of(bias.into()));
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
        assert!(huge.check(MOST).unwrap_err().to_string().contains("too many weights"));
        assert!(Count::of(7).check(7).is_ok() && Count::of(8).check(7).is_err());
    }
}
