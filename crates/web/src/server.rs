//! The server: connections, routes and the guard before them.

use crate::app_state::AppState;
use crate::connections::accept;
use crate::event_stream;
use crate::guard::{Guard, guard, new_token};
use crate::input;
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
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

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
        let address = SocketAddr::new(reachable(self.address.ip()), self.address.port());
        format!("http://{address}/{}", token.unwrap_or_default())
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

/// An address that others can connect to: for one that stands for all, the one of the network.
fn reachable(listen: IpAddr) -> IpAddr {
    if !listen.is_unspecified() {
        return listen;
    }
    // Connecting UDP sends nothing, but picks the address by which the machine would send.
    let (any, outside, own): (IpAddr, IpAddr, IpAddr) = match listen {
        IpAddr::V4(_) => (listen, Ipv4Addr::new(192, 0, 2, 1).into(), Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(_) => {
            let outside = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);
            (listen, outside.into(), Ipv6Addr::LOCALHOST.into())
        }
    };
    let found = UdpSocket::bind((any, 0)).and_then(|socket| {
        socket.connect((outside, 9))?;
        socket.local_addr()
    });
    found.map_or(own, |address| address.ip())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_stands_for_all_becomes_one_that_can_be_opened() {
        for listen in [Ipv4Addr::UNSPECIFIED.into(), Ipv6Addr::UNSPECIFIED.into()] {
            let settings = Settings { listen, port: 0, runs: "runs".into() };
            // A machine without IPv6 has nothing to print.
            let Ok(server) = Server::bind(&settings) else { continue };
            let shown = server.url();
            assert!(!shown.contains("//0.0.0.0:") && !shown.contains("//[::]:"), "{shown}");
            assert!(shown.contains("?token="), "{shown}");
        }
        assert_eq!(reachable(Ipv4Addr::LOCALHOST.into()), Ipv4Addr::LOCALHOST);
    }
}
