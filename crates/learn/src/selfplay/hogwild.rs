//! Several threads that play and learn different games, on shared weights without locks.

use super::{SelfPlay, ThreadResult};
use crate::{Encoder, Value, ValueSpec};
use ludens_approx::{Network, UniqueArc};
use ludens_core::{Bitboards, Cancellation, Game, TrainableGame};
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Lets `threads` threads train the same weights without locks: whoever is ready takes the next
/// game. Results differ from run to run. Nothing if the network does not support it.
pub(crate) fn train_hogwild<G: TrainableGame>(
    selfplay: &SelfPlay<'_, G>,
    value: &mut Value<G>,
    episodes: Range<u64>,
    threads: usize,
) -> Option<Vec<ThreadResult>> {
    let next = AtomicU64::new(episodes.start);
    let (template, token) = (Template::of(value), Cancellation::current());
    let learn = |network| {
        let games = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let games = games.take_while(|number| *number < episodes.end);
        token.scope(|| selfplay.learn(template.with_network(network), games))
    };
    let mut results = Vec::new();
    let network = value.network_mut().parallel()?;
    network.train_shared(threads, &mut |networks| results = on_threads(networks, learn));
    Some(results)
}

/// Gives each thread one of the items. Returns what they make of them, in this order.
pub(crate) fn on_threads<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let work = &work;
    std::thread::scope(|scope| {
        let spawn = |item| scope.spawn(move || work(item));
        let threads: Vec<_> = items.into_iter().map(spawn).collect();
        let results = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
        results.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// A value without its weights.
pub(crate) struct Template<G: Game> {
    /// Behind a lock, because encoders of tables are not shared between threads.
    encoder: Mutex<Encoder<G>>,
    spec: ValueSpec,
}

impl<G: Bitboards> Template<G> {
    pub(crate) fn of(value: &Value<G>) -> Template<G> {
        Template { encoder: Mutex::new(value.encoder.clone()), spec: value.spec }
    }

    pub(crate) fn with_network(&self, network: UniqueArc<dyn Network>) -> Value<G> {
        let encoder = self.encoder.lock().expect("cloning does not panic").clone();
        Value::new(network, encoder, self.spec)
    }
}
