//! A validator for the subset of JSON schema that the server uses.

use serde_json::Value;

/// The first violation, if there is one.
pub(super) fn wrong(whole: &Value, schema: &Value, found: &Value, at: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let pointed = whole.pointer(name.trim_start_matches('#'));
        let Some(pointed) = pointed else { return Some(format!("{at}: no schema {name}")) };
        return wrong(whole, pointed, found, at);
    }
    if let Some(options) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let all: Vec<String> =
            options.iter().filter_map(|option| wrong(whole, option, found, at)).collect();
        return (all.len() == options.len()).then(|| all.join(" or "));
    }
    if let Some(known) = schema["enum"].as_array() {
        return (!known.contains(found)).then(|| format!("{at}: {found} is not among {known:?}"));
    }
    if !schema["const"].is_null() {
        return (schema["const"] != *found).then(|| format!("{at}: {found}"));
    }
    if !has_type(&schema["type"], found) {
        return Some(format!("{at}: expected {}, found {found}", schema["type"]));
    }
    wrong_inside(whole, schema, found, at)
}

fn wrong_inside(whole: &Value, schema: &Value, found: &Value, at: &str) -> Option<String> {
    if let Some(list) = found.as_array().filter(|_| schema["items"].is_object()) {
        let inside = |(i, value): (usize, &Value)| {
            wrong(whole, &schema["items"], value, &format!("{at}[{i}]"))
        };
        return list.iter().enumerate().find_map(inside);
    }
    let object = found.as_object().filter(|_| schema["properties"].is_object())?;
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let missing = required.iter().filter_map(Value::as_str).find(|key| !object.contains_key(*key));
    if let Some(key) = missing {
        return Some(format!("{at}: {key} is missing"));
    }
    object.iter().find_map(|(key, value)| match &schema["properties"][key] {
        // A field that nobody described is a description that has drifted.
        Value::Null => Some(format!("{at}: {key} is not described")),
        property => wrong(whole, property, value, &format!("{at}.{key}")),
    })
}

fn has_type(expected: &Value, found: &Value) -> bool {
    let is = |name: &str| match name {
        "null" => found.is_null(),
        "boolean" => found.is_boolean(),
        "integer" => found.is_u64() || found.is_i64(),
        "number" => found.is_number(),
        "string" => found.is_string(),
        "array" => found.is_array(),
        "object" => found.is_object(),
        _ => false,
    };
    match expected {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        _ => true,
    }
}

#[test]
fn a_document_that_differs_is_noticed() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"],
        "properties": { "a": { "type": ["integer", "null"] }, "b": { "items": { "enum": [1, 2] } } }
    });
    let reply = |found: Value| wrong(&schema, &schema, &found, "it");
    assert_eq!(reply(serde_json::json!({ "a": 1, "b": [1, 2] })), None);
    assert_eq!(reply(serde_json::json!({})).unwrap(), "it: a is missing");
    assert!(reply(serde_json::json!({ "a": "x" })).unwrap().starts_with("it.a: expected"));
    assert!(reply(serde_json::json!({ "a": null, "b": [3] })).unwrap().starts_with("it.b[0]: 3"));
    assert_eq!(reply(serde_json::json!({ "a": 1, "c": 1 })).unwrap(), "it: c is not described");
}
