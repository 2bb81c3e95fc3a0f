//! The plain n-tuple network: the specification of all faster code.
//!
//! Every sum is taken from the cells, every weight is updated by itself. Slow, but short enough to
//! be checked by reading. Step sizes that normalise are not covered.

use crate::ntuple::DuplicateFeatures;
use crate::step::{StepSize, Update};
use crate::{Output, TraceForm, TraceKind, TraceSettings};
use ludens_core::CellLayout;
use std::collections::{HashMap, VecDeque};

/// An n-tuple network with one eligibility trace, as the textbook defines it.
///
/// ```text
/// V(s)  = output(sum over all symmetric images and tuples of w[tuple][cells])
/// e     = gamma lambda e + grad V(s), or grad V(s) where a trace is replaced
/// w    += step rule(alpha / number of lookups, delta, e)
/// ```
pub struct ReferenceNetwork<S: StepSize> {
    /// The board.
    pub layout: CellLayout,
    /// The cells of each tuple.
    pub tuples: Vec<Vec<u16>>,
    /// The output function.
    pub output: Output,
    /// The step size alpha.
    pub alpha: f32,
    /// What duplicate features mean.
    pub duplicates: DuplicateFeatures,
    /// The kind of eligibility traces.
    pub trace: TraceSettings,
    /// The step-size rule.
    pub rule: S,
    /// The weight of each feature; zero where none is given.
    pub weights: HashMap<Feature, f32>,
    /// What the step-size rule remembers of each weight that was ever updated.
    pub memory: HashMap<Feature, S::Memory>,
    /// The trace of each weight, for sparse and dense traces.
    pub eligibility: HashMap<Feature, f32>,
    /// The features and the slope of the newest positions, the newest first, for a horizon.
    pub positions: VecDeque<(Vec<Feature>, f32)>,
}

/// A weight: its set, its tuple, and the values of the tuple's cells.
pub type Feature = (usize, usize, Vec<u8>);

impl<S: StepSize> ReferenceNetwork<S> {
    /// The feature of each lookup, image by image.
    pub fn features(&self, weight_set: usize, cells: &[u8]) -> Vec<Feature> {
        let image = |symmetry: &Vec<u16>| {
            let value = |cell: &u16| cells[usize::from(symmetry[usize::from(*cell)])];
            let feature = |(nth, tuple): (usize, &Vec<u16>)| {
                (weight_set, nth, tuple.iter().map(value).collect())
            };
            self.tuples.iter().enumerate().map(feature).collect::<Vec<Feature>>()
        };
        self.layout.symmetries.iter().flat_map(image).collect()
    }

    /// The value of a position and the slope of the output there.
    pub fn evaluate(&self, weight_set: usize, cells: &[u8]) -> (f32, f32) {
        let features = self.features(weight_set, cells);
        let weights = features.iter().map(|f| self.weights.get(f).copied().unwrap_or(0.0));
        self.output.value_and_slope(weights.sum())
    }

    /// Adds a position to the trace, then moves all weights on the trace so that the value of the
    /// position comes closer to `target`. Returns the error.
    pub fn update(&mut self, weight_set: usize, cells: &[u8], target: f32) -> f32 {
        let (value, slope) = self.evaluate(weight_set, cells);
        let (features, error) = (self.features(weight_set, cells), target - value);
        if let TraceForm::Horizon { steps } = self.trace.form {
            self.positions.push_front((features, slope));
            self.positions.truncate(steps);
            self.update_positions(error);
        } else {
            self.update_weights(&features, slope, error);
        }
        error
    }

    /// Empties the trace.
    pub fn clear_trace(&mut self) {
        self.eligibility.clear();
        self.positions.clear();
    }

    /// Sparse and dense traces have one number for each weight, and each weight makes one step.
    fn update_weights(&mut self, features: &[Feature], slope: f32, error: f32) {
        let mut inputs: HashMap<&Feature, f32> = HashMap::new();
        for feature in features {
            *inputs.entry(feature).or_default() += 1.0;
        }
        if self.duplicates == DuplicateFeatures::Once {
            inputs.values_mut().for_each(|input| *input = 1.0);
        }
        self.eligibility.values_mut().for_each(|trace| *trace *= self.trace.decay);
        for (&feature, input) in &inputs {
            let trace = self.eligibility.entry(feature.clone()).or_default();
            let kept = if self.trace.kind == TraceKind::Replacing { 0.0 } else { *trace };
            *trace = kept + slope * input;
        }
        let alpha = self.alpha_per_lookup();
        for (feature, trace) in self.eligibility.clone().into_iter().filter(|(_, e)| *e != 0.0) {
            let input = inputs.get(&feature).copied().unwrap_or(0.0);
            self.step(&feature, Update { alpha, error, trace, input, slope }, true);
        }
    }

    /// A horizon lists positions: each lookup of each position makes a step of its own.
    ///
    /// Where traces are replaced, the newest position that uses a weight alone moves it. Where
    /// duplicates count once, a weight that one position uses again makes a step but does not move.
    fn update_positions(&mut self, error: f32) {
        let (positions, alpha) = (self.positions.clone(), self.alpha_per_lookup());
        for (age, (features, slope)) in positions.iter().enumerate() {
            let (trace, input) = (self.trace.decay.powi(age as i32) * slope, f32::from(age == 0));
            for (lookup, feature) in features.iter().enumerate() {
                let in_newer = positions.range(..age).any(|(newer, _)| newer.contains(feature));
                if self.trace.kind == TraceKind::Replacing && in_newer {
                    continue;
                }
                let is_first = !features[..lookup].contains(feature);
                let moves = is_first || self.duplicates == DuplicateFeatures::Each;
                self.step(feature, Update { alpha, error, trace, input, slope: *slope }, moves);
            }
        }
    }

    fn alpha_per_lookup(&self) -> f32 {
        self.alpha / (self.tuples.len() * self.layout.symmetries.len()) as f32
    }

    /// Lets the step-size rule remember an update of one weight, and moves the weight by its step.
    fn step(&mut self, feature: &Feature, update: Update, moves: bool) {
        let memory = self.memory.entry(feature.clone()).or_insert_with(|| self.rule.initial());
        let step = self.rule.step(memory, &update, 0.0);
        if moves {
            *self.weights.entry(feature.clone()).or_default() += step;
        }
    }
}
