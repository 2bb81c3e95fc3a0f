//! The description of the server, built from the table of its routes.

use crate::app_state::AppState;
use crate::problem::{Problem, ProblemBody};
use crate::route_table::table;
use crate::routes::{NoInput, Reply, Route};
use axum::http::Method;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use std::sync::{Arc, LazyLock};

/// It never changes while the server runs.
static DESCRIPTION: LazyLock<Value> = LazyLock::new(describe);

/// `GET /api/openapi.json`
pub(crate) fn openapi(_: &Arc<AppState>, _: NoInput) -> Result<Value, Problem> {
    Ok(DESCRIPTION.clone())
}

fn describe() -> Value {
    let settings = SchemaSettings::draft2020_12();
    let settings = settings.with(|s| s.definitions_path = "/components/schemas".into());
    let mut schemas = settings.into_generator();
    let refusal = schemas.subschema_for::<ProblemBody>();
    let mut paths = Map::new();
    for route in &table().0 {
        let path = paths.entry(route.path.replace("{*", "{")).or_insert_with(|| json!({}));
        let method = route.method.as_str().to_ascii_lowercase();
        path[method] = operation(route, &mut schemas);
    }
    let definitions = schemas.take_definitions(true);
    let failure = json!({
        "description": "Why it cannot be answered.",
        "content": { "application/json": { "schema": refusal } },
    });
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Ludens",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Play board games, look inside, and watch them being learned.",
        },
        "paths": paths,
        "components": { "schemas": definitions, "responses": { "Refusal": failure } },
    })
}

fn operation(route: &Route, schemas: &mut SchemaGenerator) -> Value {
    let input = (route.input)(schemas).to_value();
    let required = input["required"].as_array().cloned().unwrap_or_default();
    let (mut parameters, mut body) = (Vec::new(), input.clone());
    for (key, schema) in input["properties"].as_object().into_iter().flatten() {
        let in_path = route.path.contains(&format!("{{{key}}}"))
            || route.path.contains(&format!("{{*{key}}}"));
        if !in_path && route.method == Method::POST {
            continue;
        }
        let place = if in_path { "path" } else { "query" };
        let must = in_path || required.contains(&json!(key));
        parameters.push(json!({ "name": key, "in": place, "required": must, "schema": schema }));
        if let Some(properties) = body["properties"].as_object_mut() {
            properties.remove(key);
        }
        if let Some(required) = body["required"].as_array_mut() {
            required.retain(|name| name != key);
        }
    }
    let mut operation = json!({
        "summary": route.about,
        "parameters": parameters,
        "responses": {
            route.status.as_str(): reply(route, schemas),
            "default": { "$ref": "#/components/responses/Refusal" },
        },
    });
    if route.method == Method::POST {
        let content = json!({ "application/json": { "schema": body } });
        operation["requestBody"] = json!({ "required": true, "content": content });
    }
    operation
}

fn reply(route: &Route, schemas: &mut SchemaGenerator) -> Value {
    let content = match route.reply {
        Reply::Json(schema) => json!({ "application/json": { "schema": schema(schemas) } }),
        Reply::Picture => json!({ "image/svg+xml": {} }),
        Reply::Events => json!({ "text/event-stream": {} }),
        Reply::Nothing => return json!({ "description": "Done." }),
    };
    json!({ "description": "The answer.", "content": content })
}
