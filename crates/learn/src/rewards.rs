//! Rewards as learners see them.

use ludens_core::Rewards;

/// Rewards as learners see them.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum RewardView {
    /// As the game gives them, times a factor.
    Scaled(f32),
    /// The outcome, from -1 to 1, as a chance of winning from 0 to 1; for sigmoid outputs.
    Chance,
}

impl RewardView {
    /// The rewards of all players; `over` tells whether they ended the game.
    #[inline]
    pub fn apply_all(self, rewards: Rewards, over: bool) -> Rewards {
        ludens_core::PerPlayer(rewards.0.map(|reward| self.apply(reward, over)))
    }

    /// The reward of one player.
    #[inline]
    pub fn apply(self, reward: f32, over: bool) -> f32 {
        match self {
            RewardView::Scaled(factor) => factor * reward,
            RewardView::Chance if over => (reward + 1.0) / 2.0,
            RewardView::Chance => reward,
        }
    }

    /// The expected outcome that a learned value stands for: the inverse of [`RewardView::apply`].
    pub fn outcome(self, value: f32) -> f32 {
        match self {
            RewardView::Scaled(factor) => value / factor,
            RewardView::Chance => 2.0 * value - 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Player;

    #[test]
    fn a_draw_is_half_a_win_once_it_is_over() {
        assert_eq!(RewardView::Chance.apply_all(Rewards::NONE, true).first(2), [0.5, 0.5]);
        assert_eq!(RewardView::Chance.apply_all(Rewards::NONE, false).first(2), [0.0, 0.0]);
        let won = RewardView::Chance.apply_all(Rewards::win(Player(1)), true);
        assert_eq!(won.first(2), [0.0, 1.0]);
        assert_eq!(
            RewardView::Scaled(0.5).apply_all(Rewards::win(Player(0)), true).first(2),
            [0.5, -0.5]
        );
    }

    #[test]
    fn outcomes_are_read_back() {
        assert_eq!(RewardView::Chance.outcome(0.75), 0.5);
        assert_eq!(RewardView::Scaled(0.5).outcome(0.25), 0.5);
    }
}
