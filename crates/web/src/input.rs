//! One object from the path, the query and the body of a request.

use crate::limits::{LIMITS, REQUEST_TIMEOUT};
use crate::problem::Problem;
use crate::routes::Route;
use axum::RequestPartsExt;
use axum::body::{Body, to_bytes};
use axum::extract::{RawPathParams, Request};
use axum::http::{Method, StatusCode, header, request::Parts};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// Everything that a request says, as one object.
pub(crate) async fn read(route: &Route, request: Request) -> Result<Value, Problem> {
    let (mut parts, body) = request.into_parts();
    let mut object = match route.method {
        Method::POST => body_of(&parts, body).await?,
        _ => query_of(route, parts.uri.query().unwrap_or_default())?,
    };
    let path = parts.extract::<RawPathParams>().await;
    let path = path.map_err(|e| Problem::malformed(e.body_text()))?;
    for (key, value) in &path {
        let number = value.parse::<u64>().ok().filter(|_| key == "number").map(Value::from);
        object.insert(key.into(), number.unwrap_or_else(|| value.into()));
    }
    Ok(Value::Object(object))
}

async fn body_of(parts: &Parts, body: Body) -> Result<Map<String, Value>, Problem> {
    let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        let reason = "expected a body of type application/json";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "content-type", reason));
    }
    let read = tokio::time::timeout(REQUEST_TIMEOUT, to_bytes(body, LIMITS.body)).await;
    let read = read.map_err(|_| {
        Problem::new(StatusCode::REQUEST_TIMEOUT, "slow", "the body took too long to arrive")
    })?;
    let bytes = read.map_err(|_| {
        let reason = format!("expected at most {} bytes", LIMITS.body);
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", reason)
    })?;
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Problem::malformed("expected a JSON object")),
        Err(e) => Err(Problem::malformed(format!("expected JSON: {e}"))),
    }
}

/// Parses a query by the schema of the route.
pub(crate) fn query_of(route: &Route, query: &str) -> Result<Map<String, Value>, Problem> {
    let schema = (route.input)(&mut SchemaSettings::draft2020_12().into_generator());
    let mut object = Map::new();
    for (key, text) in form_urlencoded::parse(query.as_bytes()) {
        let property = schema.pointer(&format!("/properties/{key}"));
        let kinds = property.map_or(String::new(), |property| property["type"].to_string());
        let wrong = || Problem::malformed(format!("expected a number, found {text:?}")).of(&*key);
        if kinds.contains("array") {
            let list = object.entry(key.clone()).or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(list) = list {
                list.push(Value::String(text.into_owned()));
            }
            continue;
        }
        let value = if kinds.contains("integer") {
            text.parse::<u64>().map(Value::from).map_err(|_| wrong())?
        } else if kinds.contains("number") {
            text.parse::<f64>().map(Value::from).map_err(|_| wrong())?
        } else {
            text.clone().into_owned().into()
        };
        if object.insert(key.clone().into_owned(), value).is_some() {
            return Err(Problem::malformed("it is there twice").of(&*key));
        }
    }
    Ok(object)
}
