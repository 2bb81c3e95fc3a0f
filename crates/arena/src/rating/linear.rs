//! Small systems of linear equations.

/// The inverse of a square matrix by elimination with pivots, unless it has none.
pub(super) fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut rows: Vec<Vec<f64>> = matrix.to_vec();
    for (i, row) in rows.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(u8::from(i == j))));
    }
    for column in 0..n {
        let size = |row: &usize| rows[*row][column].abs();
        let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        if rows[pivot][column].abs() < 1e-12 {
            return None;
        }
        rows.swap(column, pivot);
        let scale = rows[column][column];
        rows[column].iter_mut().for_each(|x| *x /= scale);
        let done = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != column) {
            let factor = row[column];
            row.iter_mut().zip(&done).for_each(|(x, y)| *x -= factor * y);
        }
    }
    Some(rows.into_iter().map(|row| row[n..].to_vec()).collect())
}

/// The product of a matrix and a vector.
pub(super) fn product(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_the_identity() {
        let matrix = [vec![0.0, 2.0, 1.0], vec![1.0, 0.0, 3.0], vec![4.0, 1.0, 0.0]];
        let inverse = inverse(&matrix).unwrap();
        for i in 0..3 {
            let column: Vec<f64> = inverse.iter().map(|row| row[i]).collect();
            let unit: Vec<f64> = (0..3).map(|j| f64::from(u8::from(i == j))).collect();
            let back = product(&matrix, &column);
            assert!(back.iter().zip(&unit).all(|(a, b)| (a - b).abs() < 1e-12), "{back:?}");
        }
    }

    #[test]
    fn a_matrix_without_inverse_has_none() {
        assert!(inverse(&[vec![1.0, 2.0], vec![2.0, 4.0]]).is_none());
    }
}
