//! Results, times and numbers in words.

use ludens_core::{Player, Rewards};
use std::time::Duration;

/// The winners, from the perspective of the humans among `players` players.
pub(crate) fn outcome(rewards: Rewards, players: usize, humans: &[Player]) -> String {
    let most = rewards.first(players).iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let best: Vec<Player> = Player::all(players).filter(|&p| rewards[p] == most).collect();
    let verdict = match (&best[..], humans) {
        _ if players == 1 => return format!("The game is over: {}.", gains(rewards, 1)),
        _ if best.len() == players => "It is a draw".into(),
        ([winner], [you]) if winner == you => "You win".into(),
        ([winner], [_]) => format!("You lose: player {winner} wins"),
        ([winner], _) => format!("Player {winner} wins"),
        (several, _) => format!("Players {} share the win", listed(several)),
    };
    let plain = players == 2 && most.abs() <= 1.0;
    if plain { format!("{verdict}.") } else { format!("{verdict}; {}.", gains(rewards, players)) }
}

/// The reward of each player.
pub(crate) fn gains(rewards: Rewards, players: usize) -> String {
    let gain = |player| format!("player {player} gained {}", rewards[player]);
    Player::all(players).map(gain).collect::<Vec<_>>().join(", ")
}

fn listed(players: &[Player]) -> String {
    players.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
}

/// A time as people say it: `12 ms`, `3.21 s`, `2 min 5 s`.
pub(crate) fn time(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{:.1} ms", time.as_secs_f64() * 1e3),
        1..60 => format!("{:.2} s", time.as_secs_f64()),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

/// `count` in `time`, per second, to three digits: `12.3 M`. A dash if the time is too short.
pub(crate) fn per_second(count: u64, time: Duration) -> String {
    if time < Duration::from_micros(50) {
        return "-".into();
    }
    let rate = count as f64 / time.as_secs_f64();
    let (scaled, unit) = match rate {
        1e9.. => (rate / 1e9, " G"),
        1e6.. => (rate / 1e6, " M"),
        1e3.. => (rate / 1e3, " k"),
        _ => (rate, ""),
    };
    let digits = if scaled < 10.0 { 2 } else { usize::from(scaled < 100.0) };
    format!("{scaled:.digits$}{unit}")
}

/// Seconds as people guess: `5 s`, `3 min`, `2 h`.
pub(crate) fn rough_time(seconds: f64) -> String {
    match seconds {
        ..1.0 => "a second".into(),
        ..100.0 => format!("{seconds:.0} s"),
        ..6_000.0 => format!("{:.0} min", seconds / 60.0),
        ..360_000.0 => format!("{:.0} h", seconds / 3_600.0),
        _ => format!("{:.0} days", seconds / 86_400.0),
    }
}

/// Bytes to three digits: `12.3 MB`.
pub(crate) fn bytes(count: u64) -> String {
    let (scaled, unit) = match count {
        1_000_000_000.. => (count as f64 / 1e9, "GB"),
        1_000_000.. => (count as f64 / 1e6, "MB"),
        1_000.. => (count as f64 / 1e3, "kB"),
        _ => return format!("{count} bytes"),
    };
    let digits = if scaled < 10.0 { 2 } else { usize::from(scaled < 100.0) };
    format!("{scaled:.digits$} {unit}")
}

/// Yes or no.
pub(crate) fn yes_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::PerPlayer;

    const ONE: Player = Player(0);
    const TWO: Player = Player(1);

    #[test]
    fn the_outcome_is_told_to_the_one_who_plays() {
        let won = Rewards::win(ONE);
        assert_eq!(outcome(won, 2, &[ONE]), "You win.");
        assert_eq!(outcome(won, 2, &[TWO]), "You lose: player 1 wins.");
        assert_eq!(outcome(won, 2, &[ONE, TWO]), "Player 1 wins.");
        assert_eq!(outcome(Rewards::NONE, 2, &[ONE]), "It is a draw.");
    }

    #[test]
    fn other_numbers_of_players_and_unusual_gains_are_told() {
        let three = PerPlayer([0.0, 1.0, 1.0, 0.0]);
        assert_eq!(
            outcome(three, 3, &[ONE]),
            "Players 2 and 3 share the win; \
             player 1 gained 0, player 2 gained 1, player 3 gained 1."
        );
        let score = Rewards::only(ONE, 1234.0);
        assert_eq!(outcome(score, 1, &[ONE]), "The game is over: player 1 gained 1234.");
        assert_eq!(
            outcome(Rewards::zero_sum(ONE, 12.0), 2, &[ONE]),
            "You win; player 1 gained 12, player 2 gained -12."
        );
    }

    #[test]
    fn times_and_rates_keep_three_digits() {
        assert_eq!(time(Duration::from_micros(1234)), "1.2 ms");
        assert_eq!(time(Duration::from_millis(3214)), "3.21 s");
        assert_eq!(time(Duration::from_secs(125)), "2 min 5 s");
        assert_eq!(per_second(24_600, Duration::from_millis(2)), "12.3 M");
        assert_eq!(per_second(5, Duration::from_secs(2)), "2.50");
        assert_eq!(per_second(5, Duration::from_micros(2)), "-");
        assert_eq!(
            [0.2, 42.0, 185.0, 7_300.0, 1e6].map(rough_time).join(", "),
            "a second, 42 s, 3 min, 2 h, 12 days"
        );
        assert_eq!([7, 1_234, 36_700_000].map(bytes).join(", "), "7 bytes, 1.23 kB, 36.7 MB");
    }
}
