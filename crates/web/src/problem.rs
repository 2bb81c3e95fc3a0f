//! Errors of requests, as JSON with a reason.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use ludens_core::Invalid;
use ludens_lab::RunError;
use schemars::JsonSchema;
use serde::Serialize;

/// The error of a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) reason: String,
    pub(crate) field: Option<String>,
}

/// The body of every refusal.
#[derive(Serialize, JsonSchema)]
#[serde(rename = "Refusal")]
pub(crate) struct ProblemBody {
    error: Detail,
}

/// What went wrong.
#[derive(Serialize, JsonSchema)]
struct Detail {
    /// One word for programs.
    code: String,
    /// A sentence for people.
    reason: String,
    /// The field of the request that is wrong, if it is one.
    field: Option<String>,
}

impl Problem {
    pub(crate) fn new(
        status: StatusCode,
        code: &'static str,
        reason: impl Into<String>,
    ) -> Problem {
        Problem { status, code, reason: reason.into(), field: None }
    }

    /// The request is invalid.
    pub(crate) fn invalid(reason: impl Into<String>) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", reason)
    }

    /// There is nothing of this name.
    pub(crate) fn unknown(reason: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "unknown", reason)
    }

    /// It cannot be done as things stand.
    pub(crate) fn conflict(reason: impl Into<String>) -> Problem {
        Problem::new(StatusCode::CONFLICT, "conflict", reason)
    }

    /// A limit is reached.
    pub(crate) fn too_many(reason: impl Into<String>) -> Problem {
        Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many", reason)
    }

    /// The request cannot be read.
    pub(crate) fn malformed(reason: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "malformed", reason)
    }

    /// The server has too much to do.
    pub(crate) fn busy(code: &'static str, reason: impl Into<String>) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, code, reason)
    }

    /// The same error, with the field that caused it.
    pub(crate) fn of(self, field: impl Into<String>) -> Problem {
        Problem { field: Some(field.into()), ..self }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Problem { status, code, reason, field } = self;
        let detail = Detail { code: code.into(), reason, field };
        let body =
            serde_json::to_vec(&ProblemBody { error: detail }).expect("texts can be written");
        let json = HeaderValue::from_static("application/json");
        let mut response = (status, [(header::CONTENT_TYPE, json)], body).into_response();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// Errors in records read "field played[3]: reason"; this splits off the field.
impl From<Invalid> for Problem {
    fn from(Invalid(reason): Invalid) -> Problem {
        let named = reason.strip_prefix("field ").and_then(|rest| rest.split_once(": "));
        match named {
            Some((field, reason)) => Problem::invalid(reason).of(field),
            None => Problem::invalid(reason),
        }
    }
}

impl From<RunError> for Problem {
    fn from(error: RunError) -> Problem {
        match error {
            RunError::Invalid(invalid) => invalid.into(),
            RunError::Stuck(_) | RunError::Cancelled => Problem::conflict(error.to_string()),
            RunError::File { error, .. } if error.kind() == std::io::ErrorKind::NotFound => {
                Problem::unknown("there is no such file yet")
            }
            RunError::File { path, error } => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let reason = format!("{name}: {error}");
                Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "file", reason)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_of_a_record_is_told_apart() {
        let problem = Problem::from(Invalid("field played[3]: not legal: a".into()));
        assert_eq!(problem.field.as_deref(), Some("played[3]"));
        assert_eq!(problem.reason, "not legal: a");
        assert_eq!(Problem::from(Invalid("no".into())).field, None);
    }
}
