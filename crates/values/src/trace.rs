//! Eligibility traces: which weights answer for an error, and how much.

mod marks;

pub use marks::{Mark, Marks};

use crate::Active;
use crate::hardware::{Work, run_widely, table};
use std::collections::VecDeque;

/// How long, and in which way, a net remembers what it used.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct TraceSettings {
    /// What remains of a trace after one step (gamma * lambda).
    pub decay: f32,
    /// What happens to a trace whose weight is used again.
    pub kind: TraceKind,
    /// How the trace is kept.
    pub form: TraceForm,
}

impl TraceSettings {
    /// Only the latest position answers for its error.
    pub const LATEST: TraceSettings = TraceSettings {
        decay: 0.0,
        kind: TraceKind::Accumulating,
        form: TraceForm::Horizon { steps: 1 },
    };
}

/// What happens to the trace of a weight that is used again.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TraceKind {
    /// The new gradient is added to what is left of the old ones.
    Accumulating,
    /// The new gradient takes the place of what is left of the old ones (Singh and Sutton 1996).
    Replacing,
}

/// How a trace is kept.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TraceForm {
    /// As the latest positions (Jaskowski 2018): exact up to the horizon, then cut.
    Horizon {
        /// How many positions are kept; at least one.
        steps: usize,
    },
    /// As one number for each weight used since the trace was cleared.
    Sparse,
    /// As one number for each weight.
    Dense,
}

/// The positions or weights that answer for the next error.
#[derive(Clone, Debug)]
pub enum Trace {
    /// The latest positions; the newest first.
    Horizon(Horizon),
    /// One number for each weight used lately.
    Sparse(Sparse),
    /// One number for each weight.
    Dense(Dense),
}

/// The latest positions.
#[derive(Clone, Debug)]
pub struct Horizon {
    /// The newest first; nothing of nets that know all boards by heart.
    pub entries: VecDeque<Box<Active>>,
    /// The same, of nets that do.
    pub marks: Marks,
    /// What remains after one step.
    pub decay: f32,
    /// Whether a weight answers only for the newest position that used it.
    pub kind: TraceKind,
    steps: usize,
    /// Boxed, because they wander between here and `entries` with each position.
    spare: VecDeque<Box<Active>>,
}

/// One number for each weight used lately.
#[derive(Clone, Debug)]
pub struct Sparse {
    /// The weights used since the trace was cleared, each once.
    pub used: Vec<u32>,
    /// The trace of each of them.
    traces: Vec<f32>,
    /// The activity of each of them in the newest position; zero if it does not use it.
    inputs: Vec<f32>,
    /// For each weight, one more than its place in `used`; zero for those that are not listed.
    places: Vec<u32>,
    /// What remains after one step.
    pub decay: f32,
    /// What happens to a weight used again.
    pub kind: TraceKind,
    /// The slope of the newest position.
    pub slope: f32,
}

/// One number for each weight.
#[derive(Clone, Debug)]
pub struct Dense {
    /// The trace of each weight.
    pub eligibility: Vec<f32>,
    /// What remains after one step.
    pub decay: f32,
    /// What happens to a weight used again.
    pub kind: TraceKind,
    /// The slope of the newest position.
    pub slope: f32,
    /// The gradient of the newest position.
    pub gradient: Vec<f32>,
    /// Which parts of the weights have traces at all, for nets that know parts.
    pub live: Vec<bool>,
    /// Room for a net that works out its gradient step by step.
    pub room: Vec<f32>,
}

impl Trace {
    /// An empty trace over `weights` weights.
    pub fn new(settings: &TraceSettings, weights: usize) -> Trace {
        let TraceSettings { decay, kind, form } = *settings;
        match form {
            TraceForm::Horizon { steps } => {
                let (entries, spare, marks) = Default::default();
                Trace::Horizon(Horizon { entries, marks, decay, kind, steps, spare })
            }
            TraceForm::Sparse => {
                let (used, traces, inputs) = Default::default();
                let places = table(weights, 0);
                Trace::Sparse(Sparse { used, traces, inputs, places, decay, kind, slope: 0.0 })
            }
            TraceForm::Dense => {
                let (eligibility, gradient) = (vec![0.0; weights], vec![0.0; weights]);
                let (slope, live, room) = (0.0, Vec::new(), Vec::new());
                Trace::Dense(Dense { eligibility, decay, kind, slope, gradient, live, room })
            }
        }
    }

