//! Who plays for whom in a live game.

use ludens_core::{Player, Turn};
use ludens_registry::open_game;

#[test]
fn seated_agents_play_a_live_game_to_its_end() {
    let mut live = open_game("tictactoe").unwrap().live(1);
    live.seat(Player(0), "maxn:depth=9").unwrap();
    live.seat(Player(1), "alphabeta:depth=9").unwrap();
    while live.turn() != Turn::Over {
        assert_eq!(live.move_values().unwrap().len(), live.legal().len());
        let advice = live.choose().unwrap();
        live.play(&advice.text).unwrap();
    }
    assert_eq!(live.rewards().first(2), [0.0, 0.0]);
    assert_eq!(live.choose().unwrap_err().to_string(), "the game is over");
}

#[test]
fn empty_seats_and_missing_players_are_explained() {
    let mut live = open_game("tictactoe").unwrap().live(1);
    assert_eq!(live.choose().unwrap_err().to_string(), "nobody plays for player 1");
    let refused = live.seat(Player(2), "random").unwrap_err();
    assert_eq!(refused.to_string(), "there is no player 3; there are 2");
}
