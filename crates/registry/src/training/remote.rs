//! The binary format of games that remote actors played.
//!
//! A game is its number of moves and events, then each of them, as little-endian 32-bit words. The
//! highest bit marks events, the next one marks exploratory moves.

use ludens_core::{Event, Invalid, Move, Played};

type MoveSequence = Vec<(Played, bool)>;

const EVENT: u32 = 1 << 31;
const EXPLORED: u32 = 1 << 30;

pub(super) fn to_bytes(games: &[MoveSequence]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for game in games {
        bytes.extend((game.len() as u32).to_le_bytes());
        for &(played, explored) in game {
            let word = match played {
                Played::Move(mv) => mv.0,
                Played::Event(event) => event.0 | EVENT,
            };
            bytes.extend((word | if explored { EXPLORED } else { 0 }).to_le_bytes());
        }
    }
    bytes
}

pub(super) fn from_bytes(bytes: &[u8]) -> Result<Vec<MoveSequence>, Invalid> {
    let broken = || Invalid("the games end in the middle of one".into());
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(broken());
    }
    let mut words = words.iter().map(|word| u32::from_le_bytes(*word));
    let mut games = Vec::new();
    while let Some(length) = words.next() {
        if words.len() < length as usize {
            return Err(broken());
        }
        games.push(words.by_ref().take(length as usize).map(decode).collect());
    }
    Ok(games)
}

fn decode(word: u32) -> (Played, bool) {
    let number = word & !(EVENT | EXPLORED);
    let played =
        if word & EVENT == 0 { Played::Move(Move(number)) } else { Played::Event(Event(number)) };
    (played, word & EXPLORED != 0)
}
