//! Players, and values of which each player has one.

use std::ops::{Add, AddAssign, Index, IndexMut};

/// The largest number of players a game may have.
pub const MAX_PLAYERS: usize = 4;

/// A seat at the board, counted from zero in turn order.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(pub u8);

impl Player {
    /// The number of this player as an index.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The other of two players.
    #[inline]
    pub fn other(self) -> Player {
        Player(1 - self.0)
    }

    /// The player who is `places` further in turn order, of `players`.
    #[inline]
    pub fn after(self, places: usize, players: usize) -> Player {
        let place = self.index() + places;
        // Nearly always one round is enough, and a division takes longer than all the rest.
        let place = if place < players { place } else { place - players };
        Player(if place < players { place } else { place % players } as u8)
    }

    /// All players of a game of `players`, in turn order.
    pub fn all(players: usize) -> impl DoubleEndedIterator<Item = Player> + Clone {
        (0..players as u8).map(Player)
    }
}

/// Players are shown by their number, counted from one.
impl std::fmt::Display for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// One value for each player, without allocation.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PerPlayer<T>(pub [T; MAX_PLAYERS]);

impl<T> Index<Player> for PerPlayer<T> {
    type Output = T;
    #[inline]
    fn index(&self, player: Player) -> &T {
        &self.0[player.index()]
    }
}

impl<T> IndexMut<Player> for PerPlayer<T> {
    #[inline]
    fn index_mut(&mut self, player: Player) -> &mut T {
        &mut self.0[player.index()]
    }
}

/// The rewards of all players for one move or event.
pub type Rewards = PerPlayer<f32>;

impl Rewards {
    /// Zero for every player.
    pub const NONE: Rewards = PerPlayer([0.0; MAX_PLAYERS]);

    /// `winner` gains one, the other of two players loses one.
    #[inline]
    pub fn win(winner: Player) -> Rewards {
        Rewards::zero_sum(winner, 1.0)
    }

    /// `player` gains `amount`, the other of two players loses it.
    #[inline]
    pub fn zero_sum(player: Player, amount: f32) -> Rewards {
        let mut rewards = Rewards::NONE;
        rewards[player] = amount;
        rewards[player.other()] = -amount;
        rewards
    }

    /// Only `player` gains, and gains `amount`.
    #[inline]
    pub fn only(player: Player, amount: f32) -> Rewards {
        let mut rewards = Rewards::NONE;
        rewards[player] = amount;
        rewards
    }

    /// The rewards of the first `players` players.
    pub fn first(&self, players: usize) -> &[f32] {
        &self.0[..players]
    }
}

impl Add for Rewards {
    type Output = Rewards;
    #[inline]
    fn add(mut self, more: Rewards) -> Rewards {
        self += more;
        self
    }
}

impl AddAssign for Rewards {
    #[inline]
    fn add_assign(&mut self, more: Rewards) {
        for (sum, gain) in self.0.iter_mut().zip(more.0) {
            *sum += gain;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_sit_in_a_circle() {
        assert_eq!(Player(2).after(2, 3), Player(1));
        assert_eq!(Player::all(3).collect::<Vec<_>>(), [Player(0), Player(1), Player(2)]);
        assert_eq!(Player(0).to_string(), "1");
    }

    #[test]
    fn what_one_of_two_wins_the_other_loses() {
        assert_eq!(Rewards::win(Player(1)).first(2), [-1.0, 1.0]);
        assert_eq!((Rewards::win(Player(0)) + Rewards::win(Player(1))).first(2), [0.0, 0.0]);
    }
}
