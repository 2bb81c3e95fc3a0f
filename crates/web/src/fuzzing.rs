//! What fuzz targets call: requests without connections.

use crate::app_state::AppState;
use crate::input::query_of;
use crate::route_table::table;
use crate::routes::Route;
use axum::http::Method;
use serde_json::{Map, Value};
use std::sync::{Arc, LazyLock};

/// Routes that neither search nor begin what goes on after the answer.
static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
    let begins = |route: &Route| {
        let path = route.path;
        route.method == Method::POST && (path.ends_with("/runs") || path.contains("/contests"))
    };
    table().0.into_iter().filter(|route| !route.deep && !begins(route)).collect()
});

/// A server of an empty folder.
static APP: LazyLock<Arc<AppState>> = LazyLock::new(|| {
    let runs = std::env::temp_dir().join(format!("ludens-fuzz-{}", std::process::id()));
    Arc::new(AppState::new(runs, false))
});

/// Answers a request: a query, or the body of one.
pub fn request(route: usize, input: &[u8]) {
    let route = &ROUTES[route % ROUTES.len()];
    let text = String::from_utf8_lossy(input);
    let object: Option<Map<String, Value>> = match route.method {
        Method::POST => serde_json::from_slice(input).ok(),
        _ => query_of(route, &text).ok(),
    };
    if let Some(object) = object {
        let _ = (route.handler)(&APP, Value::Object(object));
    }
}
