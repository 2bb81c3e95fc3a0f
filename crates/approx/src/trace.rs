//! Eligibility traces: how far each weight is responsible for the next error.

use crate::Evaluation;
use ludens_simd::{Kernel, dispatch_simd, huge_table};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// What a trace keeps, and for how long.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct TraceSettings {
    /// The factor on a trace after one step: gamma * lambda.
    pub decay: f32,
    /// What happens to the trace of a weight that is used again.
    pub kind: TraceKind,
    /// How the trace is stored.
    pub form: TraceForm,
}

impl TraceSettings {
    /// TD(0): the trace is the gradient of the newest position.
    pub const TD0: TraceSettings = TraceSettings {
        decay: 0.0,
        kind: TraceKind::Accumulating,
        form: TraceForm::Horizon { steps: 1 },
    };
}

/// What happens to the trace of a weight that is used again.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TraceKind {
    /// The new gradient is added to the decayed trace.
    Accumulating,
    /// The new gradient replaces the trace (Singh and Sutton 1996).
    Replacing,
}

/// How a trace is stored.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TraceForm {
    /// As the newest positions (Jaskowski 2018): exact up to the horizon, then cut.
    Horizon {
        /// How many positions are kept; at least one.
        steps: usize,
    },
    /// As one number for each weight used since the trace was cleared.
    Sparse,
    /// As one number for each weight.
    Dense,
}

/// An eligibility trace.
#[derive(Clone, Debug)]
pub enum Trace {
    /// The newest positions.
    Horizon(Horizon),
    /// One number for each weight used lately.
    Sparse(Sparse),
    /// One number for each weight.
    Dense(Dense),
}

/// A trace stored as the newest positions.
#[derive(Clone, Debug)]
pub struct Horizon {
    /// The newest position first.
    pub entries: VecDeque<Box<Evaluation>>,
    /// The factor after one step.
    pub decay: f32,
    /// Accumulating or replacing.
    pub kind: TraceKind,
    steps: usize,
    /// Buffers for further entries; boxed, because they move between here and `entries`.
    spare: VecDeque<Box<Evaluation>>,
}

/// A trace stored as one number for each weight used lately.
#[derive(Clone, Debug)]
pub struct Sparse {
    /// The weights used since the trace was cleared, each once.
    pub used: Vec<u32>,
    traces: Vec<f32>,
    /// The input of each weight in the newest position; zero if it does not use the weight.
    inputs: Vec<f32>,
    /// For each weight, one more than its position in `used`; zero if it is not listed.
    slots: Vec<u32>,
    /// The factor after one step.
    pub decay: f32,
    /// Accumulating or replacing.
    pub kind: TraceKind,
    /// The slope of the newest position.
    pub slope: f32,
}

/// A trace stored as one number for each weight.
#[derive(Clone, Debug)]
pub struct Dense {
    /// The trace of each weight.
    pub eligibility: Vec<f32>,
    /// The factor after one step.
    pub decay: f32,
    /// Accumulating or replacing.
    pub kind: TraceKind,
    /// The slope of the newest position.
    pub slope: f32,
    /// The gradient of the newest position.
    pub gradient: Vec<f32>,
}

impl Trace {
    /// An empty trace over `weights` weights.
    pub fn new(settings: &TraceSettings, weights: usize) -> Trace {
        let TraceSettings { decay, kind, form } = *settings;
        match form {
            TraceForm::Horizon { steps } => {
                let (entries, spare) = Default::default();
                Trace::Horizon(Horizon { entries, decay, kind, steps, spare })
            }
            TraceForm::Sparse => {
                let (used, traces, inputs) = Default::default();
                let slots = huge_table(weights, 0);
                Trace::Sparse(Sparse { used, traces, inputs, slots, decay, kind, slope: 0.0 })
            }
            TraceForm::Dense => {
                let (eligibility, gradient) = (vec![0.0; weights], vec![0.0; weights]);
                Trace::Dense(Dense { eligibility, decay, kind, slope: 0.0, gradient })
            }
        }
    }

