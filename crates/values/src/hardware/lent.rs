//! What several may read, and its last holder may change.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

/// A value that its clones share; who holds the only one may change it.
///
/// `Arc::get_mut` does the same with a locked instruction, for which the processor waits until all
/// before it is done: a twentieth of the time of learning small games.
///
/// Invariant: nobody else knows the `Arc`, so that it has no weak pointers, and new clones are made
/// through holders alone.
#[derive(Debug)]
pub struct Lent<T: ?Sized>(Arc<T>);

impl<T: ?Sized> Lent<T> {
    /// The value, held once.
    pub fn new(value: Box<T>) -> Lent<T> {
        Lent(Arc::from(value))
    }

    /// The value, to be changed, unless there is another holder.
    #[inline]
    pub fn get_mut(&mut self) -> Option<&mut T> {
        if Arc::strong_count(&self.0) != 1 {
            return None;
        }
        // What holders that are gone did to it has been done.
        fence(Ordering::Acquire);
        // SAFETY: this is the only pointer to the value, and it stays so while it is borrowed: clones
        // are made from holders, and the only one is borrowed mutably.
        Some(unsafe { &mut *Arc::as_ptr(&self.0).cast_mut() })
    }
}

impl<T: ?Sized> Clone for Lent<T> {
    fn clone(&self) -> Lent<T> {
        Lent(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> Deref for Lent<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_holder_may_change_it() {
        let mut first = Lent::new(Box::new(1));
        let mut second = first.clone();
        assert!(first.get_mut().is_none() && second.get_mut().is_none());
        drop(first);
        *second.get_mut().unwrap() += 1;
        assert_eq!(*second, 2);
    }

    #[test]
    fn what_holders_in_other_threads_did_is_seen() {
        use std::sync::Mutex;
        let mut held: Lent<dyn Fn() -> Vec<usize> + Send + Sync> = Lent::new(Box::new(Vec::new));
        let seen = Mutex::new(0);
        for round in 0..100 {
            std::thread::scope(|scope| {
                for _ in 0..3 {
                    let (held, seen) = (held.clone(), &seen);
                    scope.spawn(move || *seen.lock().unwrap() += held().len());
                }
            });
            assert!(held.get_mut().is_some(), "the others are gone");
            held = Lent::new(Box::new(move || vec![0; round]));
        }
        assert_eq!(seen.into_inner().unwrap(), 3 * (0..99).sum::<usize>());
    }
}