    /// Lets everything fade by one step, adding nothing.
    ///
    /// A horizon of one step forgets; longer ones stay as they are.
    pub fn fade(&mut self) {
        match self {
            Trace::Horizon(horizon) if horizon.is_single() => self.clear(),
            Trace::Horizon(_) => {}
            Trace::Sparse(sparse) => sparse.fade(0.0),
            Trace::Dense(dense) => {
                dense.gradient.fill(0.0);
                dense.mark();
            }
        }
    }

    /// Forgets everything: a new game begins, or an exploratory move was made.
    #[inline]
    pub fn clear(&mut self) {
        match self {
            Trace::Horizon(Horizon { entries, marks, .. }) if entries.is_empty() => marks.clear(),
            _ => self.clear_at_length(),
        }
    }

    fn clear_at_length(&mut self) {
        match self {
            Trace::Horizon(Horizon { entries, marks, spare, .. }) => {
                marks.clear();
                while let Some(entry) = entries.pop_front() {
                    spare.push_back(entry);
                }
            }
            Trace::Sparse(sparse) => {
                for index in sparse.used.drain(..) {
                    sparse.places[index as usize] = 0;
                }
                sparse.traces.clear();
                sparse.inputs.clear();
            }
            Trace::Dense(dense) => {
                dense.eligibility.fill(0.0);
                dense.live.fill(false);
            }
        }
    }
}

impl Horizon {
    /// Puts a copy of `active` in front and drops what lies beyond the horizon.
    pub fn push(&mut self, active: &Active) -> &mut Active {
        self.push_by(active, |from, to| to.copy_from(from))
    }

    /// The same, with nothing but the bank, these indices and the slope in the copy.
    pub fn push_indices(&mut self, active: &Active, indices: &[u32]) -> &mut Active {
        self.push_by(active, |from, to| {
            (to.bank, to.slope) = (from.bank, from.slope);
            to.indices.clear();
            to.indices.extend_from_slice(indices);
        })
    }

    /// The same, with nothing but the bank, the board and the slope, and among the marks.
    #[inline]
    pub fn push_board(&mut self, active: &Active) {
        self.marks.push(active, self.steps);
    }

    /// Whether only the latest position answers for an error.
    #[inline]
    pub(crate) fn is_single(&self) -> bool {
        self.steps == 1
    }

    #[inline]
    fn push_by(&mut self, active: &Active, copy: impl FnOnce(&Active, &mut Active)) -> &mut Active {
        if self.entries.len() < self.steps {
            self.entries.push_front(self.spare.pop_back().unwrap_or_default());
        } else if self.steps > 1 {
            let oldest = self.entries.pop_back().expect("a horizon keeps at least one step");
            self.entries.push_front(oldest);
        }
        copy(active, &mut self.entries[0]);
        &mut self.entries[0]
    }
}

/// Traces that fade by one step.
struct Fading<'a> {
    traces: &'a mut [f32],
    decay: f32,
}

impl Work for Fading<'_> {
    #[inline(always)]
    fn run(self) {
        for trace in self.traces {
            *trace *= self.decay;
        }
    }
}

impl Sparse {
    /// Lets all traces fade by one step; the position marked next has this slope.
    pub fn fade(&mut self, slope: f32) {
        self.slope = slope;
        self.inputs.fill(0.0);
        run_widely(Fading { traces: &mut self.traces, decay: self.decay });
    }

    /// Adds the gradient of one weight with this activity, or puts it in the trace's place.
    #[inline]
    pub fn mark(&mut self, index: u32, input: f32) {
        let at = index as usize;
        if at >= self.places.len() {
            self.places.resize(at + 1, 0);
        }
        let gradient = self.slope * input;
        match self.places[at] as usize {
            0 => {
                self.used.push(index);
                self.places[at] = self.used.len() as u32;
                self.traces.push(gradient);
                self.inputs.push(input);
            }
            place => {
                let (trace, known) = (&mut self.traces[place - 1], &mut self.inputs[place - 1]);
                *trace = match self.kind {
                    TraceKind::Replacing if *known == 0.0 => gradient,
                    _ => *trace + gradient,
                };
                *known += input;
            }
        }
    }

