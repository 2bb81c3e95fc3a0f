//! Settings written as text: `name` or `name:key=value,key=value`.

mod setting;

pub use setting::{Chosen, Kind, Setting};

use crate::Invalid;
use std::fmt::Display;

/// A name and the settings that follow it.
///
/// A text has at most [`Params::MAX_LENGTH`] bytes and nests at most [`Params::MAX_NESTING`] deep,
/// so that whatever follows the nesting, such as opening an agent inside another, is bounded too.
/// Values that contain commas need brackets, which may nest:
///
/// ```
/// use ludens_core::Params;
/// let params: Params = "decay:p=0.3,agent=(mcts:iterations=100,c=1)".parse().unwrap();
/// assert_eq!(params.name, "decay");
/// assert_eq!(params.get("agent"), Some("mcts:iterations=100,c=1"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Params {
    /// The text before the colon.
    pub name: String,
    /// Key and value, in the order written. A value without a key has the empty key.
    pub pairs: Vec<(String, String)>,
}

impl Params {
    /// The longest text that is read, in bytes.
    pub const MAX_LENGTH: usize = 8192;

    /// The most names inside each other, and the most brackets.
    pub const MAX_NESTING: usize = 16;

    /// The value written for `key`.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    /// Checks every pair against the settings of the named game or agent.
    ///
    /// # Errors
    ///
    /// On unknown and repeated keys, and on values that are not allowed.
    pub fn check(&self, settings: &'static [Setting]) -> Result<Chosen, Invalid> {
        Chosen::new(self, settings)
    }
}

impl std::str::FromStr for Params {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Params, Invalid> {
        check_length(text)?;
        let text = text.trim();
        let (name, pairs) = split(text)?;
        check_nesting(&pairs)?;
        let owned = |(key, value): (&str, &str)| (key.into(), value.into());
        Ok(Params { name: name.into(), pairs: pairs.into_iter().map(owned).collect() })
    }
}

impl Display for Params {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.pairs.iter().enumerate() {
            f.write_str(if i == 0 { ":" } else { "," })?;
            if !key.is_empty() {
                write!(f, "{key}=")?;
            }
            let unseen = value.trim() != value || value.is_empty() && key.is_empty();
            let nests = unseen || value.contains([',', '(', ')', '=']);
            if nests { write!(f, "({value})")? } else { f.write_str(value)? }
        }
        Ok(())
    }
}

/// A key and a value, as written.
type TextPair<'a> = (&'a str, &'a str);

/// The name and the pairs of a text.
fn split(text: &str) -> Result<(&str, Vec<TextPair<'_>>), Invalid> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let named = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if !named {
        return Err(Invalid(format!("expected name or name:key=value,..., found {text:?}")));
    }
    let pairs = pieces(rest).map_err(|e| e.about(format_args!("{text:?}")))?;
    Ok((name, pairs.into_iter().map(pair).collect()))
}

fn check_length(text: &str) -> Result<(), Invalid> {
    if text.len() <= Params::MAX_LENGTH {
        return Ok(());
    }
    let (found, most) = (text.len(), Params::MAX_LENGTH);
    let begins: String = text.chars().take(30).collect();
    Err(Invalid(format!("expected at most {most} bytes, found {found}: \"{begins}...\"")))
}

/// Refuses values that nest too deep. Goes level by level, because recursion is what it prevents.
fn check_nesting(pairs: &[(&str, &str)]) -> Result<(), Invalid> {
    let mut level: Vec<&str> = pairs.iter().map(|(_, value)| *value).collect();
    for _ in 1..Params::MAX_NESTING {
        let inside = level.iter().filter(|value| value.contains(':')).filter_map(|v| split(v).ok());
        level = inside.flat_map(|(_, pairs)| pairs).map(|(_, value)| value).collect();
    }
    if level.iter().all(|value| !value.contains(':') || split(value).is_err()) {
        return Ok(());
    }
    Err(too_deep("name:key=value"))
}

fn too_deep(what: &str) -> Invalid {
    Invalid(format!("expected {what} at most {} deep, found more", Params::MAX_NESTING))
}

