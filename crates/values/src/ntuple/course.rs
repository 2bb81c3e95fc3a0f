//! The course of a game through boards whose weights are far.

use super::NTuple;
use super::learning::Correction;
use crate::hardware::Work;
use crate::stepsize::StepSize;
use crate::store::Store;
use crate::{Course, Sights};

/// Beginning to fetch weights.
pub(super) struct Announcing<'a, S: StepSize, W: Store<S>> {
    pub(super) net: &'a NTuple<S, W>,
    pub(super) bank: usize,
    pub(super) sights: &'a mut Sights,
}

impl<S: StepSize, W: Store<S>> Work for Announcing<'_, S, W> {
    #[inline(always)]
    fn run(self) {
        self.net.lookups.packed().announce(self.sights, self.net.bank(self.bank));
    }
}

/// Adding up weights that were announced.
pub(super) struct Adding<'a, S: StepSize, W: Store<S>> {
    pub(super) net: &'a NTuple<S, W>,
    pub(super) bank: usize,
    pub(super) places: &'a [u32],
    pub(super) sums: &'a mut [f32],
}

impl<S: StepSize, W: Store<S>> Work for Adding<'_, S, W> {
    #[inline(always)]
    fn run(self) {
        let (packed, bank) = (self.net.lookups.packed(), self.net.bank(self.bank));
        packed.sum_announced(self.places, bank, self.sums);
    }
}

/// Evaluating the boards that may come next.
pub(super) struct Looking<'a, S: StepSize, W: Store<S>> {
    pub(super) net: &'a NTuple<S, W>,
    pub(super) course: &'a mut Course,
}

impl<S: StepSize, W: Store<S>> Work for Looking<'_, S, W> {
    #[inline(always)]
    fn run(self) {
        let (net, Course { bank, next, values, .. }) = (self.net, self.course);
        if values.len() < next.count {
            values.resize(next.count, 0.0);
        }
        let values = &mut values[..next.count];
        net.lookups.packed().look(next, net.bank(*bank), values);
        net.output.value_all(values);
    }
}

/// Going on to one of the boards, and correcting the position before it.
pub(super) struct Going<'a, S: StepSize, W: Store<S>> {
    pub(super) net: &'a mut NTuple<S, W>,
    pub(super) course: &'a mut Course,
    pub(super) nth: usize,
    pub(super) target: Option<f32>,
    pub(super) error: &'a mut f32,
}

impl<S: StepSize, W: Store<S>> Work for Going<'_, S, W> {
    #[inline(always)]
    fn run(self) {
        let Going { net, course, nth, target, error } = self;
        let Course { bank, next, latest, room, .. } = course;
        room.bank = *bank;
        net.lookups.packed().recall(&next.places, nth, &mut room.indices);
        net.weights.announce(net.offset(*bank), &room.indices);
        if let Some(target) = target {
            Correction { net, active: latest, target, error }.run();
        }
        std::mem::swap(latest, room);
    }
}
