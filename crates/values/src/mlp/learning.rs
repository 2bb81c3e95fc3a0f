//! How a network keeps traces and corrects its weights.

use super::Mlp;
use super::rows::{add_to_row, add_to_rows};
use super::shape::Strip;
use crate::stepsize::{Push, StepSize};
use crate::store::Store;
use crate::trace::{Dense, Horizon};
use crate::vector::add_scaled;
use crate::{Active, Net, Trace, TraceKind, TraceSettings};

impl<S: StepSize> Mlp<S> {
    pub(super) fn empty_trace(&self, settings: &TraceSettings) -> Trace {
        let mut trace = Trace::new(settings, self.weights.values.len());
        if let Trace::Dense(dense) = &mut trace {
            dense.live = vec![false; self.banks * self.shape.parts];
        }
        trace
    }

    pub(super) fn mark_trace(&self, active: &Active, trace: &mut Trace) {
        match trace {
            Trace::Horizon(horizon) => {
                horizon.push(active);
                let entry = horizon.entries.front_mut().expect("an entry was pushed");
                // The errors are kept with the entry: they depend on the weights of now.
                self.errors(active, &mut entry.hidden);
            }
            Trace::Dense(dense) if S::PLAIN => self.mark_strips(active, dense),
            Trace::Dense(dense) => {
                dense.gradient.fill(0.0);
                dense.slope = active.slope;
                self.add_gradient(active, 1.0, &mut dense.gradient);
                dense.mark();
            }
            Trace::Sparse(_) => unreachable!("new_trace makes no sparse trace"),
        }
    }

    /// Marks strip by strip and leaves out those that have no trace and get none.
    fn mark_strips(&self, active: &Active, dense: &mut Dense) {
        let Dense { eligibility, live, room, .. } = dense;
        let (decay, kind) = (dense.decay, dense.kind);
        room.clear();
        self.errors(active, room);
        let (size, parts) = (self.shape.bank_size, self.shape.parts);
        for bank in 0..self.banks {
            let eligibility = &mut eligibility[bank * size..][..size];
            let live = &mut live[bank * parts..][..parts];
            self.shape.each_strip(active, room, |strip| {
                let Strip { part, start, factor, numbers, .. } = strip;
                let traces = &mut eligibility[start..start + numbers.len()];
                let factor = if bank == active.bank { factor } else { 0.0 };
                if factor == 0.0 {
                    live[part] = live[part] && fade(traces, decay);
                    return;
                }
                live[part] = true;
                match kind {
                    TraceKind::Accumulating => accumulate(traces, decay, factor, numbers),
                    TraceKind::Replacing => replace(traces, decay, factor, numbers),
                }
            });
        }
    }

    pub(super) fn learn_trace(&mut self, trace: &Trace, error: f32) {
        match trace {
            Trace::Horizon(horizon) if S::PLAIN => self.learn_plain_horizon(horizon, error),
            Trace::Horizon(horizon) => self.learn_newest(horizon, error),
            Trace::Dense(dense) if S::PLAIN => self.learn_strips(dense, error),
            Trace::Dense(dense) => {
                let Mlp { shape, weights, rate, shares, .. } = self;
                weights.learn_dense(dense, error, |index| {
                    *rate * shares[shape.layer_of(index % shape.bank_size)]
                });
            }
            Trace::Sparse(_) => unreachable!("new_trace makes no sparse trace"),
        }
    }

    fn learn_plain_horizon(&mut self, trace: &Horizon, error: f32) {
        let Mlp { shape, weights, rate, shares, .. } = self;
        let mut age = 1.0;
        for entry in &trace.entries {
            let errors = &entry.hidden[shape.hidden_len()..];
            let bank = &mut weights.values[entry.bank * shape.bank_size..][..shape.bank_size];
            let step = |layer: usize| *rate * shares[layer] * error * age;
            let (first, inputs) = (&errors[..shape.first], &entry.sight.inputs);
            add_to_rows(&mut bank[shape.weights(0)], &entry.indices, inputs, step(0), first);
            shape.each_inner_strip(entry, errors, |strip| {
                let factor = step(strip.layer) * strip.factor;
                add_to_row(&mut bank[strip.start..], factor, strip.numbers);
            });
            age *= trace.decay;
        }
    }

    /// Corrects the weights for the newest position only, with any step size.
    fn learn_newest(&mut self, trace: &Horizon, error: f32) {
        let Some(entry) = trace.entries.front() else { return };
        let Mlp { shape, weights, rate, shares, .. } = self;
        let (errors, slope) = (&entry.hidden[shape.hidden_len()..], entry.slope);
        let bank = entry.bank * shape.bank_size;
        let each_push = |visit: &mut dyn FnMut(usize, &Push)| {
            shape.each_used_strip(entry, errors, |strip| {
                for (column, number) in strip.numbers.iter().enumerate() {
                    let trace = strip.factor * number;
                    if trace != 0.0 {
                        let (rate, input) = (*rate * shares[strip.layer], trace / slope);
                        let push = Push { rate, error, trace, input, slope };
                        visit(bank + strip.start + column, &push);
                    }
                }
            });
        };
        let mut measured = 0.0;
        if S::MEASURES {
            each_push(&mut |index, push| measured += weights.measure_one(index, push));
            measured = weights.conclude(measured);
        }
        each_push(&mut |index, push| weights.push(index, push, measured));
    }

    fn learn_strips(&mut self, trace: &Dense, error: f32) {
        let Mlp { shape, weights, rate, shares, banks, .. } = self;
        for bank in 0..*banks {
            let live = &trace.live[bank * shape.parts..][..shape.parts];
            let span = bank * shape.bank_size..(bank + 1) * shape.bank_size;
            let traces = &trace.eligibility[span.clone()];
            let weights = &mut weights.values[span];
            shape.each_part(|part, layer, span| {
                if live[part] {
                    let step = *rate * shares[layer] * error;
                    add_scaled(&mut weights[span.clone()], step, &traces[span]);
                }
            });
        }
    }
}

/// Lets traces fade; false if nothing is left of them.
fn fade(traces: &mut [f32], decay: f32) -> bool {
    /// Below this a trace changes no weight, and would slow the processor down before long.
    const NOTHING: f32 = 1e-30;
    let mut left = false;
    for trace in &mut *traces {
        *trace *= decay;
        left |= trace.abs() > NOTHING;
    }
    if !left {
        traces.fill(0.0);
    }
    left
}

fn accumulate(traces: &mut [f32], decay: f32, factor: f32, numbers: &[f32]) {
    for (trace, number) in traces.iter_mut().zip(numbers) {
        *trace = *trace * decay + factor * number;
    }
}

fn replace(traces: &mut [f32], decay: f32, factor: f32, numbers: &[f32]) {
    for (trace, number) in traces.iter_mut().zip(numbers) {
        let gradient = factor * number;
        *trace = if gradient == 0.0 { *trace * decay } else { gradient };
    }
}
