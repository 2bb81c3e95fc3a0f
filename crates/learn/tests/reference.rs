//! The general loop over the reference network is the specification of learning with n-tuples.

mod common;

use common::{cases, config, game, play};
use ludens_approx::ntuple::DuplicateFeatures;
use ludens_approx::reference::{Feature, ReferenceNetwork};
use ludens_approx::step::{Constant, StepSize};
use ludens_approx::{
    BatchEvaluator, EncodedBatch, Evaluation, FusedNetwork, Network, ParallelNetwork, Tensor,
    TensorMut, Trace, TraceForm, TraceKind, TraceSettings, UniqueArc,
};
use ludens_core::{Bitboards, Game, Invalid, Move, Notation, Played, Player, Turn};
use ludens_games::{Connect4, Nim, Othello, TicTacToe};
use ludens_learn::config::{StepRule, TuplesConfig, ValueConfig};
use ludens_learn::{
    Config, Encoder, EpisodeLoop, Explore, LearnFromRandom, Learner, LearnerSettings, Td, TdFarl,
    Transcript, Value, ValueOwner, build_learner, build_value, list_tuples,
};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

/// The reference network as a [`Network`], which has one trace for each player.
struct Reference<S: StepSize>(Mutex<State<S>>);

struct State<S: StepSize> {
    network: ReferenceNetwork<S>,
    traces: Vec<ReferenceTrace>,
}

/// A trace while another one is in the network.
#[derive(Default)]
struct ReferenceTrace {
    eligibility: HashMap<Feature, f32>,
    positions: VecDeque<(Vec<Feature>, f32)>,
    /// The newest position, until the network is updated with it.
    newest: Option<(usize, Vec<u8>)>,
}

impl<S: StepSize> State<S> {
    /// Adds the newest position of a trace and moves the weights on the trace by `error`.
    fn update(&mut self, number: usize, error: f32) {
        let State { network, traces } = self;
        let ReferenceTrace { eligibility, positions, newest } = &mut traces[number];
        let Some((weight_set, cells)) = newest.take() else { return };
        std::mem::swap(&mut network.eligibility, eligibility);
        std::mem::swap(&mut network.positions, positions);
        let (value, _) = network.evaluate(weight_set, &cells);
        network.update(weight_set, &cells, value + error);
        std::mem::swap(&mut network.eligibility, eligibility);
        std::mem::swap(&mut network.positions, positions);
    }
}

impl<S: StepSize> Reference<S> {
    fn state(&self) -> std::sync::MutexGuard<'_, State<S>> {
        self.0.lock().expect("nobody panics")
    }

    /// The number of a trace, and whether it was cleared.
    fn number(trace: &Trace) -> (usize, bool) {
        let Trace::Horizon(horizon) = trace else { panic!("another network's trace") };
        (horizon.decay as usize, horizon.entries.is_empty())
    }
}

impl<S: StepSize> BatchEvaluator for Reference<S> {
    fn evaluate(&self, batch: &mut EncodedBatch) {
        let state = self.state();
        let value = |cells: &[u8]| state.network.evaluate(batch.weight_set, cells).0;
        batch.values = batch.positions().iter().map(|position| value(&position.cells)).collect();
    }

    fn take(&self, batch: &mut EncodedBatch, nth: usize, out: &mut Evaluation) {
        out.begin(batch.weight_set).copy_from(&batch.positions()[nth]);
        self.reevaluate(out);
    }
}

impl<S: StepSize> Network for Reference<S> {
    fn reevaluate(&self, evaluation: &mut Evaluation) -> f32 {
        let Evaluation { weight_set, encoding, .. } = &*evaluation;
        (evaluation.value, evaluation.slope) =
            self.state().network.evaluate(*weight_set, &encoding.cells);
        evaluation.value
    }

    /// A trace that only tells its number, and by being empty that it was cleared.
    fn new_trace(&self, _: &TraceSettings) -> Result<Trace, Invalid> {
        let traces = &mut self.state().traces;
        traces.push(ReferenceTrace::default());
        let decay = (traces.len() - 1) as f32;
        Ok(Trace::new(&TraceSettings { decay, ..TraceSettings::TD0 }, 0))
    }

