//! Summary statistics of a stream of numbers.

/// Count, mean, standard deviation and range of numbers added one by one.
///
/// ```
/// use ludens_core::Tally;
/// let tally: Tally = [2.0, 4.0, 6.0].into_iter().collect();
/// assert_eq!((tally.count, tally.mean(), tally.deviation()), (3, 4.0, 2.0));
/// ```
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Tally {
    /// How many numbers.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
    /// The smallest; infinity if there is none.
    pub least: f64,
    /// The largest; minus infinity if there is none.
    pub most: f64,
}

impl Tally {
    /// Adds one number.
    #[inline]
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        self.sum += number;
        self.squares += number * number;
        self.least = self.least.min(number);
        self.most = self.most.max(number);
    }

    /// The mean; zero if there are no numbers.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }

    /// The sample standard deviation; zero for fewer than two numbers.
    pub fn deviation(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let squares = self.squares - self.sum * self.mean();
        (squares.max(0.0) / (self.count - 1) as f64).sqrt()
    }

    /// Half the width of the 95 % confidence interval of the mean (normal approximation).
    pub fn margin(&self) -> f64 {
        if self.count == 0 { 0.0 } else { 1.96 * self.deviation() / (self.count as f64).sqrt() }
    }
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { count: 0, sum: 0.0, squares: 0.0, least: f64::INFINITY, most: f64::NEG_INFINITY }
    }
}

impl FromIterator<f64> for Tally {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Tally {
        let mut tally = Tally::default();
        numbers.into_iter().for_each(|number| tally.add(number));
        tally
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, more: Tally) {
        self.count += more.count;
        self.sum += more.sum;
        self.squares += more.squares;
        self.least = self.least.min(more.least);
        self.most = self.most.max(more.most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_tallies_added_are_one_tally_of_all() {
        let mut first: Tally = [1.0, 5.0].into_iter().collect();
        first += [-2.0].into_iter().collect();
        assert_eq!(first, [1.0, 5.0, -2.0].into_iter().collect());
        assert_eq!((first.least, first.most), (-2.0, 5.0));
    }

    #[test]
    fn equal_numbers_do_not_spread() {
        let tally: Tally = std::iter::repeat_n(0.1, 1000).collect();
        assert!(tally.deviation() < 1e-6);
        assert_eq!(Tally::default().margin(), 0.0);
    }

    #[test]
    fn the_margin_of_a_fair_coin_is_one_over_the_root() {
        let tally: Tally = (0..10_000).map(|i| f64::from(i % 2)).collect();
        assert!((tally.margin() - 0.0098).abs() < 1e-5, "{}", tally.margin());
    }
}
