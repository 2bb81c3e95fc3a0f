//! Weights as older versions saved them: cells counted digit by digit, and tables without gaps.

use super::Lookups;
use crate::stepsize::StepSize;
use crate::store::Store;

/// Puts the numbers of a tensor where they are looked for now. Tells how many were expected if it is
/// not so many.
pub(super) fn load_counted<S: StepSize>(
    lookups: &Lookups,
    weights: &mut impl Store<S>,
    name: &str,
    numbers: &[f32],
) -> Result<(), usize> {
    let (size, counted) = (lookups.bank_size(), lookups.counted_size());
    for tensor in weights.tensors_mut(size).into_iter().filter(|tensor| tensor.name == name) {
        // Weights have two dimensions, what is remembered of them three; all else is no table.
        let (banks, each) = match tensor.shape[..] {
            [banks, _] => (banks, 1),
            [banks, _, each] => (banks, each),
            _ => (0, 1),
        };
        let expected = if banks > 0 { banks * counted * each } else { tensor.data.len() };
        if numbers.len() != expected {
            return Err(expected);
        }
        if banks == 0 {
            tensor.data.copy_from_slice(numbers);
        }
        let tables = tensor.data.chunks_exact_mut(size * each);
        for (bank, counted) in tables.zip(numbers.chunks_exact(counted * each)).take(banks) {
            lookups.place_counted(counted, each, bank);
        }
    }
    Ok(())
}
