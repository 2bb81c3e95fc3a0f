use super::*;
use crate::{Banks, Perspective, Reader, RewardView, Scope, Seat, Whose, play_episode};
use ludens_core::{Game, Turn};
use ludens_games::TicTacToe;
use ludens_values::ntuple::{Lookups, NTuple, NTupleSettings, Repeats};
use ludens_values::stepsize::Constant;
use ludens_values::{Init, Lent, Net, Output};

fn learner(settings: TdFarlSettings) -> TdFarl<TicTacToe> {
    let layout = TicTacToe.layout();
    let lookups = Lookups::new(&layout, vec![(0..9).collect()]).unwrap();
    let net = NTupleSettings {
        banks: 2,
        output: Output::Tanh,
        init: Init::Zero,
        rate: 1.0,
        repeats: Repeats::Once,
    };
    let net: Box<dyn Net> = Box::new(NTuple::new(lookups, net, Constant, &mut Rng::seeded(1)));
    let perspective = Perspective { whose: Whose::Mover, banks: Banks::PerPlayer, inverted: false };
    let reader = Reader::digits(&layout);
    let rewards = RewardView::Scaled(1.0);
    let net = Lent::new(net);
    let value = Value::new(net, reader, Scope::Afterstates, perspective, rewards, 1.0);
    TdFarl::new(&TicTacToe, value, settings).unwrap()
}

const SETTINGS: TdFarlSettings = TdFarlSettings {
    trace: TraceSettings::LATEST,
    reset: false,
    random: LearnFromRandom::Always,
    adapt_others: true,
    adapt_last: true,
};

fn train(learner: &mut TdFarl<TicTacToe>, episodes: u64) {
    for episode in 0..episodes {
        let rng = &mut Rng::derived(1, "episode", episode);
        let explore = Explore::Epsilon { rate: 0.1 };
        let mut seats = [Seat::Learner, Seat::Learner];
        play_episode(&TicTacToe, learner, &mut seats, TicTacToe.start(), explore, rng, None)
            .unwrap();
    }
}

/// Games lost of `games` against random play, taking turns to begin.
fn lost(learner: &mut TdFarl<TicTacToe>, games: u64) -> u64 {
    let mut lost = 0;
    for game in 0..games {
        let rng = &mut Rng::derived(2, "game", game);
        let me = Player((game % 2) as u8);
        let (mut state, mut total) = (TicTacToe.start(), Rewards::NONE);
        while let Turn::Player(player) = TicTacToe.turn(&state) {
            let mv = if player == me {
                learner.choose(&TicTacToe, &state, player, Explore::GREEDY, rng).mv
            } else {
                TicTacToe.random_move(&state, rng, &mut Vec::new())
            };
            total += TicTacToe.play(&mut state, mv);
        }
        lost += u64::from(total[me] < 0.0);
    }
    lost
}

#[test]
fn tictactoe_is_learned_from_self_play() {
    let mut learner = learner(SETTINGS);
    train(&mut learner, 10_000);
    assert_eq!(lost(&mut learner, 1000), 0);
}

#[test]
fn without_final_adaptation_threats_are_not_seen() {
    let mut learner = learner(TdFarlSettings { adapt_others: false, ..SETTINGS });
    train(&mut learner, 10_000);
    assert!(lost(&mut learner, 1000) > 50);
}
