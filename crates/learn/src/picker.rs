//! Picking moves by a value.

use crate::search::rate_by_search;
use crate::{Explore, Rated, Value};
use ludens_core::{CellBoard, Choice, Game, Move, Player, Rng};

/// Picks moves by a value; holds the buffers that this takes.
#[derive(Clone, Debug)]
pub struct Picker {
    /// How many moves ahead it looks; one is the move itself.
    depth: u32,
    legal: Vec<Move>,
    rated: Vec<Rated>,
}

impl Default for Picker {
    fn default() -> Picker {
        Picker::new(1)
    }
}

impl Picker {
    /// Looks `depth` moves ahead, the move itself included; more than one only for values that tell
    /// the first player's gain.
    pub fn new(depth: u32) -> Picker {
        Picker { depth, legal: Vec::new(), rated: Vec::new() }
    }

    /// How many moves ahead it looks.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// Picks a move for `player` in `state`.
    #[inline]
    pub fn choose<G: CellBoard>(
        &mut self,
        value: &mut Value<G>,
        game: &G,
        state: &G::State,
        player: Player,
        explore: Explore,
        rng: &mut Rng,
    ) -> Choice {
        if explore.draws_blindly(rng) {
            let mv = game.random_move(state, rng, &mut self.legal);
            return Choice { mv, value: None, explored: true };
        }
        if matches!(explore, Explore::Epsilon { .. })
            && self.depth == 1
            && let Some(choice) = value
                .choose_foreseen(state, player, rng)
                .or_else(|| value.choose_known(game, state, player, rng))
        {
            return choice;
        }
        self.rate(value, game, state, player);
        explore.pick(&mut self.rated, rng)
    }

    /// Has `value` fetch what it will need to rate the moves of `player` in `state`.
    #[inline(always)]
    pub fn foresee<G: CellBoard>(
        &mut self,
        value: &mut Value<G>,
        game: &G,
        state: &G::State,
        player: Player,
    ) {
        if self.depth == 1 {
            value.foresee(game, state, player, &mut self.legal);
        }
    }

    /// Rates all legal moves of `player` in `state`.
    pub fn rate<G: CellBoard>(
        &mut self,
        value: &mut Value<G>,
        game: &G,
        state: &G::State,
        player: Player,
    ) -> &mut [Rated] {
        if self.depth > 1 {
            self.legal.clear();
            game.legal_moves(state, &mut self.legal);
            let (legal, rated) = (&self.legal, &mut self.rated);
            rate_by_search(value, game, state, player, legal, self.depth, rated);
        } else {
            value.rate_all(game, state, player, &mut self.legal, &mut self.rated);
        }
        &mut self.rated
    }
}

/// The player whose move led to `state`, if players take turns, and nothing is left to chance; the
/// first player where nobody ever moves.
pub(crate) fn player_before<G: Game>(game: &G, state: &G::State) -> Option<Player> {
    let players = game.num_players();
    match game.turn(state) {
        _ if game.num_moves() == 0 => Some(Player(0)),
        ludens_core::Turn::Player(player) if !game.has_chance() => {
            Some(player.after(players - 1, players))
        }
        _ => None,
    }
}
