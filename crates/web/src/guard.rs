//! Access control: local pages, or clients with the token.

use crate::problem::Problem;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// The access control of the server.
#[derive(Clone, Default)]
pub(crate) struct Guard {
    /// The token, required if other machines can reach the server.
    pub(crate) token: Option<Arc<str>>,
}

/// The content security policy: no external resources, and no inline scripts or styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The security headers of every response.
const HEADERS: [(&str, &str); 5] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

const COOKIE: &str = "ludens-token";

/// Lets a request through, or answers it.
pub(crate) async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let mut response = match guard.check(&request) {
        Err(problem) => problem.into_response(),
        Ok(Access::Welcome(cookie)) => set_cookie_and_redirect(&cookie),
        Ok(Access::Open) => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if api && !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// The result of checking a request.
enum Access {
    Open,
    /// With the token in the address: it becomes this cookie.
    Welcome(HeaderValue),
}

impl Guard {
    fn check(&self, request: &Request) -> Result<Access, Problem> {
        let headers = request.headers();
        check_form(request)?;
        let host = text(headers, header::HOST.as_str()).unwrap_or_default();
        if self.token.is_none() && !is_this_machine(host) {
            return Err(refuse_origin(format!("this server is not called {host:?}")));
        }
        check_origin(headers, host, request.uri().path().starts_with("/api/"))?;
        let Some(token) = &self.token else { return Ok(Access::Open) };
        if has_token(headers, token) {
            return Ok(Access::Open);
        }
        let query = request.uri().query().unwrap_or_default();
        let named = form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == "token");
        if request.uri().path() == "/"
            && named.is_some_and(|(_, given)| equal_in_constant_time(&given, token))
        {
            let cookie = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/");
            return Ok(Access::Welcome(HeaderValue::from_str(&cookie).expect("tokens are plain")));
        }
        let reason = "a token is needed: open the address that ludens printed";
        Err(Problem::new(StatusCode::UNAUTHORIZED, "token", reason))
    }
}

/// Refuses requests that name the server twice: proxies and servers could read them differently.
fn check_form(request: &Request) -> Result<(), Problem> {
    if request.uri().authority().is_some() {
        return Err(Problem::malformed("expected a path, found an absolute address"));
    }
    if request.headers().get_all(header::HOST).iter().nth(1).is_some() {
        return Err(Problem::malformed("expected one Host header, found several"));
    }
    Ok(())
}

/// Forgets the token in the address.
fn set_cookie_and_redirect(cookie: &HeaderValue) -> Response {
    let headers = [(header::LOCATION, HeaderValue::from_static("/"))];
    let mut response = (StatusCode::SEE_OTHER, headers).into_response();
    response.headers_mut().insert(header::SET_COOKIE, cookie.clone());
    response
}

/// Pages of other sites can move no piece, and a name that leads here does not make them ours.
fn check_origin(headers: &HeaderMap, host: &str, api: bool) -> Result<(), Problem> {
    if let Some(origin) = text(headers, header::ORIGIN.as_str()) {
        let own = ["http://", "https://"].iter().any(|scheme| origin == format!("{scheme}{host}"));
        if !own {
            return Err(refuse_origin(format!("requests from {origin} are refused")));
        }
    }
    let site = text(headers, "sec-fetch-site").unwrap_or("none");
    if api && !["none", "same-origin"].contains(&site) {
        return Err(refuse_origin("requests from other sites are refused".into()));
    }
    Ok(())
}

fn refuse_origin(reason: String) -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "origin", reason)
}

fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    ["localhost", "127.0.0.1", "[::1]"].contains(&name.to_ascii_lowercase().as_str())
}

fn has_token(headers: &HeaderMap, token: &str) -> bool {
    let bearer = text(headers, header::AUTHORIZATION.as_str());
    let bearer = bearer.and_then(|value| value.strip_prefix("Bearer "));
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies = cookies.flat_map(|value| value.split(';')).filter_map(|pair| {
        pair.trim().split_once('=').filter(|(name, _)| *name == COOKIE).map(|(_, value)| value)
    });
    bearer.is_some_and(|given| equal_in_constant_time(given, token))
        || cookies.any(|given| equal_in_constant_time(given, token))
}

/// Compares in constant time, against timing attacks.
fn equal_in_constant_time(given: &str, token: &str) -> bool {
    let differ = given.bytes().zip(token.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == token.len() && differ == 0
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// A random token.
///
/// # Errors
///
/// If the system has no random numbers.
pub(crate) fn new_token() -> std::io::Result<Arc<str>> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_known() {
        for host in ["localhost", "localhost:7200", "127.0.0.1:80", "[::1]:7200", "LOCALHOST:1"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in ["", "evil.example", "localhost.evil.example:7200", "127.0.0.1.nip.io", "::1"] {
            assert!(!is_this_machine(host), "{host}");
        }
    }

    #[test]
    fn tokens_are_long_and_never_the_same() {
        let (a, b) = (new_token().unwrap(), new_token().unwrap());
        assert!(a.len() == 32 && a != b);
        assert!(
            equal_in_constant_time(&a, &a)
                && !equal_in_constant_time(&a, &b)
                && !equal_in_constant_time(&a[1..], &a)
                && !equal_in_constant_time("", &a)
        );
    }
}
