//! Streams of events for what is live.

use crate::limits::{KEEP_ALIVE, TICK};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Serialize;
use std::collections::VecDeque;
use std::convert::Infallible;
use tokio::sync::OwnedSemaphorePermit;

/// Something that is looked at again and again.
pub(crate) trait EventSource: Send {
    /// What is new since the last look; nothing at all once it is over.
    fn look(&mut self) -> Option<Vec<StreamEvent>>;
}

/// One event.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StreamEvent {
    pub(crate) name: &'static str,
    pub(crate) id: Option<u64>,
    pub(crate) data: String,
}

impl StreamEvent {
    pub(crate) fn new(name: &'static str, data: &impl Serialize) -> StreamEvent {
        let data = serde_json::to_string(data).expect("what is told can be written");
        StreamEvent { name, id: None, data }
    }

    fn event(self) -> Event {
        let event = Event::default().event(self.name).data(self.data);
        self.id.map_or_else(|| event.clone(), |id| event.clone().id(id.to_string()))
    }
}

/// A stream that looks only when the client has read what was sent.
struct EventStream {
    feed: Option<Box<dyn EventSource>>,
    ready: VecDeque<StreamEvent>,
    begun: bool,
    /// Held as long as somebody listens.
    _place: OwnedSemaphorePermit,
}

/// The answer that goes on as long as the feed and the client do.
pub(crate) fn stream(feed: Box<dyn EventSource>, place: OwnedSemaphorePermit) -> Response {
    let stream =
        EventStream { feed: Some(feed), ready: VecDeque::new(), begun: false, _place: place };
    let events = stream::unfold(stream, |mut stream| async {
        let news = stream.next().await?;
        Some((Ok::<_, Infallible>(news.event()), stream))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
}

impl EventStream {
    async fn next(&mut self) -> Option<StreamEvent> {
        loop {
            if let Some(news) = self.ready.pop_front() {
                return Some(news);
            }
            if std::mem::replace(&mut self.begun, true) {
                tokio::time::sleep(TICK).await;
            }
            let mut feed = self.feed.take()?;
            let looked = tokio::task::spawn_blocking(move || (feed.look(), feed)).await;
            let (news, feed) = looked.ok()?;
            self.ready.extend(news?);
            self.feed = Some(feed);
        }
    }
}
