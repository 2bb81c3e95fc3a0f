//! The table of routes, from which both the server and its description are built.

use crate::app_state::AppState;
use crate::event_stream::EventSource;
use crate::problem::Problem;
use axum::http::{Method, StatusCode};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;

/// A route of the API.
pub(crate) struct Route {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    /// A description in one sentence.
    pub(crate) about: &'static str,
    pub(crate) status: StatusCode,
    pub(crate) reply: Reply,
    /// Whether agents search; such requests use a separate queue.
    pub(crate) deep: bool,
    /// The schema of what is read from path, query and body.
    pub(crate) input: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) handler: Handler,
}

/// Handles a request, given as one JSON object.
type Handler = Box<dyn Fn(&Arc<AppState>, Value) -> RouteResult + Send + Sync>;

/// The output of a route, or its error.
type RouteResult = Result<RouteOutput, Problem>;

/// The type of a response.
#[derive(Copy, Clone)]
pub(crate) enum Reply {
    Json(fn(&mut SchemaGenerator) -> Schema),
    Picture,
    Events,
    Nothing,
}

/// An answer.
pub(crate) enum RouteOutput {
    Json(Vec<u8>),
    Picture(ImageReply),
    Events(Box<dyn EventSource>),
    Nothing,
}

/// A picture and its type.
pub(crate) struct ImageReply {
    pub(crate) kind: &'static str,
    pub(crate) content: Vec<u8>,
}

impl ImageReply {
    pub(crate) fn svg(text: impl Into<Vec<u8>>) -> ImageReply {
        ImageReply { kind: "image/svg+xml", content: text.into() }
    }
}

/// All routes, in order.
#[derive(Default)]
pub(crate) struct RouteTable(pub(crate) Vec<Route>);

/// The function that implements a route.
type RouteFunction<I, R> = fn(&Arc<AppState>, I) -> Result<R, Problem>;

impl RouteTable {
    /// Answers with JSON and changes nothing.
    pub(crate) fn get<I: Input, R: Serialize + JsonSchema + 'static>(
        self,
        path: &'static str,
        about: &'static str,
        answer: RouteFunction<I, R>,
    ) -> RouteTable {
        self.json(Method::GET, path, about, answer)
    }

    /// Reads a body and answers with JSON.
    pub(crate) fn post<I: Input, R: Serialize + JsonSchema + 'static>(
        self,
        path: &'static str,
        about: &'static str,
        answer: RouteFunction<I, R>,
    ) -> RouteTable {
        self.json(Method::POST, path, about, answer)
    }

    fn json<I: Input, R: Serialize + JsonSchema + 'static>(
        self,
        method: Method,
        path: &'static str,
        about: &'static str,
        answer: RouteFunction<I, R>,
    ) -> RouteTable {
        let reply = Reply::Json(SchemaGenerator::subschema_for::<R>);
        self.route::<I>(method, path, about, reply, move |app, input| {
            let reply = answer(app, read(input)?)?;
            Ok(RouteOutput::Json(serde_json::to_vec(&reply).expect("what is told can be written")))
        })
    }

    /// Answers with a picture.
    pub(crate) fn picture<I: Input>(
        self,
        path: &'static str,
        about: &'static str,
        answer: RouteFunction<I, ImageReply>,
    ) -> RouteTable {
        self.route::<I>(Method::GET, path, about, Reply::Picture, move |app, input| {
            answer(app, read(input)?).map(RouteOutput::Picture)
        })
    }

    /// Answers with a stream of events.
    pub(crate) fn events<I: Input>(
        self,
        path: &'static str,
        about: &'static str,
        answer: RouteFunction<I, Box<dyn EventSource>>,
    ) -> RouteTable {
        self.route::<I>(Method::GET, path, about, Reply::Events, move |app, input| {
            answer(app, read(input)?).map(RouteOutput::Events)
        })
    }

    /// Removes something.
    pub(crate) fn delete<I: Input>(
        self,
        path: &'static str,
        about: &'static str,
        answer: RouteFunction<I, ()>,
    ) -> RouteTable {
        let nothing = StatusCode::NO_CONTENT;
        self.route::<I>(Method::DELETE, path, about, Reply::Nothing, move |app, input| {
            answer(app, read(input)?).map(|()| RouteOutput::Nothing)
        })
        .status(nothing)
    }

    fn route<I: Input>(
        mut self,
        method: Method,
        path: &'static str,
        about: &'static str,
        reply: Reply,
        handler: impl Fn(&Arc<AppState>, Value) -> RouteResult + Send + Sync + 'static,
    ) -> RouteTable {
        let input: fn(&mut SchemaGenerator) -> Schema = I::json_schema;
        let (status, deep, handler) = (StatusCode::OK, false, Box::new(handler));
        self.0.push(Route { method, path, about, status, reply, deep, input, handler });
        self
    }

    /// The last route answers with this status.
    pub(crate) fn status(mut self, status: StatusCode) -> RouteTable {
        self.last().status = status;
        self
    }

    /// Marks the last route as one in which agents search.
    pub(crate) fn deep(mut self) -> RouteTable {
        self.last().deep = true;
        self
    }

    fn last(&mut self) -> &mut Route {
        self.0.last_mut().expect("a route has been added")
    }
}

/// A request type, read from path, query and body.
pub(crate) trait Input: DeserializeOwned + JsonSchema + 'static {}

impl<T: DeserializeOwned + JsonSchema + 'static> Input for T {}

fn read<I: Input>(input: Value) -> Result<I, Problem> {
    serde_path_to_error::deserialize(input).map_err(|e| {
        let path = e.path().to_string();
        let problem = Problem::invalid(e.into_inner().to_string());
        if path == "." { problem } else { problem.of(path) }
    })
}

/// Nothing is asked but the question itself.
#[derive(serde::Deserialize, JsonSchema)]
#[serde(rename = "Plain", deny_unknown_fields)]
pub(crate) struct NoInput {}