    fn accumulate(&self, evaluation: &Evaluation, trace: &mut Trace) {
        let ((number, cleared), mut state) = (Self::number(trace), self.state());
        if cleared {
            state.traces[number] = ReferenceTrace::default();
        }
        state.update(number, 0.0);
        let newest = (evaluation.weight_set, evaluation.encoding.cells.clone());
        state.traces[number].newest = Some(newest);
        let Trace::Horizon(horizon) = trace else { panic!("another network's trace") };
        horizon.push(evaluation);
    }

    fn update_trace(&mut self, trace: &Trace, error: f32) {
        if let (number, false) = Self::number(trace) {
            self.state().update(number, error);
        }
    }

    fn end_batch(&mut self) {}

    fn set_step_size(&mut self, alpha: f32) {
        self.state().network.alpha = alpha;
    }

    fn grow(&mut self, _: usize) {}

    fn tensors(&self) -> Vec<Tensor<'_>> {
        Vec::new()
    }

    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>> {
        Vec::new()
    }

    fn fused(&self) -> Option<&dyn FusedNetwork> {
        None
    }

    fn parallel(&mut self) -> Option<&mut dyn ParallelNetwork> {
        None
    }
}

/// The reference network of a configuration with listed tuples.
fn reference<G: Notation, S: StepSize>(
    game: &G,
    config: &Config,
    trace: TraceSettings,
    rule: S,
) -> UniqueArc<dyn Network> {
    let ValueConfig::Ntuple(ntuple) = &config.value else { panic!("no n-tuples") };
    let TuplesConfig::Listed(tuples) = &ntuple.tuples else { panic!("no list of tuples") };
    let duplicates = match ntuple.count_duplicate_features {
        true => DuplicateFeatures::Each,
        false => DuplicateFeatures::Once,
    };
    let network = ReferenceNetwork {
        layout: game.layout(),
        tuples: tuples.clone(),
        output: ntuple.output,
        alpha: config.learner.alpha.at(0, 1),
        duplicates,
        trace,
        rule,
        weights: HashMap::new(),
        memory: HashMap::new(),
        eligibility: HashMap::new(),
        positions: VecDeque::new(),
    };
    UniqueArc::new(Box::new(Reference(Mutex::new(State { network, traces: Vec::new() }))))
}

/// Plays and learns some games by random moves, all of which are scored. Returns everything that
/// happened, and what each player thinks of each state.
fn learn<G: Notation + Bitboards>(
    game: &G,
    value: Value<G>,
    trace: TraceSettings,
) -> (Vec<(Played, bool)>, Vec<f32>) {
    let (reset, exploration) = (false, LearnFromRandom::Always);
    let (adapt_others, adapt_last, redraw, residual) = (true, true, false, 0.0);
    let settings =
        LearnerSettings { trace, reset, exploration, adapt_others, adapt_last, redraw, residual };
    let mut learner: Box<dyn Learner<G>> = match value.spec.owner {
        ValueOwner::Mover => Box::new(TdFarl::new(game, value, settings).expect("a learner")),
        ValueOwner::FirstPlayer => Box::new(Td::new(value, settings, None).expect("a learner")),
    };
    let explore = Explore::Sample { share: 0.0 };
    let (_, played) = play(game, &mut *learner, explore, EpisodeLoop::General, 20);
    let (mut state, mut values) = (game.start(), Vec::new());
    for (what, _) in &played {
        let players = Player::all(game.num_players());
        values.extend(players.map(|player| learner.value().evaluate_state(game, &state, player)));
        let Played::Move(mv) = what else { panic!("there is no chance") };
        game.play(&mut state, *mv);
        state = if game.turn(&state) == Turn::Over { game.start() } else { state };
    }
    (played, values)
}