    /// Decays the trace by one step and adds nothing.
    ///
    /// A horizon of one step is emptied; longer ones stay as they are.
    pub fn decay(&mut self) {
        match self {
            Trace::Horizon(horizon) if horizon.is_td0() => self.clear(),
            Trace::Horizon(_) => {}
            Trace::Sparse(sparse) => sparse.begin_step(0.0),
            Trace::Dense(dense) => {
                dense.gradient.fill(0.0);
                dense.accumulate();
            }
        }
    }

    /// Empties the trace: at the start of a game, or after an exploratory move.
    #[inline]
    pub fn clear(&mut self) {
        match self {
            Trace::Horizon(Horizon { entries, .. }) if entries.is_empty() => {}
            _ => self.clear_entries(),
        }
    }

    fn clear_entries(&mut self) {
        match self {
            Trace::Horizon(Horizon { entries, spare, .. }) => {
                while let Some(entry) = entries.pop_front() {
                    spare.push_back(entry);
                }
            }
            Trace::Sparse(sparse) => {
                for index in sparse.used.drain(..) {
                    sparse.slots[index as usize] = 0;
                }
                sparse.traces.clear();
                sparse.inputs.clear();
            }
            Trace::Dense(dense) => dense.eligibility.fill(0.0),
        }
    }
}

impl Horizon {
    /// Puts a copy of `evaluation` in front and drops what lies beyond the horizon.
    pub fn push(&mut self, evaluation: &Evaluation) -> &mut Evaluation {
        let entry = self.next_entry();
        entry.copy_from(evaluation);
        entry
    }

    /// The same with weight set, features and slope only.
    pub fn push_features(&mut self, evaluation: &Evaluation) -> &mut Evaluation {
        let entry = self.next_entry();
        (entry.weight_set, entry.slope) = (evaluation.weight_set, evaluation.slope);
        entry.features.clear();
        entry.features.extend_from_slice(&evaluation.features);
        entry
    }

    /// Whether only the newest position is kept.
    #[inline]
    pub fn is_td0(&self) -> bool {
        self.steps == 1
    }

    #[inline]
    fn next_entry(&mut self) -> &mut Evaluation {
        if self.entries.len() < self.steps {
            self.entries.push_front(self.spare.pop_back().unwrap_or_default());
        } else if self.steps > 1 {
            let oldest = self.entries.pop_back().expect("a horizon keeps at least one step");
            self.entries.push_front(oldest);
        }
        &mut self.entries[0]
    }
}

/// Multiplies traces by their decay.
struct DecayTraces<'a> {
    traces: &'a mut [f32],
    factor: f32,
}

impl Kernel for DecayTraces<'_> {
    #[inline(always)]
    fn run(self) {
        for trace in self.traces {
            *trace *= self.factor;
        }
    }
}

impl Sparse {
    /// Decays all traces by one step; the position that follows has this slope.
    pub fn begin_step(&mut self, slope: f32) {
        self.slope = slope;
        self.inputs.fill(0.0);
        dispatch_simd(DecayTraces { traces: &mut self.traces, factor: self.decay });
    }

    /// Adds the gradient of one weight with an input of one, or replaces its trace; the weight may
    /// be new.
    pub fn add(&mut self, index: u32) {
        if index as usize >= self.slots.len() {
            self.slots.resize(index as usize + 1, 0);
        }
        self.add_all(0, &[index]);
    }

    /// Adds each weight `offset + index` with an input of one, as often as it occurs.
    #[inline]
    pub fn add_all(&mut self, offset: u32, indices: &[u32]) {
        let (from, gradient, kind) = (self.used.len(), self.slope, self.kind);
        let room = from + indices.len();
        self.used.resize(room, 0);
        self.traces.resize(room, 0.0);
        self.inputs.resize(room, 0.0);
        let (used, traces) = (&mut self.used[..room], &mut self.traces[..room]);
        let (inputs, slots) = (&mut self.inputs[..room], &mut self.slots[..]);
        let mut count = from;
        for &index in indices {
            // Without a branch: the processor cannot predict which weights are new.
            let slot = &mut slots[(offset + index) as usize];
            let new = *slot == 0;
            let at = if new { count } else { *slot as usize - 1 };
            count += usize::from(new);
            used[at] = offset + index;
            *slot = at as u32 + 1;
            let replaced = kind == TraceKind::Replacing && inputs[at] == 0.0;
            traces[at] = if replaced { gradient } else { traces[at] + gradient };
            inputs[at] += 1.0;
        }
        self.used.truncate(count);
        self.traces.truncate(count);
        self.inputs.truncate(count);
    }

