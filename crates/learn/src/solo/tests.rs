mod short;

use super::*;
use crate::{Config, Learner, Scout, Seat, Step, build_learner, play_episode};
use ludens_core::{Choice, Notation};
use ludens_games::Game2048;
use short::Short;

/// A learner that does not play on by itself.
struct MoveByMove<G: CellBoard>(Box<dyn Learner<G>>);

impl<G: CellBoard> Learner<G> for MoveByMove<G> {
    fn begin(&mut self, game: &G, state: &G::State) {
        self.0.begin(game, state);
    }

    fn choose(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        explore: Explore,
        rng: &mut Rng,
    ) -> Choice {
        self.0.choose(game, state, player, explore, rng)
    }

    fn observe(&mut self, game: &G, step: &Step<'_, G::State>) {
        self.0.observe(game, step);
    }

    fn end(&mut self, game: &G, rewards: Rewards) {
        self.0.end(game, rewards);
    }

    fn value(&mut self) -> &mut Value<G> {
        self.0.value()
    }
}

const FOUR: &str = "[[0, 1, 2, 4, 5], [1, 2, 5, 6, 9], [0, 1, 5, 6, 7], [4, 5, 6, 9, 10]]";
const EIGHT: &str = "[[0, 1, 2, 4, 5], [1, 2, 5, 6, 9], [0, 1, 5, 6, 7], [4, 5, 6, 9, 10], \
    [0, 1, 2, 3, 4], [1, 2, 3, 5, 7], [5, 6, 9, 10, 11], [2, 3, 6, 7, 11]]";
const ONE: &str = "[[0, 1, 2, 4, 5, 6]]";

fn learner<G: Notation + Default>(text: &str) -> Box<dyn Learner<G>> {
    let config =
        format!("game = \"2048\"\nepisodes = 9\n[value.ntuple]\noutput = \"none\"\n{text}");
    let config: Config = toml::from_str(&config).expect("a valid description");
    build_learner(&G::default(), &config, 1).expect("choices that go together")
}

/// What came of some games, and everything that happened in them.
fn play<G: Notation + Default>(
    learner: &mut dyn Learner<G>,
    rate: f32,
) -> (Vec<Episode>, Vec<(Played, bool)>) {
    let (game, mut heard) = (G::default(), Vec::new());
    let mut play = |number| {
        let rng = &mut Rng::derived(5, "game", number);
        let (mut seats, explore) = ([Seat::Learner], Explore::Epsilon { rate });
        let note = &mut |played, explored| heard.push((played, explored));
        play_episode(&game, learner, &mut seats, game.start(), explore, rng, Some(note)).unwrap()
    };
    ((0..6).map(&mut play).collect(), heard)
}

fn bits<G: CellBoard>(learner: &mut dyn Learner<G>) -> Vec<u32> {
    let tensors = learner.value().net.tensors();
    tensors.iter().flat_map(|tensor| tensor.data.iter().map(|n| n.to_bits())).collect()
}

#[test]
fn games_played_on_are_learned_as_move_by_move() {
    let steps = [
        "move-repeats = true\n[learner]\nalpha = 0.1",
        "[learner]\nalpha = 0.1\nlearn-from-random = \"never\"",
        "move-repeats = true\n[step.tcl]\n[learner]\nalpha = 1.0",
        "[step.tcl]\n[learner]\nalpha = 1.0\nadapt-last = false",
    ];
    for (tuples, step) in [FOUR, EIGHT].into_iter().flat_map(|t| steps.map(|s| (t, s))) {
        assert_same::<Game2048>(&format!("tuples = {tuples}\n{step}"));
    }
    assert_same::<Game2048>(&format!(
        "tuples = {ONE}\ninit = {{ low = -0.5, high = 0.5 }}\n{}",
        steps[2]
    ));
}

#[test]
fn moves_that_may_end_a_game_are_learned_one_by_one() {
    for step in ["[learner]\nalpha = 0.1", "[step.tcl]\n[learner]\nalpha = 1.0"] {
        assert_same::<Short>(&format!("tuples = {FOUR}\n{step}"));
    }
}

fn assert_same<G: Notation + Default>(text: &str) {
    for rate in [0.0, 0.2] {
        let (mut on, mut by_move) = (learner::<G>(text), MoveByMove(learner::<G>(text)));
        assert!(on.value().plays_on(Explore::Epsilon { rate }));
        assert_eq!(play(&mut *on, rate), play(&mut by_move, rate), "{text}");
        assert_eq!(on.value().errors, by_move.value().errors, "{text}");
        assert!(bits(&mut *on) == bits(&mut by_move), "{text}");
    }
}

#[test]
fn games_played_on_without_learning_are_those_played_move_by_move() {
    let mut taught = learner::<Game2048>(&format!("tuples = {FOUR}\n[learner]\nalpha = 0.1"));
    play(&mut *taught, 0.0);
    for rate in [0.0, 0.3] {
        let mut on = Scout::new(taught.value().fork(), 1);
        let by_move = Scout::new(taught.value().fork(), 1);
        assert_eq!(play(&mut on, rate), play(&mut MoveByMove(Box::new(by_move)), rate));
    }
}
