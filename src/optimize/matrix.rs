//! Square matrices and the eigenvalues of symmetric matrices, for CMA-ES.
//!
//! A matrix library chooses its code by CPU, so the last bits of its results differ between machines. These simple
//! loops always add in the same order, so a search gives the same bytes on every CPU.

/// A square matrix.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix {
    size: usize,
    /// Row by row.
    cells: Vec<f64>,
}

impl Matrix {
    pub fn from_fn(size: usize, cell: impl Fn(usize, usize) -> f64) -> Self {
        let cells = (0..size * size).map(|index| cell(index / size, index % size)).collect();
        Matrix { size, cells }
    }

    pub fn identity(size: usize) -> Self {
        Matrix::from_fn(size, |row, column| if row == column { 1.0 } else { 0.0 })
    }

    /// The outer product of a vector with itself.
    pub fn outer(vector: &[f64]) -> Self {
        Matrix::from_fn(vector.len(), |row, column| vector[row] * vector[column])
    }

    pub fn size(&self) -> usize {
        self.size
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    fn set(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] = value;
    }

    /// The cells, row by row.
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    pub fn scaled(&self, factor: f64) -> Self {
        Matrix { size: self.size, cells: self.cells.iter().map(|cell| cell * factor).collect() }
    }

    /// Adds `factor` times another matrix.
    pub fn plus(&self, factor: f64, other: &Matrix) -> Self {
        let cells = self.cells.iter().zip(&other.cells).map(|(cell, other)| cell + factor * other).collect();
        Matrix { size: self.size, cells }
    }

    pub fn times(&self, other: &Matrix) -> Self {
        Matrix::from_fn(self.size, |row, column| {
            (0..self.size).map(|index| self.at(row, index) * other.at(index, column)).sum()
        })
    }

    pub fn times_vector(&self, vector: &[f64]) -> Vec<f64> {
        self.cells.chunks_exact(self.size).map(|row| dot(row, vector)).collect()
    }
}

/// The dot product.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The eigenvalues of a symmetric matrix with their eigenvectors.
#[derive(Clone, Debug)]
pub(super) struct Eigen {
    pub values: Vec<f64>,
    /// Column `i` is the eigenvector of value `i`; the columns are orthonormal.
    pub vectors: Matrix,
}

/// The maximum number of sweeps. Jacobi's method converges quadratically, and small matrices take 6 to 10 sweeps.
const MOST_SWEEPS: usize = 60;

impl Eigen {
    /// By cyclic Jacobi rotations (Golub & Van Loan, *Matrix Computations*, section 8.5). `None` if a cell is not
    /// finite.
    pub fn of(matrix: &Matrix) -> Option<Self> {
        if !matrix.cells.iter().all(|cell| cell.is_finite()) {
            return None;
        }
        let mut work = matrix.clone();
        let mut vectors = Matrix::identity(matrix.size);
        for _ in 0..MOST_SWEEPS {
            if !sweep(&mut work, &mut vectors) {
                break;
            }
        }
        let values = (0..matrix.size).map(|index| work.at(index, index)).collect();
        Some(Eigen { values, vectors })
    }

    /// The symmetric matrix that has the same eigenvectors and `function` of each eigenvalue.
    pub fn rebuilt(&self, function: impl Fn(f64) -> f64) -> Matrix {
        let values: Vec<f64> = self.values.iter().map(|value| function(*value)).collect();
        Matrix::from_fn(self.vectors.size, |row, column| {
            (0..values.len()).map(|i| self.vectors.at(row, i) * values[i] * self.vectors.at(column, i)).sum()
        })
    }
}

/// Rotates every pair of axes once. Returns `false` if all cells off the diagonal were negligible already.
fn sweep(work: &mut Matrix, vectors: &mut Matrix) -> bool {
    let mut rotated = false;
    for p in 0..work.size {
        for q in p + 1..work.size {
            let scale = work.at(p, p).abs() + work.at(q, q).abs();
            if work.at(p, q).abs() > f64::EPSILON * 0.01 * scale {
                rotate(work, vectors, p, q);
                rotated = true;
            }
        }
    }
    rotated
}

