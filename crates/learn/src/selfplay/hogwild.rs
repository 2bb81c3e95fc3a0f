//! Several threads that play and learn at the same time.

use super::pipelined::Pipeline;
use super::{SelfPlay, ThreadResult};
use crate::{Encoder, Value, ValueSpec, WeightSharing};
use ludens_approx::{Network, UniqueArc};
use ludens_core::{Bitboards, Cancellation, Game, Player, TrainableGame};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Lets `threads` threads train the same weights without locks: whoever is ready takes the next
/// game. ThreadResults differ from run to run. Nothing if the network does not support it.
pub(crate) fn train_hogwild<G: TrainableGame>(
    selfplay: &SelfPlay<'_, G>,
    value: &mut Value<G>,
    episodes: Range<u64>,
    threads: usize,
) -> Option<Vec<ThreadResult>> {
    let (next, results) = (AtomicU64::new(episodes.start), ThreadResults::default());
    let (template, token) = (Template::of(value), Cancellation::current());
    value.network_mut().parallel()?.train_hogwild(threads, &|thread, network| {
        let games = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let games = games.take_while(|number| *number < episodes.end);
        let learn = || selfplay.learn(template.with_network(network), games);
        results.add(thread, token.scope(learn));
    });
    Some(results.in_order())
}

/// Lets one thread for each player play and learn the moves of that player, in `games` games at a
/// time. The result does not depend on timing. Nothing if the network does not support it.
pub(crate) fn train_pipelined<G: TrainableGame>(
    selfplay: &SelfPlay<'_, G>,
    value: &mut Value<G>,
    episodes: Range<u64>,
    games: usize,
) -> Option<Vec<ThreadResult>> {
    let results = ThreadResults::default();
    let mut template = Template::of(value);
    template.spec.sharing = WeightSharing::OnePlayer;
    let pipeline = Pipeline::new(selfplay, episodes, games);
    value.network_mut().parallel()?.train_split(&|player, network| {
        let value = template.with_network(network);
        let (result, network) = pipeline.run(Player(player as u8), value);
        results.add(player, result);
        network
    });
    Some(results.in_order())
}

/// A value without its weights.
struct Template<G: Game> {
    /// Behind a lock, because encoders of tables are not shared between threads.
    encoder: Mutex<Encoder<G>>,
    spec: ValueSpec,
}

impl<G: Bitboards> Template<G> {
    fn of(value: &Value<G>) -> Template<G> {
        Template { encoder: Mutex::new(value.encoder.clone()), spec: value.spec }
    }

    fn with_network(&self, network: UniqueArc<dyn Network>) -> Value<G> {
        let encoder = self.encoder.lock().expect("cloning does not panic").clone();
        Value::new(network, encoder, self.spec)
    }
}

/// The results of all threads.
#[derive(Default)]
struct ThreadResults(Mutex<Vec<(usize, ThreadResult)>>);

impl ThreadResults {
    fn add(&self, thread: usize, result: ThreadResult) {
        self.0.lock().expect("threads do not panic").push((thread, result));
    }

    fn in_order(self) -> Vec<ThreadResult> {
        let mut results = self.0.into_inner().expect("threads do not panic");
        results.sort_by_key(|(thread, _)| *thread);
        results.into_iter().map(|(_, result)| result).collect()
    }
}
