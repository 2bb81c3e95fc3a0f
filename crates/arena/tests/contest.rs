//! Contests between agents of known strength.

use ludens_arena::statistics::{Sprt, SprtVerdict};
use ludens_arena::{ContestPlan, Contestant, NoProgress, Openings, Workload, contest};
use ludens_core::{Agent, Choice, Forfeit, Game, Move, RandomAgent, Record, Rng};
use ludens_games::{Game2048, TicTacToe};

/// Wins at once if it can, else plays at random.
#[derive(Default)]
struct Opportunist(RandomAgent);

impl<G: Game> Agent<G> for Opportunist {
    fn choose(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> Result<Choice, Forfeit> {
        let ludens_core::Turn::Player(me) = game.turn(state) else { unreachable!() };
        let mut legal = Vec::new();
        game.legal_moves(state, &mut legal);
        let wins = |mv: &Move| game.play(&mut state.clone(), *mv)[me] > 0.0;
        match legal.iter().copied().find(wins) {
            Some(mv) => Ok(Choice::plain(mv)),
            None => self.0.choose(game, state, rng),
        }
    }
}

struct GivesUp;

impl<G: Game> Agent<G> for GivesUp {
    fn choose(&mut self, _: &G, _: &G::State, _: &mut Rng) -> Result<Choice, Forfeit> {
        Err(Forfeit("no idea".into()))
    }
}

fn two() -> [Contestant<TicTacToe>; 2] {
    [
        Contestant::new("opportunist", Opportunist::default),
        Contestant::new("random", RandomAgent::default),
    ]
}

fn threads(threads: usize) -> Workload<'static> {
    Workload { threads, progress: &NoProgress }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let plan = ContestPlan {
        games: Some(101),
        openings: Openings::Random(2),
        record: true,
        ..ContestPlan::default()
    };
    let play = |n| contest(&TicTacToe, "tictactoe", &two(), &plan, threads(n)).unwrap();
    assert_eq!(play(1), play(4));
    assert_eq!(play(1).0.games, 102);
}

#[test]
fn every_role_is_played_equally_often_from_the_same_openings() {
    let plan = ContestPlan {
        games: Some(200),
        openings: Openings::Random(3),
        record: true,
        ..ContestPlan::default()
    };
    let (report, results) = contest(&TicTacToe, "t", &two(), &plan, threads(1)).unwrap();
    for contestant in &report.contestants {
        assert_eq!(contestant.roles.iter().map(|r| r.games).collect::<Vec<_>>(), [100, 100]);
    }
    assert!(results.chunks(2).all(|pair| pair[0].round == pair[1].round));
    assert!(report.distinct > 190, "{}", report.distinct);
}

#[test]
fn the_better_one_scores_more_and_the_sums_agree() {
    let plan = ContestPlan { games: Some(2_000), ..ContestPlan::default() };
    let (report, _) = contest(&TicTacToe, "t", &two(), &plan, threads(2)).unwrap();
    let [a, b] = [report.contestants[0].overall, report.contestants[1].overall];
    assert_eq!((a.wins, a.draws, a.losses), (b.losses, b.draws, b.wins));
    assert!(a.win_rate.interval.unwrap().low > 0.6, "{report}");
    assert!((a.reward.mean + b.reward.mean).abs() < 1e-9);
    assert!(report.elo.unwrap().interval.unwrap().low > 100.0);
}

#[test]
fn a_sequential_test_stops_early_and_alike_for_any_number_of_threads() {
    let sprt = Some(Sprt { elo0: 0.0, elo1: 50.0, error: 0.05 });
    let plan = ContestPlan { games: Some(10_000), sprt, ..ContestPlan::default() };
    let play = |n| contest(&TicTacToe, "t", &two(), &plan, threads(n)).unwrap().0;
    let report = play(1);
    assert_eq!(report, play(3));
    assert_eq!(report.sprt.unwrap().verdict, SprtVerdict::Better);
    assert!(report.games < 1_000, "{report}");
}

#[test]
fn forfeits_are_losses_and_are_named() {
    let contestants = [two()[1].clone(), Contestant::new("quitter", || GivesUp)];
    let plan = ContestPlan { games: Some(10), ..ContestPlan::default() };
    let (report, _) = contest(&TicTacToe, "t", &contestants, &plan, threads(1)).unwrap();
    let quitter = report.contestants[1].overall;
    assert_eq!((quitter.losses, quitter.forfeits, quitter.reward.mean), (10, 10, -1.0));
    assert_eq!(report.forfeits["player 1: no idea"], 5);
}

#[test]
fn recorded_games_replay_to_their_rewards() {
    let plan = ContestPlan {
        games: Some(20),
        openings: Openings::Random(2),
        record: true,
        ..ContestPlan::default()
    };
    let (_, results) = contest(&TicTacToe, "tictactoe", &two(), &plan, threads(1)).unwrap();
    for result in results {
        let record = Record::parse(&result.record.unwrap().to_line()).unwrap();
        assert_eq!(record.replay(&TicTacToe).unwrap().rewards.first(2), result.rewards);
    }
}

#[test]
fn contests_that_cannot_be_held_are_refused() {
    let refused = |contestants: &[Contestant<TicTacToe>]| {
        let plan = ContestPlan::default();
        contest(&TicTacToe, "t", contestants, &plan, threads(1)).unwrap_err().to_string()
    };
    assert_eq!(refused(&two()[..1]), "expected 2 contestants, found 1");
}

#[test]
fn nobody_wins_alone() {
    let alone = |name| Contestant::new(name, RandomAgent::default);
    let plan = ContestPlan { games: Some(4), ..ContestPlan::default() };
    let both = [alone("one"), alone("other")];
    let (report, _) = contest(&Game2048::default(), "2048", &both, &plan, threads(1)).unwrap();
    for one in &report.contestants {
        let overall = one.overall;
        assert!(overall.games > 0 && overall.reward.mean > 0.0);
        assert_eq!((overall.wins, overall.draws, overall.losses), (0, 0, 0), "{report}");
    }
    let text = report.to_string();
    assert!(!text.contains("won") && text.contains("mean reward"), "{text}");
}

#[test]
fn intervals_of_rewards_stay_within_what_is_possible() {
    let plan = ContestPlan { games: Some(8), ..ContestPlan::default() };
    let (report, _) = contest(&TicTacToe, "t", &two(), &plan, threads(1)).unwrap();
    let roles = report.contestants.iter().flat_map(|one| one.roles.iter().chain([&one.overall]));
    for role in roles {
        let ends = role.reward.interval.unwrap();
        assert!(ends.low >= -1.0 && ends.high <= 1.0, "{report}");
    }
    assert!(report.to_string().contains("1.000]"), "the interval would reach beyond: {report}");
}
