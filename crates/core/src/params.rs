//! Settings written as text: `name` or `name:key=value,key=value`.

mod setting;

pub use setting::{Chosen, Kind, Setting};

use crate::Invalid;
use std::fmt::Display;

/// A name and the settings that follow it.
///
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
        let text = text.trim();
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let named =
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !named {
            return Err(Invalid(format!("expected name or name:key=value,..., found {text:?}")));
        }
        let pairs = pieces(rest).map_err(|e| e.about(format_args!("{text:?}")))?;
        Ok(Params { name: name.into(), pairs: pairs.into_iter().map(pair).collect() })
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

/// Splits at the commas outside brackets.
fn pieces(text: &str) -> Result<Vec<&str>, Invalid> {
    let (mut pieces, mut depth, mut from) = (Vec::new(), 0u32, 0);
    for (i, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth = depth.checked_sub(1).ok_or_else(|| Invalid("a \")\" too many".into()))?;
            }
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

fn pair(piece: &str) -> (String, String) {
    let is_key = |key: &str| !key.trim().is_empty() && !key.contains(['(', ')']);
    let (key, value) = match piece.split_once('=') {
        Some((key, value)) if is_key(key) => (key.trim(), value.trim()),
        _ => ("", piece),
    };
    (key.into(), unbracketed(value).into())
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
}