/// One rotation in the plane of the axes `p` and `q`, by the angle that makes the cell (p, q) zero.
fn rotate(work: &mut Matrix, vectors: &mut Matrix, p: usize, q: usize) {
    let theta = (work.at(q, q) - work.at(p, p)) / (2.0 * work.at(p, q));
    let tangent = if theta >= 0.0 { 1.0 } else { -1.0 } / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    for index in 0..work.size {
        let (a, b) = (work.at(index, p), work.at(index, q));
        work.set(index, p, cosine * a - sine * b);
        work.set(index, q, sine * a + cosine * b);
    }
    for index in 0..work.size {
        let (a, b) = (work.at(p, index), work.at(q, index));
        work.set(p, index, cosine * a - sine * b);
        work.set(q, index, sine * a + cosine * b);
        let (a, b) = (vectors.at(index, p), vectors.at(index, q));
        vectors.set(index, p, cosine * a - sine * b);
        vectors.set(index, q, sine * a + cosine * b);
    }
    // Rounding leaves a tiny rest, which would make the next sweep rotate again.
    work.set(p, q, 0.0);
    work.set(q, p, 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::seeded;
    use rand::Rng as _;

    fn symmetric<const N: usize>(rows: [[f64; N]; N]) -> Matrix {
        Matrix::from_fn(N, |row, column| rows[row][column])
    }

    fn sorted_values(matrix: &Matrix) -> Vec<f64> {
        let mut values = Eigen::of(matrix).unwrap().values;
        values.sort_by(f64::total_cmp);
        values
    }

    fn assert_close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12 * expected.abs().max(1.0), "{found} is not {expected}");
        }
    }

    #[test]
    fn known_matrices_have_their_eigenvalues() {
        assert_close(&sorted_values(&symmetric([[2.0, 1.0], [1.0, 2.0]])), &[1.0, 3.0]);
        // The second difference: 2 - 2 cos(k pi / 4), which is 2 - sqrt 2, 2 and 2 + sqrt 2.
        let second_difference = symmetric([[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.0]]);
        let root = 2f64.sqrt();
        assert_close(&sorted_values(&second_difference), &[2.0 - root, 2.0, 2.0 + root]);
        assert_close(&sorted_values(&symmetric([[7.0]])), &[7.0]);
        assert_close(&sorted_values(&Matrix::identity(5)), &[1.0; 5]);
        // Of rank 1: the squared length, and zeros.
        assert_close(&sorted_values(&Matrix::outer(&[1.0, 2.0, 2.0])), &[0.0, 0.0, 9.0]);
    }

    #[test]
    fn vectors_are_orthonormal_and_give_the_matrix_back() {
        let mut rng = seeded(5);
        for size in [1, 2, 5, 12, 30] {
            let random: Vec<f64> = (0..size * size).map(|_| rng.random_range(-1.0..1.0)).collect();
            let matrix = Matrix::from_fn(size, |row, column| random[row * size + column] + random[column * size + row]);
            let eigen = Eigen::of(&matrix).unwrap();
            assert_close(eigen.rebuilt(|value| value).cells(), matrix.cells());
            assert_close(eigen.rebuilt(|_| 1.0).cells(), Matrix::identity(size).cells());
            let root = eigen.rebuilt(|value| value.abs().sqrt());
            assert_close(root.times(&root).cells(), eigen.rebuilt(f64::abs).cells());
        }
    }

    #[test]
    fn values_of_very_different_size_are_all_exact() {
        let axes = Eigen::of(&symmetric([[2.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 1.0]])).unwrap();
        let lengths = [1e-12, 1.0, 1e8];
        let matrix = Matrix::from_fn(3, |row, column| {
            (0..3).map(|i| axes.vectors.at(row, i) * lengths[i] * axes.vectors.at(column, i)).sum()
        });
        let values = sorted_values(&matrix);
        assert!((values[2] / 1e8 - 1.0).abs() < 1e-12 && (values[1] - 1.0).abs() < 1e-6, "{values:?}");
    }

    #[test]
    fn cells_that_are_not_finite_have_no_eigenvalues() {
        assert!(Eigen::of(&symmetric([[f64::NAN, 0.0], [0.0, 1.0]])).is_none());
        assert!(Eigen::of(&symmetric([[1.0, f64::INFINITY], [f64::INFINITY, 1.0]])).is_none());
    }
}
