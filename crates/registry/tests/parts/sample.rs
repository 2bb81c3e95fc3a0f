//! States met in random games.

use ludens_registry::Part;
use ludens_registry::{GAMES, open_game};

#[test]
fn every_game_does_its_parts_the_same_again() {
    for entry in GAMES {
        let game = open_game(entry.name).unwrap();
        let mut sample = game.sample(50, 1);
        for part in Part::ALL {
            assert_eq!(sample.run(part), sample.run(part), "{} {}", entry.name, part.name());
        }
        let playing = sample.size(Part::LegalMoves) > 0 && sample.run(Part::LegalMoves) > 0;
        assert!(playing || entry.name == "random-walk", "{}", entry.name);
    }
}
