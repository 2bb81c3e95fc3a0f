//! The server: connections, routes and the guard before them.

use crate::app_state::AppState;
use crate::event_stream;
use crate::guard::{Guard, guard, new_token};
use crate::input;
use crate::limits::{CONNECTIONS, REQUEST_TIMEOUT};
use crate::page;
use crate::problem::Problem;
use crate::route_table::table;
use crate::routes::{ImageReply, Route, RouteOutput};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// The settings of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The address; others than this machine's own ask for a token.
    pub listen: IpAddr,
    /// The port; with zero, any that is free.
    pub port: u16,
    /// The folder that holds the runs.
    pub runs: PathBuf,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { listen: Ipv4Addr::LOCALHOST.into(), port: 7200, runs: "runs".into() }
    }
}

/// A server that has its port.
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    guard: Guard,
    app: Arc<AppState>,
}

impl Server {
    /// Binds the port.
    ///
    /// # Errors
    ///
    /// If somebody else has it, or the address is not this machine's.
    pub fn bind(settings: &Settings) -> io::Result<Server> {
        let listener = std::net::TcpListener::bind((settings.listen, settings.port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let token = if settings.listen.is_loopback() { None } else { Some(new_token()?) };
        let app = Arc::new(AppState::new(settings.runs.clone(), token.is_some()));
        Ok(Server { listener, address, guard: Guard { token }, app })
    }

    /// The URL of the page, with the token if one is needed.
    pub fn url(&self) -> String {
        let token = self.guard.token.as_ref().map(|token| format!("?token={token}"));
        format!("http://{}/{}", self.address, token.unwrap_or_default())
    }

    /// Registers training runs of this process with the server.
    pub fn monitor(&self) -> crate::TrainingMonitor {
        crate::TrainingMonitor(Arc::clone(&self.app))
    }

    /// Answers requests until `stop` says so.
    ///
    /// # Errors
    ///
    /// If the system has no room for a server.
    pub fn run(self, stop: &dyn Fn() -> bool) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(128)
            .enable_all()
            .build()?;
        let router = router(Arc::clone(&self.app), self.guard);
        runtime.block_on(async {
            let listener = TcpListener::from_std(self.listener)?;
            let serving = tokio::spawn(accept(listener, router));
            while !stop() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            serving.abort();
            Ok::<_, io::Error>(())
        })?;
        self.app.stop();
        runtime.shutdown_timeout(Duration::from_millis(200));
        Ok(())
    }
}

/// Accepts a limited number of connections; drops clients that send no request in time.
async fn accept(listener: TcpListener, router: Router) {
    let permits = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let permit = Arc::clone(&permits).acquire_owned().await;
        let permit = permit.expect("places are never closed");
        match listener.accept().await {
            Ok((stream, _)) => {
                let router = router.clone();
                tokio::spawn(async move {
                    serve(stream, router).await;
                    drop(permit);
                });
            }
            // Too many open files, for example: others will be closed.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

async fn serve(stream: TcpStream, router: Router) {
    // Small answers are not held back to be joined.
    let _ = stream.set_nodelay(true);
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(REQUEST_TIMEOUT).max_buf_size(64 * 1024);
    // Errors of the client are ignored.
    let _ = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).await;
}

/// All routes, behind the guard.
pub(crate) fn router(app: Arc<AppState>, watch: Guard) -> Router {
    let mut router = Router::new();
    for route in table().0 {
        router = router.route(route.path, handler(route));
    }
    router
        .fallback(page::file)
        .method_not_allowed_fallback(refuse_method)
        .layer(from_fn_with_state(watch, guard))
        .with_state(app)
}

async fn refuse_method(method: Method, request: Request) -> Problem {
    let reason = format!("{} does not answer to {method}", request.uri().path());
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method", reason)
}

fn handler(route: Route) -> MethodRouter<Arc<AppState>> {
    let filter = MethodFilter::try_from(route.method.clone()).expect("routes have usual methods");
    let route = Arc::new(route);
    axum::routing::on(filter, move |State(app): State<Arc<AppState>>, request: Request| {
        let route = Arc::clone(&route);
        async move { answer(&app, &route, request).await.unwrap_or_else(Problem::into_response) }
    })
}

async fn answer(
    app: &Arc<AppState>,
    route: &Arc<Route>,
    request: Request,
) -> Result<Response, Problem> {
    let input = input::read(route, request).await?;
    let queue = if route.deep { &app.deep } else { &app.quick };
    let (own, work) = (Arc::clone(app), Arc::clone(route));
    let outcome = queue.run(move || (work.handler)(&own, input)).await?;
    Ok(match outcome {
        RouteOutput::Json(body) => {
            (route.status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
        }
        RouteOutput::Picture(ImageReply { kind, content }) => {
            ([(header::CONTENT_TYPE, kind)], content).into_response()
        }
        RouteOutput::Nothing => route.status.into_response(),
        RouteOutput::Events(events) => {
            let permit = Arc::clone(&app.streams).try_acquire_owned();
            let full = |_| Problem::too_many("as many streams are open as this server allows");
            event_stream::stream(events, permit.map_err(full)?)
        }
    })
}
