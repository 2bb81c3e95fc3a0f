//! Tournaments between agents of known order.

use ludens_arena::{ContestPlan, Contestant, NoProgress, Workload, tournament};
use ludens_core::{Agent, Choice, Forfeit, Game, Move, RandomAgent, Rng, Turn};
use ludens_games::TicTacToe;

/// Wins at once if it can, in a share of its moves; else plays at random.
struct Attentive(f32, RandomAgent);

impl<G: Game> Agent<G> for Attentive {
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit> {
        let Turn::Player(me) = game.turn(state) else { unreachable!() };
        let mut legal = Vec::new();
        game.legal_moves(state, &mut legal);
        let wins = |mv: &Move| game.play(&mut state.clone(), *mv)[me] > 0.0;
        match legal.iter().copied().find(wins).filter(|_| rng.chance(self.0)) {
            Some(mv) => Ok(Choice::plain(mv)),
            None => self.1.choose(game, state, rng),
        }
    }
}

fn contestants() -> Vec<Contestant<TicTacToe>> {
    let attentive = |share| move || Attentive(share, RandomAgent::default());
    [("never", 0.0), ("often", 0.6), ("always", 1.0)]
        .map(|(name, share)| Contestant::new(name, attentive(share)))
        .into()
}

#[test]
fn the_standings_have_the_true_order_and_add_up() {
    let plan = ContestPlan { games: Some(1_000), record: true, ..ContestPlan::default() };
    let workload = |threads| Workload { threads, progress: &NoProgress };
    let play = |n| tournament(&TicTacToe, "t", &contestants(), &plan, workload(n)).unwrap();
    let (report, games) = play(1);
    assert_eq!((&report, &games), (&play(4).0, &play(4).1));
    let names: Vec<_> = report.standings.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["always", "often", "never"], "{report}");
    assert_eq!(games.len(), 3_000);
    let points: f64 = report.standings.iter().map(|p| p.points).sum();
    assert_eq!(points, 3_000.0);
    let ratings: f64 = report.standings.iter().map(|p| p.rating.elo).sum();
    assert!(ratings.abs() < 1e-6);
    let scores = (report.cross[0][2].unwrap().score(), report.cross[2][0].unwrap().score());
    assert!((scores.0 + scores.1 - 1.0).abs() < 1e-12);
}

#[test]
fn every_format_names_every_contestant() {
    let plan = ContestPlan { games: Some(100), ..ContestPlan::default() };
    let report = tournament(&TicTacToe, "t", &contestants(), &plan, Workload::default()).unwrap().0;
    let json = serde_json::to_string(&report).unwrap();
    for text in [report.to_csv(), report.to_markdown(), report.to_svg(), report.to_string(), json] {
        assert!(["never", "often", "always"].iter().all(|name| text.contains(name)), "{text}");
    }
    assert_eq!(report.to_csv().lines().count(), 4);
}

#[test]
fn too_few_and_nameless_contestants_are_refused() {
    let plan = ContestPlan::default();
    let refused = |all: &[Contestant<TicTacToe>]| {
        tournament(&TicTacToe, "t", all, &plan, Workload::default()).unwrap_err().to_string()
    };
    let all = contestants();
    assert_eq!(refused(&all[..1]), "expected at least 2 contestants, found 1");
    assert_eq!(refused(&[all[0].clone(), all[0].clone()]), "two contestants are called \"never\"");
}
