//! The error of an invalid request.

use std::fmt::Display;

/// An invalid input, such as an unknown game, setting, move or state.
///
/// The message says what was expected, what was found and which names are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid(pub String);

impl Invalid {
    /// `found` is not among the `known` names of a `kind` of thing.
    ///
    /// ```
    /// let error = ludens_core::Invalid::unknown("game", "conect4", ["connect4", "nim"]);
    /// assert_eq!(
    ///     error.to_string(),
    ///     r#"no game is called "conect4"; did you mean "connect4"? known: connect4, nim"#
    /// );
    /// ```
    pub fn unknown<'a>(
        kind: &str,
        found: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Invalid {
        let known: Vec<&str> = known.into_iter().collect();
        let hint =
            closest(found, &known).map_or(String::new(), |k| format!(" did you mean {k:?}?"));
        Invalid(format!("no {kind} is called {found:?};{hint} known: {}", known.join(", ")))
    }

    /// The same error with `what` as its subject.
    pub fn about(self, what: impl Display) -> Invalid {
        Invalid(format!("{what}: {}", self.0))
    }
}

impl Display for Invalid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Invalid {}

/// The known name that `found` most likely meant, if any is close.
pub fn closest<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    let rate = |name: &&'a str| (strsim::jaro_winkler(found, name), *name);
    let best = known.iter().map(rate).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > 0.8).then_some(best.1)
}
