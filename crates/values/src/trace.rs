//! Eligibility traces: which weights answer for an error, and how much.

use crate::Active;
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
    /// The newest first.
    pub entries: VecDeque<Active>,
    /// What remains after one step.
    pub decay: f32,
    /// Whether a weight answers only for the newest position that used it.
    pub kind: TraceKind,
    steps: usize,
    spare: Vec<Active>,
}

/// One number for each weight used lately.
#[derive(Clone, Debug)]
pub struct Sparse {
    /// The trace of each weight; zero for all that are not listed.
    pub eligibility: Vec<f32>,
    /// The weights used since the trace was cleared, each once.
    pub used: Vec<u32>,
    /// What remains after one step.
    pub decay: f32,
    /// What happens to a weight used again.
    pub kind: TraceKind,
    /// The slope of the newest position.
    pub slope: f32,
    /// The weights that the newest position uses.
    pub newest: Vec<u32>,
    is_newest: Vec<bool>,
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
}

impl Trace {
    /// An empty trace over `weights` weights.
    pub fn new(settings: &TraceSettings, weights: usize) -> Trace {
        let TraceSettings { decay, kind, form } = *settings;
        match form {
            TraceForm::Horizon { steps } => {
                let (entries, spare) = (VecDeque::with_capacity(steps + 1), Vec::new());
                Trace::Horizon(Horizon { entries, decay, kind, steps, spare })
            }
            TraceForm::Sparse => {
                let (eligibility, is_newest) = (vec![0.0; weights], vec![false; weights]);
                let (used, newest) = (Vec::new(), Vec::new());
                Trace::Sparse(Sparse {
                    eligibility,
                    used,
                    decay,
                    kind,
                    slope: 0.0,
                    newest,
                    is_newest,
                })
            }
            TraceForm::Dense => {
                let (eligibility, gradient) = (vec![0.0; weights], vec![0.0; weights]);
                Trace::Dense(Dense { eligibility, decay, kind, slope: 0.0, gradient })
            }
        }
    }

    /// Forgets everything: a new game begins, or an exploratory move was made.
    pub fn clear(&mut self) {
        match self {
            Trace::Horizon(horizon) => horizon.spare.extend(horizon.entries.drain(..)),
            Trace::Sparse(sparse) => {
                sparse.forget_newest();
                for index in sparse.used.drain(..) {
                    sparse.eligibility[index as usize] = 0.0;
                }
            }
            Trace::Dense(dense) => dense.eligibility.fill(0.0),
        }
    }
}

impl Horizon {
    /// Puts a copy of `active` in front and drops what lies beyond the horizon.
    pub fn push(&mut self, active: &Active) {
        let mut entry = if self.entries.len() == self.steps {
            self.entries.pop_back().expect("a horizon keeps at least one step")
        } else {
            self.spare.pop().unwrap_or_default()
        };
        entry.copy_from(active);
        self.entries.push_front(entry);
    }
}

impl Sparse {
    /// Lets all traces fade by one step: what was newest is no longer.
    pub fn fade(&mut self) {
        self.forget_newest();
        for &index in &self.used {
            self.eligibility[index as usize] *= self.decay;
        }
    }

    /// Adds a gradient to the trace of one weight, or puts it in its place.
    #[inline]
    pub fn mark(&mut self, index: u32, gradient: f32) {
        let eligibility = &mut self.eligibility[index as usize];
        if *eligibility == 0.0 {
            self.used.push(index);
        }
        *eligibility = match self.kind {
            TraceKind::Accumulating => *eligibility + gradient,
            TraceKind::Replacing => gradient,
        };
        self.is_newest[index as usize] = true;
        self.newest.push(index);
    }

    /// Whether the newest position uses this weight.
    #[inline]
    pub fn is_newest(&self, index: u32) -> bool {
        self.is_newest[index as usize]
    }

    fn forget_newest(&mut self) {
        for index in self.newest.drain(..) {
            self.is_newest[index as usize] = false;
        }
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

    fn marked(kind: TraceKind, steps: &[&[u32]]) -> Vec<f32> {
        let Trace::Sparse(mut sparse) = Trace::new(&settings(kind), 3) else { unreachable!() };
        for used in steps {
            sparse.fade();
            used.iter().for_each(|&i| sparse.mark(i, 1.0));
        }
        sparse.eligibility
    }

    #[test]
    fn traces_fade_and_accumulate_or_are_replaced() {
        let steps: [&[u32]; 3] = [&[0, 1], &[0], &[2]];
        assert_eq!(marked(TraceKind::Accumulating, &steps), [0.75, 0.25, 1.0]);
        assert_eq!(marked(TraceKind::Replacing, &steps), [0.5, 0.25, 1.0]);
    }

    #[test]
    fn a_cleared_trace_is_empty() {
        let mut trace = Trace::new(&settings(TraceKind::Accumulating), 3);
        let Trace::Sparse(sparse) = &mut trace else { unreachable!() };
        sparse.mark(1, 1.0);
        trace.clear();
        let Trace::Sparse(sparse) = &trace else { unreachable!() };
        assert!(sparse.used.is_empty() && sparse.eligibility == [0.0; 3]);
    }
}
