//! Games of a batch, played by several threads with the same weights.

use super::{GreedyActor, SelfPlay, Transcript};
use crate::build::search_depth;
use crate::trainer::PlayedGame;
use crate::{Policy, Value};
use ludens_core::{Cancellation, TrainableGame};

/// Plays these games with `threads` threads; the result is the same for any number of them.
pub(crate) fn play_parallel<G: TrainableGame>(
    selfplay: &SelfPlay<'_, G>,
    value: &Value<G>,
    episodes: &[u64],
    threads: usize,
) -> Vec<PlayedGame<G::State>> {
    let share = episodes.len().div_ceil(threads.max(1)).max(1);
    let depth = search_depth(selfplay.config);
    let shares = episodes.chunks(share).map(|mine| (GreedyActor::new(value.fork(), depth), mine));
    let shares: Vec<_> = shares.collect();
    let token = Cancellation::current();
    std::thread::scope(|scope| {
        let play = |(mut actor, mine): (GreedyActor<G>, &[u64])| {
            let (mine, token) = (mine.to_vec(), token.clone());
            let work = move || {
                let mut policy = Policy::new(depth);
                let mut play = |&episode: &u64| {
                    let mut played = Vec::new();
                    let observer = &mut |what, explored| played.push((what, explored));
                    let (start, result) =
                        selfplay.play(&mut actor, &mut policy, episode, Some(observer));
                    (Transcript { start, played }, result)
                };
                let wanted = mine.iter().take_while(|_| !Cancellation::requested());
                wanted.map(&mut play).collect::<Vec<_>>()
            };
            scope.spawn(move || token.scope(work))
        };
        let running: Vec<_> = shares.into_iter().map(play).collect();
        running
            .into_iter()
            .flat_map(|thread| thread.join().expect("players do not panic"))
            .collect()
    })
}
