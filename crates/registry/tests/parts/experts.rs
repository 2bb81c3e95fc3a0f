//! Experts sit down to the games they know.

use ludens_core::{Game, Rng};
use ludens_games::TicTacToe;
use ludens_registry::{Hooks, open_agent, open_game};

#[test]
fn the_perfect_player_sees_a_draw() {
    let mut agent = open_agent("perfect", &TicTacToe, &Hooks::NONE).unwrap();
    let choice = agent.choose(&TicTacToe, &TicTacToe.start(), &mut Rng::seeded(1)).unwrap();
    assert_eq!(choice.value, Some(0.0));
}

#[test]
fn experts_sit_down_to_their_games_only() {
    let seat = |game: &str, agent: &str| {
        let mut live = open_game(game).unwrap().live(1);
        live.seat(ludens_core::Player(0), agent).map_err(|e| e.to_string())
    };
    for game in ["tictactoe", "nim", "nim:players=3", "nimm3", "connect4"] {
        assert_eq!(seat(game, "perfect"), Ok(()), "{game}");
    }
    assert_eq!((seat("othello", "bench"), seat("othello", "heur")), (Ok(()), Ok(())));
    assert!(seat("othello", "perfect").unwrap_err().contains("solved are connect4"));
    for agent in ["ab", "ab-dl", "solver", "thill"] {
        assert_eq!(seat("connect4", agent), Ok(()), "{agent}");
        assert!(seat("nim", agent).unwrap_err().contains("plays connect4, not nim"));
    }
    assert!(seat("nim", "bench").unwrap_err().contains("plays othello, not nim"));
    let large = seat("nim:heaps=6,size=20,players=3", "perfect").unwrap_err();
    assert!(large.contains("too many"), "{large}");
}
