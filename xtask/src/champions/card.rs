//! The card of a champion, as the chore reads and writes it.

use serde_json::Value;

/// What the chore reads of a card.
#[derive(serde::Deserialize)]
pub(super) struct Card {
    pub(super) game: String,
    pub(super) train: String,
    pub(super) seed: u64,
    pub(super) bits: u32,
    pub(super) results: Vec<Measured>,
}

/// A result by one protocol.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
pub(super) struct Measured {
    pub(super) protocol: String,
    pub(super) games: Option<u64>,
    text: String,
    figure: f64,
    low: f64,
    high: f64,
    count: u64,
}

/// What packing reports.
#[derive(serde::Deserialize)]
pub(super) struct Packed {
    weights: u64,
    bytes: u64,
    checksum: String,
    positions: u64,
    different: u64,
}

/// The command that trains the champion.
impl std::fmt::Display for Card {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} --seed {}", self.train, self.seed)
    }
}

impl Card {
    pub(super) fn parse(text: &str) -> Result<Card, String> {
        toml::from_str(text).map_err(|e| e.to_string())
    }

    /// The figures whose confidence interval has nothing in common with that of the card.
    pub(super) fn differences(
        &self,
        name: &str,
        packed: &Packed,
        found: &[Measured],
    ) -> Vec<String> {
        let apart =
            |(card, found): &(&Measured, &Measured)| found.low > card.high || found.high < card.low;
        let pairs = self.results.iter().zip(found).filter(apart);
        let wrong = pairs.map(|(card, found)| format!("{name}: {found}, but the card says {card}"));
        let wrong = wrong.collect::<Vec<_>>();
        if wrong.is_empty() {
            println!("{name}: as its card says; checksum {}", packed.checksum);
        }
        wrong
    }
}

impl Measured {
    /// The same result with the figures of a report.
    pub(super) fn with(&self, report: &Value) -> Option<Measured> {
        let figure = &report["figure"];
        let mean = figure["mean"].as_f64()?;
        let end = |name: &str| figure["interval"][name].as_f64().unwrap_or(mean);
        Some(Measured {
            text: report["text"].as_str()?.to_owned(),
            figure: mean,
            low: end("low"),
            high: end("high"),
            count: figure["count"].as_u64()?,
            ..self.clone()
        })
    }
}

impl std::fmt::Display for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Measured { protocol, figure, low, high, .. } = self;
        write!(f, "{protocol} {figure:.4} ({low:.4} to {high:.4})")
    }
}

/// The text of a card with new figures; what a person wrote stays.
pub(super) fn written(
    card: &str,
    packed: &Packed,
    cpu_seconds: f64,
    results: &[Measured],
) -> String {
    let Packed { weights, bytes, checksum, positions, different } = packed;
    let facts = [
        ("cpu-seconds", format!("{cpu_seconds:.1}")),
        ("ludens", format!("{:?}", env!("CARGO_PKG_VERSION"))),
        ("weights", weights.to_string()),
        ("bytes", bytes.to_string()),
        ("checksum", format!("{checksum:?}")),
        ("same-moves", format!("{{ positions = {positions}, different = {different} }}")),
    ];
    let head = card.split("\n[[results]]").next().unwrap_or_default();
    let line = |line: &str| {
        let fact = facts.iter().find(|(key, _)| line.starts_with(&format!("{key} = ")));
        fact.map_or(line.to_owned(), |(key, value)| format!("{key} = {value}")) + "\n"
    };
    let head: String = head.lines().map(line).collect();
    head + &results.iter().map(result_text).collect::<String>()
}

fn result_text(result: &Measured) -> String {
    let Measured { protocol, games, text, figure, low, high, count } = result;
    let games = games.map_or(String::new(), |games| format!("games = {games}\n"));
    format!(
        "\n[[results]]\nprotocol = {protocol:?}\n{games}text = {text:?}\nfigure = {figure:?}\n\
         low = {low:?}\nhigh = {high:?}\ncount = {count}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARD: &str = "# A comment.\n\ngame = \"nim\"\ntrain = \"ludens train nim\"\nseed = 1\n\
        bits = 16\ncpu-seconds = 0.0\nweights = 0\nbytes = 0\nchecksum = \"0\"\n\n[[results]]\n\
        protocol = \"max-n\"\ntext = \"\"\nfigure = 0.5\nlow = 0.4\nhigh = 0.6\ncount = 9\n";

    fn packed() -> Packed {
        let checksum = "abcd".into();
        Packed { weights: 3, bytes: 7, checksum, positions: 10, different: 1 }
    }

    #[test]
    fn a_card_keeps_what_a_person_wrote() {
        let card = Card::parse(CARD).unwrap();
        let text = written(CARD, &packed(), 1.25, &card.results);
        assert!(text.starts_with("# A comment.\n\ngame = \"nim\"\n"), "{text}");
        assert!(text.contains("cpu-seconds = 1.2\nweights = 3\nbytes = 7\nchecksum = \"abcd\"\n"));
        assert_eq!(Card::parse(&text).unwrap().results, card.results);
    }

    #[test]
    fn figures_outside_the_interval_are_reported() {
        let card = Card::parse(CARD).unwrap();
        let near = Measured { figure: 0.65, low: 0.55, high: 0.75, ..card.results[0].clone() };
        assert!(card.differences("nim", &packed(), std::slice::from_ref(&near)).is_empty());
        let far = Measured { low: 0.61, ..near };
        assert_eq!(card.differences("nim", &packed(), &[far]).len(), 1);
    }
}
