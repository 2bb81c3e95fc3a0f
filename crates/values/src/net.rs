//! Trainable functions of a position.

use crate::ntuple::Boards;
use crate::{Active, Course, Lent, Output, Sight, Sights, Trace, TraceSettings};
use ludens_core::Invalid;
use std::borrow::Cow;

/// Trainable weights that turn a position into one number.
///
/// Game-free and object-safe, so that a run picks it by name; one virtual call pays for a whole
/// evaluation. A net has one or more *banks* of weights of the same shape: one for all, one for
/// each player, or one for each player and move.
pub trait Net: Send + Sync {
    /// How many banks there are.
    fn banks(&self) -> usize;

    /// How many weights each bank has.
    fn bank_size(&self) -> usize;

    /// Evaluates a position with the weights of `bank` and leaves everything about it in `active`.
    fn activate(&self, sight: &Sight, bank: usize, active: &mut Active) -> f32;

    /// Whether positions are evaluated by their difference from another one.
    fn needs_base(&self) -> bool {
        true
    }

    /// Evaluates a position close to the one in `active`, with the same bank; `active` becomes the
    /// new position's.
    fn advance(&self, sight: &Sight, active: &mut Active) -> f32 {
        self.activate(sight, active.bank, active)
    }

    /// Evaluates a position close to `from`, whose value must be fresh, with the same bank.
    /// `scratch` holds nothing of worth before or after.
    fn peek(&self, from: &Active, sight: &Sight, scratch: &mut Active) -> f32 {
        self.activate(sight, from.bank, scratch)
    }

    /// Whether the weights are so many that they had better be fetched before they are needed. Such
    /// nets read packed boards.
    fn is_far(&self) -> bool {
        false
    }

    /// Begins to fetch the weights that evaluating these boards, with the weights of `bank`, will
    /// need; for nets whose weights are far.
    fn announce(&self, _bank: usize, _sights: &mut Sights) {}

    /// Evaluates boards that were announced with the same bank.
    fn peek_announced(&self, _bank: usize, _sights: &Sights, _peeks: &mut Peeks) {
        unreachable!("only weights that are far are announced")
    }

    /// Leaves everything about the `nth` board of the latest `peek_announced` in `active`; the
    /// weights may not have changed since.
    fn recall_announced(
        &self,
        _bank: usize,
        _sights: &Sights,
        _: &Peeks,
        _nth: usize,
        _active: &mut Active,
    ) {
        unreachable!("only weights that are far are announced")
    }

    /// Whether a position that is corrected is all that such a trace would keep.
    fn answers_alone(&self, _trace: &Trace) -> bool {
        false
    }

    /// Evaluates the boards that may come next; for nets whose weights are far.
    fn look_on(&self, _course: &mut Course) {
        unreachable!("only weights that are far have a course")
    }

    /// Makes the `nth` of the boards that may come next the latest position. The one before it, which
    /// answers alone for its error, is corrected toward `target`, if there is one. Returns by how much
    /// it was off.
    fn go_on(&mut self, _course: &mut Course, _nth: usize, _target: Option<f32>) -> f32 {
        unreachable!("only weights that are far have a course")
    }

    /// Evaluates several positions close to `from`, whose value must be fresh, with the same bank.
    fn peek_all(&self, from: &Active, sights: &[Sight], peeks: &mut Peeks) {
        peeks.values.clear();
        for sight in sights {
            peeks.values.push(self.peek(from, sight, &mut peeks.scratch));
        }
    }

    /// Leaves everything about the `nth` position of the latest `peek_all` in `active`; the weights
    /// may not have changed since.
    ///
    /// May leave `from` closer to it: what is looked at next is likely to be close to it, too.
    fn recall(
        &self,
        from: &mut Active,
        sight: &Sight,
        _: &Peeks,
        _nth: usize,
        active: &mut Active,
    ) {
        active.copy_from(from);
        self.advance(sight, active);
    }

    /// Evaluates the boards with these numbers, with the weights of `bank`; for nets that know boards
    /// by their numbers.
    fn peek_boards(&self, bank: usize, boards: &[u32], peeks: &mut Peeks) {
        peeks.values.clear();
        for &entry in boards {
            let sight = Sight { entry, ..Sight::default() };
            peeks.values.push(self.activate(&sight, bank, &mut peeks.scratch));
        }
    }

    /// Leaves everything about the `nth` board of the latest `peek_boards`, which has this number,
    /// in `active`; the weights may not have changed since.
    fn recall_board(&self, bank: usize, board: u32, _: &Peeks, _nth: usize, active: &mut Active) {
        let sight = Sight { entry: board, ..Sight::default() };
        self.activate(&sight, bank, active);
    }

    /// What is the same for all boards that always have the same value as the one with this number,
    /// and for no others: their place in [`Net::board_values`].
    fn board_place(&self, board: u32) -> u32 {
        board
    }

