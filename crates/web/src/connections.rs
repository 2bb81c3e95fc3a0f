//! Connections: a limited number, of which silent ones give way to new ones.

use crate::limits::{CONNECTIONS, REQUEST_TIMEOUT};
use axum::Router;
use axum::http::{Request, Response, header};
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;

/// An open connection.
struct Connection {
    /// Requests and streams that are being answered; without any, it may be closed.
    active: Arc<AtomicUsize>,
    task: AbortHandle,
}

/// Accepts a limited number of connections.
///
/// Once there are so many, the oldest on which nothing is being answered is closed, so that clients
/// that connect and say nothing delay nobody. Clients that send no request in time are dropped.
pub(crate) async fn accept(listener: TcpListener, router: Router) {
    let permits = Arc::new(Semaphore::new(CONNECTIONS));
    let mut open: VecDeque<Connection> = VecDeque::new();
    loop {
        // Too many open files, for example: others will be closed.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        if permits.available_permits() == 0 {
            close_oldest_silent(&mut open);
        }
        let permit = Arc::clone(&permits).acquire_owned().await;
        let permit = permit.expect("places are never closed");
        let active = Arc::new(AtomicUsize::new(0));
        let (router, own) = (router.clone(), Arc::clone(&active));
        let task = tokio::spawn(async move {
            serve(stream, router, own).await;
            drop(permit);
        });
        open.retain(|connection| !connection.task.is_finished());
        open.push_back(Connection { active, task: task.abort_handle() });
    }
}

fn close_oldest_silent(open: &mut VecDeque<Connection>) {
    open.retain(|connection| !connection.task.is_finished());
    let silent = |connection: &Connection| connection.active.load(Ordering::Relaxed) == 0;
    if let Some(connection) = open.iter().position(silent).and_then(|at| open.remove(at)) {
        connection.task.abort();
    }
}

async fn serve(stream: TcpStream, router: Router, active: Arc<AtomicUsize>) {
    // Small answers are not held back to be joined.
    let _ = stream.set_nodelay(true);
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(REQUEST_TIMEOUT).max_buf_size(64 * 1024);
    let router = TowerToHyperService::new(router);
    let service = service_fn(|request: Request<Incoming>| {
        active.fetch_add(1, Ordering::Relaxed);
        let (answer, active) = (router.call(request), Arc::clone(&active));
        async move {
            let answer = answer.await;
            // A stream goes on after its beginning was sent, until the connection is closed.
            if !answer.as_ref().is_ok_and(is_stream) {
                active.fetch_sub(1, Ordering::Relaxed);
            }
            answer
        }
    });
    // Errors of the client are ignored.
    let _ = http.serve_connection(TokioIo::new(stream), service).await;
}

fn is_stream<B>(answer: &Response<B>) -> bool {
    let kind = answer.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
}