/// Splits at the commas outside brackets.
fn pieces(text: &str) -> Result<Vec<&str>, Invalid> {
    let (mut pieces, mut depth, mut from) = (Vec::new(), 0, 0);
    for (i, byte) in text.bytes().enumerate() {
        match byte {
            b'(' if depth == Params::MAX_NESTING => return Err(too_deep("brackets")),
            b'(' => depth += 1,
            b')' if depth == 0 => return Err(Invalid("a \")\" too many".into())),
            b')' => depth -= 1,
            b',' if depth == 0 => {
                pieces.push(&text[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err(Invalid("a \"(\" is never closed".into()));
    }
    pieces.push(&text[from..]);
    Ok(pieces.into_iter().map(str::trim).filter(|piece| !piece.is_empty()).collect())
}

fn pair(piece: &str) -> (&str, &str) {
    let is_key = |key: &str| !key.trim().is_empty() && !key.contains(['(', ')']);
    let (key, value) = match piece.split_once('=') {
        Some((key, value)) if is_key(key) => (key.trim(), value.trim()),
        _ => ("", piece),
    };
    (key, unbracketed(value))
}

/// `value` without the pair of brackets around the whole of it, if there is one.
fn unbracketed(value: &str) -> &str {
    let Some(inner) = value.strip_prefix('(').and_then(|v| v.strip_suffix(')')) else {
        return value;
    };
    if pieces(inner).is_ok() { inner } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Params {
        text.parse().unwrap()
    }

    #[test]
    fn a_name_may_stand_alone() {
        assert_eq!(parsed("tictactoe"), Params { name: "tictactoe".into(), pairs: vec![] });
        assert_eq!(parsed("tictactoe:"), parsed("tictactoe"));
    }

    #[test]
    fn a_value_may_stand_without_a_key() {
        assert_eq!(parsed("greedy:runs/a.st").pairs, [(String::new(), "runs/a.st".into())]);
    }

    #[test]
    fn odd_values_are_read_back_as_written() {
        for text in ["a:=", "a:()", "a:(=b)", "a:b=", "a:( b )", "a:((b))", "a:(b)(c)", "a:b:c"] {
            assert_eq!(parsed(&parsed(text).to_string()), parsed(text), "{text}");
        }
    }

    #[test]
    fn brackets_protect_commas_and_nest() {
        let nested = parsed("decay:agent=(epsilon:p=1,agent=(mcts:c=1,n=2)),p=0.5");
        assert_eq!(nested.get("agent"), Some("epsilon:p=1,agent=(mcts:c=1,n=2)"));
        assert_eq!(nested.get("p"), Some("0.5"));
        assert_eq!(parsed(&nested.to_string()), nested);
    }

    #[test]
    fn broken_texts_are_refused_with_the_reason() {
        let message = |text: &str| text.parse::<Params>().unwrap_err().to_string();
        assert_eq!(message(""), "expected name or name:key=value,..., found \"\"");
        assert!(message("a b").contains("expected name"));
        assert!(message("a:b=(c").contains("never closed"));
        assert!(message("a:b=c)").contains("too many"));
    }

    #[test]
    fn a_text_nests_only_so_deep_with_brackets_or_without() {
        let wrapped = |depth: usize, open: &str, close: &str| {
            let text = format!("{}random{}", open.repeat(depth), close.repeat(depth));
            text.parse::<Params>()
        };
        for (open, close) in [("decay:agent=(", ")"), ("decay:agent=", ""), ("decay:", "")] {
            assert!(wrapped(Params::MAX_NESTING, open, close).is_ok(), "{open}");
            let refused = wrapped(Params::MAX_NESTING + 1, open, close).unwrap_err();
            assert!(refused.to_string().contains("at most 16 deep"), "{open}: {refused}");
        }
        assert!("a:((((((((((((((((((b))))))))))))))))))".parse::<Params>().is_err());
    }

    #[test]
    fn what_is_too_long_is_refused_without_repeating_it() {
        for text in ["a".repeat(1 << 20), format!("a:b={}", "(".repeat(1 << 20))] {
            let refused = text.parse::<Params>().unwrap_err().to_string();
            assert!(refused.starts_with("expected at most 8192 bytes"), "{refused}");
            assert!(refused.len() < 200);
        }
        assert!(format!("a:{}", "b".repeat(8190)).parse::<Params>().is_ok());
    }
}
