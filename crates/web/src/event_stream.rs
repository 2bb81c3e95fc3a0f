//! Streams of events for what is live.

use crate::limits::{KEEP_ALIVE, POLL_INTERVAL};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Serialize;
use std::collections::VecDeque;
use std::convert::Infallible;
use tokio::sync::OwnedSemaphorePermit;

/// A source of events that is polled.
pub(crate) trait EventSource: Send {
    /// The events since the last poll; `None` after the end.
    fn poll(&mut self) -> Option<Vec<StreamEvent>>;
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

    fn into_sse(self) -> Event {
        let event = Event::default().event(self.name).data(self.data);
        self.id.map_or_else(|| event.clone(), |id| event.clone().id(id.to_string()))
    }
}

/// A stream that polls its source only after the client has read the previous events.
struct EventStream {
    source: Option<Box<dyn EventSource>>,
    ready: VecDeque<StreamEvent>,
    begun: bool,
    /// The permit of the stream, released when the client disconnects.
    _permit: OwnedSemaphorePermit,
}

/// The response that streams events until the source ends or the client disconnects.
pub(crate) fn stream(source: Box<dyn EventSource>, permit: OwnedSemaphorePermit) -> Response {
    let stream =
        EventStream { source: Some(source), ready: VecDeque::new(), begun: false, _permit: permit };
    let events = stream::unfold(stream, |mut stream| async {
        let event = stream.next().await?;
        Some((Ok::<_, Infallible>(event.into_sse()), stream))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
}

impl EventStream {
    async fn next(&mut self) -> Option<StreamEvent> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if std::mem::replace(&mut self.begun, true) {
                tokio::time::sleep(POLL_INTERVAL).await;
            }
            let mut source = self.source.take()?;
            let polled = tokio::task::spawn_blocking(move || (source.poll(), source)).await;
            let (events, source) = polled.ok()?;
            self.ready.extend(events?);
            self.source = Some(source);
        }
    }
}