    /// Marks each weight `offset + index` with an activity of one, as often as it occurs.
    #[inline]
    pub fn mark_all(&mut self, offset: u32, indices: &[u32]) {
        let (from, gradient, kind) = (self.used.len(), self.slope, self.kind);
        let room = from + indices.len();
        self.used.resize(room, 0);
        self.traces.resize(room, 0.0);
        self.inputs.resize(room, 0.0);
        let (used, traces) = (&mut self.used[..room], &mut self.traces[..room]);
        let (inputs, places) = (&mut self.inputs[..room], &mut self.places[..]);
        let mut count = from;
        for &index in indices {
            // Without a branch: which weights are new cannot be predicted.
            let place = &mut places[(offset + index) as usize];
            let new = *place == 0;
            let at = if new { count } else { *place as usize - 1 };
            count += usize::from(new);
            used[at] = offset + index;
            *place = at as u32 + 1;
            let replaced = kind == TraceKind::Replacing && inputs[at] == 0.0;
            traces[at] = if replaced { gradient } else { traces[at] + gradient };
            inputs[at] += 1.0;
        }
        self.used.truncate(count);
        self.traces.truncate(count);
        self.inputs.truncate(count);
    }

    /// The weights with traces, the traces, and the activities in the newest position.
    #[inline]
    pub(crate) fn parts(&self) -> (&[u32], &[f32], &[f32]) {
        (&self.used, &self.traces, &self.inputs)
    }

    /// Each weight with a trace: its index, its trace, and its activity in the newest position.
    #[inline]
    pub fn uses(&self) -> impl Iterator<Item = (u32, f32, f32)> + Clone {
        let listed = self.used.iter().zip(&self.traces).zip(&self.inputs);
        listed.map(|((&index, &trace), &input)| (index, trace, input)).filter(|use_| use_.1 != 0.0)
    }
}

impl Dense {
    /// Lets all traces fade by one step and adds the gradient, or puts it in their place.
    pub fn mark(&mut self) {
        for (eligibility, &gradient) in self.eligibility.iter_mut().zip(&self.gradient) {
            *eligibility = match self.kind {
                TraceKind::Replacing if gradient != 0.0 => gradient,
                _ => *eligibility * self.decay + gradient,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(kind: TraceKind) -> TraceSettings {
        TraceSettings { decay: 0.5, kind, form: TraceForm::Sparse }
    }

    fn marked(kind: TraceKind, steps: &[&[u32]]) -> Vec<(u32, f32)> {
        let Trace::Sparse(mut sparse) = Trace::new(&settings(kind), 3) else { unreachable!() };
        for used in steps {
            sparse.fade(1.0);
            used.iter().for_each(|&i| sparse.mark(i, 1.0));
        }
        sparse.uses().map(|(index, trace, _)| (index, trace)).collect()
    }

    #[test]
    fn traces_fade_and_accumulate_or_are_replaced() {
        let steps: [&[u32]; 3] = [&[0, 1], &[0], &[2]];
        assert_eq!(marked(TraceKind::Accumulating, &steps), [(0, 0.75), (1, 0.25), (2, 1.0)]);
        assert_eq!(marked(TraceKind::Replacing, &steps), [(0, 0.5), (1, 0.25), (2, 1.0)]);
    }

    #[test]
    fn a_cleared_trace_is_empty() {
        let mut trace = Trace::new(&settings(TraceKind::Accumulating), 3);
        let Trace::Sparse(sparse) = &mut trace else { unreachable!() };
        sparse.fade(1.0);
        sparse.mark(1, 1.0);
        trace.clear();
        let Trace::Sparse(sparse) = &trace else { unreachable!() };
        assert!(sparse.used.is_empty() && sparse.uses().next().is_none());
    }

    #[test]
    fn a_weight_is_listed_once_even_if_its_trace_was_zero() {
        let mut trace = Trace::new(&settings(TraceKind::Accumulating), 3);
        let Trace::Sparse(sparse) = &mut trace else { unreachable!() };
        for slope in [0.0, 1.0, 1.0] {
            sparse.fade(slope);
            sparse.mark(1, 2.0);
        }
        assert_eq!(sparse.used, [1]);
        assert_eq!(sparse.uses().collect::<Vec<_>>(), [(1, 3.0, 2.0)]);
    }

    #[test]
    fn a_weight_used_twice_by_one_position_counts_twice() {
        for kind in [TraceKind::Accumulating, TraceKind::Replacing] {
            assert_eq!(marked(kind, &[&[0, 0], &[1, 4]]), [(0, 1.0), (1, 1.0), (4, 1.0)]);
        }
    }
}