    /// The weights with traces, the traces, and the inputs in the newest position.
    #[inline]
    pub(crate) fn columns(&self) -> (&[u32], &[f32], &[f32]) {
        (&self.used, &self.traces, &self.inputs)
    }

    /// Each weight whose trace is not zero: index, trace, and input in the newest position.
    #[inline]
    pub fn entries(&self) -> impl Iterator<Item = (u32, f32, f32)> + Clone {
        let listed = self.used.iter().zip(&self.traces).zip(&self.inputs);
        listed
            .map(|((&index, &trace), &input)| (index, trace, input))
            .filter(|entry| entry.1 != 0.0)
    }
}

impl Dense {
    /// Decays all traces by one step and adds the gradient, or replaces them by it.
    pub fn accumulate(&mut self) {
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
            sparse.begin_step(1.0);
            used.iter().for_each(|&i| sparse.add(i));
        }
        sparse.entries().map(|(index, trace, _)| (index, trace)).collect()
    }

    #[test]
    fn traces_decay_and_accumulate_or_are_replaced() {
        let steps: [&[u32]; 3] = [&[0, 1], &[0], &[2]];
        assert_eq!(marked(TraceKind::Accumulating, &steps), [(0, 0.75), (1, 0.25), (2, 1.0)]);
        assert_eq!(marked(TraceKind::Replacing, &steps), [(0, 0.5), (1, 0.25), (2, 1.0)]);
    }

    #[test]
    fn a_cleared_trace_is_empty() {
        let mut trace = Trace::new(&settings(TraceKind::Accumulating), 3);
        let Trace::Sparse(sparse) = &mut trace else { unreachable!() };
        sparse.begin_step(1.0);
        sparse.add(1);
        trace.clear();
        let Trace::Sparse(sparse) = &trace else { unreachable!() };
        assert!(sparse.used.is_empty() && sparse.entries().next().is_none());
    }

    #[test]
    fn a_weight_is_listed_once_even_if_its_trace_was_zero() {
        let mut trace = Trace::new(&settings(TraceKind::Accumulating), 3);
        let Trace::Sparse(sparse) = &mut trace else { unreachable!() };
        for slope in [0.0, 1.0, 1.0] {
            sparse.begin_step(slope);
            sparse.add_all(0, &[1, 1]);
        }
        assert_eq!(sparse.used, [1]);
        assert_eq!(sparse.entries().collect::<Vec<_>>(), [(1, 3.0, 2.0)]);
    }

    #[test]
    fn a_weight_used_twice_by_one_position_counts_twice() {
        for kind in [TraceKind::Accumulating, TraceKind::Replacing] {
            assert_eq!(marked(kind, &[&[0, 0], &[1, 4]]), [(0, 1.0), (1, 1.0), (4, 1.0)]);
        }
    }

    #[test]
    fn a_step_without_a_position_decays_the_trace() {
        let new =
            |form| Trace::new(&TraceSettings { form, ..settings(TraceKind::Accumulating) }, 2);
        let mut trace = new(TraceForm::Sparse);
        if let Trace::Sparse(sparse) = &mut trace {
            sparse.begin_step(1.0);
            sparse.add(1);
        }
        trace.decay();
        assert!(matches!(trace, Trace::Sparse(s) if s.entries().eq([(1, 0.5, 0.0)])));
        let mut trace = new(TraceForm::Dense);
        if let Trace::Dense(dense) = &mut trace {
            (dense.eligibility[1], dense.gradient[1]) = (1.0, 1.0);
        }
        trace.decay();
        assert!(matches!(trace, Trace::Dense(d) if d.eligibility == [0.0, 0.5]));
        for (steps, kept) in [(1, 0), (2, 1)] {
            let mut trace = new(TraceForm::Horizon { steps });
            if let Trace::Horizon(horizon) = &mut trace {
                horizon.push(&Evaluation::default());
            }
            trace.decay();
            assert!(matches!(trace, Trace::Horizon(h) if h.entries.len() == kept));
        }
    }
}
