//! The counts of `perft.csv`: game, depth, count, source.

use ludens_registry::open_game;

#[test]
fn every_count_is_as_published() {
    let lines = include_str!("perft.csv").lines().skip(1);
    for line in lines.filter(|line| !line.is_empty()) {
        let (game, rest) = field(line);
        let (depth, rest) = field(rest);
        let (count, _) = field(rest);
        let counted = open_game(game).unwrap().perft(depth.parse().unwrap());
        assert_eq!(counted.to_string(), count, "{line}");
    }
}

/// The first field, which may stand in quotes, and what follows it.
fn field(line: &str) -> (&str, &str) {
    match line.strip_prefix('"') {
        Some(quoted) => {
            let (inner, rest) = quoted.split_once('"').expect("a closing quote");
            (inner, rest.strip_prefix(',').unwrap_or(rest))
        }
        None => line.split_once(',').unwrap_or((line, "")),
    }
}

#[test]
fn counting_in_parts_counts_the_same_and_ends_with_all_done() {
    for depth in 0..7 {
        let (game, mut done) = (open_game("tictactoe").unwrap(), 0.0);
        assert_eq!(game.perft_with_progress(depth, &mut |share| done = share), game.perft(depth));
        assert!(depth < 3 || done == 1.0, "{done}");
    }
}
