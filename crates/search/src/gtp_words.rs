//! The words of the Go Text Protocol, which both sides of it translate.

use ludens_core::Player;

/// The GTP colour of a player: black moves first.
pub fn colour(player: Player) -> &'static str {
    if player.0 == 0 { "black" } else { "white" }
}

/// The player that `text` names, if it names one.
pub fn player(text: &str) -> Option<Player> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Player(0)),
        "w" | "white" => Some(Player(1)),
        _ => None,
    }
}

/// The possible readings of a GTP move in our notation, likeliest first: unchanged, or with the
/// letter of a column as its number.
pub fn readings(text: &str) -> impl Iterator<Item = String> {
    let letter = text.bytes().next().filter(u8::is_ascii_alphabetic);
    let column = letter.map(|letter| (letter.to_ascii_lowercase() - b'a' + 1).to_string());
    [text.to_owned()].into_iter().chain(column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_may_be_letters() {
        assert_eq!(readings("D").collect::<Vec<_>>(), ["D", "4"]);
        assert_eq!(readings("c4").collect::<Vec<_>>(), ["c4", "3"]);
        assert_eq!(readings("4").collect::<Vec<_>>(), ["4"]);
    }

    #[test]
    fn players_are_named_in_full_or_by_a_letter() {
        assert_eq!(
            (player("B"), player("white"), player("x")),
            (Some(Player(0)), Some(Player(1)), None)
        );
    }
}