fn check<G: Notation + Bitboards>(text: &str, rest: &str, trace: TraceSettings) {
    let game: G = game(text);
    let config = list_tuples(&game, &config(text, rest), 1).expect(rest);
    let value = build_value(&game, &config, 1, 1 << 20).expect(rest);
    let network = match config.step {
        StepRule::Tcl(tcl) => reference(&game, &config, trace, tcl),
        _ => reference(&game, &config, trace, Constant),
    };
    let encoder = Encoder::cells(&game, &game.layout());
    let expected = learn(&game, Value::new(network, encoder, value.spec), trace);
    let found = learn(&game, value, trace);
    assert_eq!(found.0, expected.0, "other games: {text}\n{rest}");
    let differences = found.1.iter().zip(&expected.1).map(|(a, b)| (a - b).abs());
    let worst = differences.fold(0.0, f32::max);
    assert!(worst < 1e-4, "values differ by {worst}: {text} {trace:?}\n{rest}");
    assert!(found.1.iter().any(|value| value.abs() > 0.01), "nothing was learned");
}

const GAMES: [&str; 4] =
    ["tictactoe", "nim:players=3", "othello:size=4", "connect4:columns=4,rows=4"];

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn n_tuple_networks_learn_what_the_reference_learns(
        game in select(GAMES.to_vec()),
        (count, length) in (1_usize..3, 2_usize..4),
        decay in select(vec![0.0, 0.5, 0.9]),
        kind in select(vec![TraceKind::Accumulating, TraceKind::Replacing]),
        form in select(vec![TraceForm::Sparse, TraceForm::Horizon { steps: 3 }]),
        step in select(vec!["", "[step.tcl]\n"]),
        output in select(vec!["none", "tanh"]),
        players in select(vec!["each", "shared"]),
        (duplicates, td) in any::<(bool, bool)>(),
    ) {
        let (count, td) = if game.starts_with("nim") { (1, false) } else { (count, td) };
        let algorithm = if td { "td" } else { "td-farl" };
        let form = if decay == 0.0 { TraceForm::Horizon { steps: 1 } } else { form };
        let trace = TraceSettings { decay, kind, form };
        let rest = format!(
            "[value.ntuple]\ncount = {count}\nlength = {length}\noutput = '{output}'\n\
             players = '{players}'\ncount-duplicate-features = {duplicates}\n{step}\
             [learner]\nalpha = 0.05\nalgorithm = '{algorithm}'"
        );
        match game.split(':').next() {
            Some("nim") => check::<Nim>(game, &rest, trace),
            Some("othello") => check::<Othello>(game, &rest, trace),
            Some("connect4") => check::<Connect4>(game, &rest, trace),
            _ => check::<TicTacToe>(game, &rest, trace),
        }
    }
}

/// The value of the first player's win in five moves, of which none is in the centre.
///
/// The only tuple sees the empty centre under eight symmetries, so that one weight is looked up
/// eight times: V = 8 w. The one error of 1 moves it by alpha / 8 times its trace.
fn value_of_centre(rest: &str) -> f32 {
    let text = format!(
        "[value.ntuple]\ntuples = [[4]]\noutput = 'none'\n{rest}\nalpha = 0.5\ngamma = 0.5"
    );
    let mut learner = build_learner(&TicTacToe, &config("tictactoe", &text), 1).expect(rest);
    let played = [0, 3, 1, 6, 2].map(|cell| (Played::Move(Move(cell)), false)).into();
    Transcript { start: TicTacToe.start(), played }.teach(&TicTacToe, &mut *learner);
    let state = TicTacToe.parse_state("xx./o../o..").expect("a state");
    learner.value().evaluate_state(&TicTacToe, &state, Player(0))
}

#[test]
fn replacing_traces_count_a_weight_as_often_as_the_newest_position_uses_it() {
    let accumulated = 1.0 + 0.4 + 0.16 + 0.064 + 0.0256;
    for form in ["'sparse'", "'horizon'\nhorizon = 9"] {
        for (kind, trace) in [("accumulating", accumulated), ("replacing", 1.0)] {
            for (counts, times) in [(false, 1.0), (true, 8.0)] {
                let found = value_of_centre(&format!(
                    "players = 'shared'\ncount-duplicate-features = {counts}\n\
                     [trace]\nlambda = 0.8\nkind = '{kind}'\nform = {form}\n\
                     [learner]\nalgorithm = 'td'"
                ));
                let expected = 8.0 * (0.5 / 8.0) * times * trace;
                assert!((found - expected).abs() < 1e-5, "{form} {kind} {counts}: {found}");
            }
        }
    }
}
