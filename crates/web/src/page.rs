//! The files of the page and of the documentation, carried by the program.

use crate::problem::Problem;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// For those who write the page: the folder that it is read from instead.
static FOLDER: LazyLock<Option<PathBuf>> =
    LazyLock::new(|| std::env::var_os("LUDENS_PAGE").map(PathBuf::from));

/// Answers with a file of the page.
pub(crate) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") {
        return Problem::unknown(format!("there is no /{path}")).into_response();
    }
    let name = if path.is_empty() { "index.html" } else { path };
    match find(name) {
        Some(content) => send(name, content, &headers),
        None => Problem::unknown(format!("the page has no file {name:?}")).into_response(),
    }
}

fn find(name: &str) -> Option<Cow<'static, [u8]>> {
    let Some(folder) = &*FOLDER else {
        let at = PAGE.binary_search_by_key(&name, |(name, _)| name).ok()?;
        return Some(PAGE[at].1.into());
    };
    let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    plain.then(|| std::fs::read(folder.join(name)).ok()).flatten().map(Into::into)
}

fn send(name: &str, content: Cow<'static, [u8]>, headers: &HeaderMap) -> Response {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    let tag = format!("\"{:016x}\"", hasher.finish());
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
    let answer = match known {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => content.into_response(),
    };
    let mut answer = answer;
    let plain = |text: &str| HeaderValue::from_str(text).expect("types and tags are plain");
    answer.headers_mut().insert(header::ETAG, plain(&tag));
    answer.headers_mut().insert(header::CONTENT_TYPE, plain(kind_of(name)));
    answer.headers_mut().insert(header::CACHE_CONTROL, plain("no-cache"));
    answer
}

/// The type of a file, by the ending of its name.
pub(crate) fn kind_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