    /// The value of each place of `bank`, for nets that know boards by their numbers and keep their
    /// values.
    fn board_values(&self, _bank: usize) -> Option<BoardValues<'_>> {
        None
    }

    /// Evaluates the position of `active` again, with the weights as they are now and the bank that
    /// it names.
    fn refresh(&self, active: &mut Active) -> f32;

    /// An empty trace for this net.
    ///
    /// # Errors
    ///
    /// If the net cannot keep such a trace.
    fn new_trace(&self, settings: &TraceSettings) -> Result<Trace, Invalid>;

    /// Lets the trace fade by one step and adds the gradient of `active`, which must be fresh.
    fn mark(&self, active: &Active, trace: &mut Trace);

    /// Corrects the weights on the trace, whose latest position was off by `error`.
    fn learn(&mut self, trace: &Trace, error: f32);

    /// Evaluates the position of `active` again, marks it on the trace, and corrects the weights on
    /// the trace so that its value comes closer to `target`. Returns by how much it was off.
    ///
    /// A trace on which nothing else would stay may be left empty.
    fn correct(&mut self, active: &mut Active, trace: &mut Trace, target: f32) -> f32 {
        correct_in_steps(self, active, trace, target)
    }

    /// Lets a step size that collects errors over a batch move the weights.
    ///
    /// To be called after each batch; for all other step sizes it does nothing.
    fn end_batch(&mut self) {}

    /// Makes room for banks of so many weights, in a net that grows while it learns.
    ///
    /// To be called before tensors are loaded, with their number of weights by the number of banks;
    /// other nets stay as they are.
    fn grow(&mut self, _bank_size: usize) {}

    /// Loads the numbers of a tensor that an older version saved, with cells counted digit by digit
    /// and tables without gaps; most nets have kept that order. Tells how many were expected if it is
    /// not so many.
    fn load_counted(&mut self, name: &str, numbers: &[f32]) -> Result<(), usize> {
        let tensor = self.tensors_mut().into_iter().find(|tensor| tensor.name == name);
        let to = tensor.map_or(Default::default(), |tensor| tensor.data);
        if to.len() != numbers.len() {
            return Err(to.len());
        }
        to.copy_from_slice(numbers);
        Ok(())
    }

    /// Whether so many threads that share the weights have copies of them, and tell each other what
    /// they change, so that the result does not depend on who is faster. Copies differ in their last
    /// digits; the first one stays.
    fn echoes(&self, _threads: usize) -> bool {
        false
    }

    /// Lets several threads learn at once: each calls `work` with its number and a handle on the
    /// same weights. Returns when all have ended.
    ///
    /// The weights are shared without locks, so the result depends on who comes first, unless the
    /// threads have copies ([`Net::echoes`]).
    ///
    /// # Errors
    ///
    /// If the weights of this net cannot be shared.
    fn share(
        &mut self,
        _threads: usize,
        _work: &(dyn Fn(usize, Lent<dyn Net>) + Sync),
    ) -> Result<(), Invalid> {
        Err(Invalid("only the weights of n-tuple networks can be shared between threads".into()))
    }

    /// Lets a thread for each bank learn at once: each calls `work` with the number of its bank and a
    /// net that has only this bank, and gets the net back. Returns when all have ended.
    ///
    /// Nobody sees the weights of others, so the result does not depend on who comes first.
    ///
    /// # Errors
    ///
    /// If the weights of this net cannot be divided.
    fn divide(
        &mut self,
        _work: &(dyn Fn(usize, Lent<dyn Net>) -> Lent<dyn Net> + Sync),
    ) -> Result<(), Invalid> {
        Err(Invalid("only the weights of n-tuple networks can be divided between threads".into()))
    }

    /// What each look-up of `active` adds to its sum, image by image and tuple by tuple within; for
    /// nets that look up few weights, else nothing.
    fn addends(&self, _active: &Active) -> Vec<f32> {
        Vec::new()
    }

    /// Adds the gradient of `active`, times `factor`, to `out`: one number per weight of all banks.
    fn add_gradient(&self, active: &Active, factor: f32, out: &mut [f32]);

    /// The global learning rate from now on (alpha).
    fn set_rate(&mut self, rate: f32);

    /// The learning rate.
    fn rate(&self) -> f32;

    /// Everything that was learned, by name, for saving and looking into.
    fn tensors(&self) -> Vec<Tensor<'_>>;

    /// The same, for loading.
    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>>;
}

/// Evaluates, marks and learns: what [`Net::correct`] does unless a net knows a shorter way.
#[inline]
pub(crate) fn correct_in_steps<N: Net + ?Sized>(
    net: &mut N,
    active: &mut Active,
    trace: &mut Trace,
    target: f32,
) -> f32 {
    let error = target - net.refresh(active);
    net.mark(active, trace);
    net.learn(trace, error);
    error
}

/// The values that a net keeps of boards.
#[derive(Copy, Clone, Debug)]
pub struct BoardValues<'a> {
    /// The value of each place.
    pub values: &'a [f32],
    /// What became of sums, and tells the slope of each value.
    pub output: Output,
}

/// What came of looking at several positions.
#[derive(Clone, Debug, Default)]
pub struct Peeks {
    /// The value of each; what comes after them means nothing.
    pub values: Vec<f32>,
    /// What the output function received for each, for nets that tell.
    pub(crate) sums: Vec<f32>,
    /// Room for the net.
    pub(crate) scratch: Active,
    /// Room for n-tuples on packed boards.
    pub(crate) boards: Boards,
}

/// A named array of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor<'a> {
    /// What it is called.
    pub name: &'static str,
    /// Its size in each dimension.
    pub shape: Vec<usize>,
    /// The numbers, the last dimension changing fastest.
    pub data: Cow<'a, [f32]>,
}

impl Tensor<'_> {
    /// The same with numbers of its own.
    pub(crate) fn into_owned(self) -> Tensor<'static> {
        let Tensor { name, shape, data } = self;
        Tensor { name, shape, data: Cow::Owned(data.into_owned()) }
    }
}

/// A named array of numbers to be written to.
#[derive(Debug)]
pub struct TensorMut<'a> {
    /// What it is called.
    pub name: &'static str,
    /// Its size in each dimension.
    pub shape: Vec<usize>,
    /// The numbers, the last dimension changing fastest.
    pub data: &'a mut [f32],
}
