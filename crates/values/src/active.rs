//! Positions as nets read them, and which weights they use.

use ludens_core::Abreast;

/// A position as a net reads it. Each net reads one of the fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sight {
    /// The values of the cells, or the joint states of their groups: what n-tuples read.
    pub digits: Vec<u8>,
    /// The board under each symmetry, packed, for games that pack it: what n-tuples read then.
    pub images: Vec<[u64; 2]>,
    /// Numbers: what linear functions and networks read.
    pub inputs: Vec<f32>,
    /// The number of the state in a table, or of the board, for n-tuples on boards with numbers.
    pub entry: u32,
}

/// Packed boards that are evaluated together, by nets whose weights are far.
#[derive(Clone, Debug, Default)]
pub struct Sights {
    /// How many boards.
    pub count: usize,
    /// Each image of the first few boards side by side, then of the next few; what comes after the
    /// last board means nothing.
    pub images: Vec<Abreast>,
    /// The weights used, board by board, as the net names them, once they were announced.
    pub places: Vec<u32>,
    /// Room for who reads the boards.
    pub scratch: Vec<[u64; 2]>,
}

/// Look-ups that a byte can name.
pub(crate) const NEAR: usize = 256;

/// Which weights one position uses, and what comes of them.
///
/// It is the gradient of that evaluation too, so that a value is never computed twice. The value is
/// as old as the last call that wrote it; [`Net::refresh`](crate::Net::refresh) renews it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Active {
    /// The set of weights used: a player's, or a player's and a move's.
    pub bank: usize,
    /// What was read.
    pub sight: Sight,
    /// The weights used, counted within the bank, for nets that use few and do not know all boards by
    /// heart.
    pub indices: Vec<u32>,
    /// The number of the board, for nets that know all boards by heart.
    pub board: u32,
    /// The weights at `indices` when the sum was taken, for nets that use more than 256; nothing
    /// in copies.
    pub weights: Vec<f32>,
    /// The indices with their weights, filled up to 256, for nets that use no more; nothing in
    /// copies.
    pub near: Vec<(u32, f32)>,
    /// Whether `weights` or `near` tell of `indices`, so that neighbours can be evaluated by their
    /// difference.
    pub is_base: bool,
    /// One for each of `indices`, but zero where an earlier image has met it already, for nets that
    /// look for repeats; nothing if none is there twice.
    pub firsts: Vec<f32>,
    /// How often each of `indices` is used, for nets that keep each once; nothing if that is once.
    pub counts: Vec<f32>,
    /// Room for nets that look for repeats among `indices`.
    pub met: Vec<i32>,
    /// What each hidden neuron received and answered, for networks.
    pub hidden: Vec<f32>,
    /// Names the weights that `hidden` was computed with, for networks.
    pub version: u64,
    /// What the output function received, for nets that do not know all boards by heart.
    pub sum: f32,
    /// The value.
    pub value: f32,
    /// The derivative of the value with respect to the sum that the output function receives.
    pub slope: f32,
}

impl Active {
    /// Becomes a copy of `other`, keeping its own buffers.
    pub fn copy_from(&mut self, other: &Active) {
        (self.bank, self.board, self.version) = (other.bank, other.board, other.version);
        self.sight.copy_from(&other.sight);
        copy(&mut self.indices, &other.indices);
        copy(&mut self.hidden, &other.hidden);
        self.weights.clear();
        self.near.clear();
        self.is_base = false;
        self.firsts.clear();
        self.counts.clear();
        (self.sum, self.value, self.slope) = (other.sum, other.value, other.slope);
    }
}

impl Sight {
    /// Becomes a copy of `other`, keeping its own buffers.
    pub fn copy_from(&mut self, other: &Sight) {
        copy(&mut self.digits, &other.digits);
        copy(&mut self.images, &other.images);
        copy(&mut self.inputs, &other.inputs);
        self.entry = other.entry;
    }
}

fn copy<T: Copy>(to: &mut Vec<T>, from: &[T]) {
    to.clear();
    to.extend_from_slice(from);
}
