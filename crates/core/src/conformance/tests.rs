//! The checker reports every fault of a broken game.

mod board;
mod game;

use super::{conformance, conformance_from};
use crate::{Game, Move};
use game::{Blocks, Fault};

/// Enough games to try each of the eight symmetries several times.
const GAMES: u64 = 64;

#[test]
fn a_correct_game_has_no_violation() {
    conformance(&Blocks(Fault::None), GAMES).unwrap();
}

#[test]
fn a_violation_names_the_state() {
    let violation = conformance(&Blocks(Fault::CellOutOfRange), 1).unwrap_err();
    assert_eq!(violation.state, ".........");
    assert!(violation.to_string().ends_with("in state ........."), "{violation}");
}

#[test]
fn a_game_can_be_checked_from_any_state() {
    let from = |fault| {
        let game = Blocks(fault);
        let mut state = game.start();
        game.play(&mut state, Move(2));
        conformance_from(&game, &state, 7)
    };
    from(Fault::None).unwrap();
    assert!(from(Fault::Probabilities).unwrap_err().what.contains("probabilities sum to 0.9"));
    assert!(from(Fault::PackingTooSmall).unwrap_err().what.contains("do not fill 1 bits"));
    assert!(from(Fault::MovesAfterEnd).unwrap_err().what.contains("after the end"));
}

/// One test per contract: with the fault, the checker reports this.
macro_rules! violations {
    ($($name:ident: $fault:ident => $what:literal,)*) => {$(
        #[test]
        fn $name() {
            let found = conformance(&Blocks(Fault::$fault), GAMES).unwrap_err().what;
            assert!(found.contains($what), "found instead: {found}");
        }
    )*};
}

violations! {
    cells_fill_whole_rows: Width => "9 cells do not fill rows of 2",
    every_cell_has_neighbours: Neighbours => "8 lists of neighbours for 9 cells",
    the_identity_comes_first: NoIdentity => "the first symmetry is not the identity",
    symmetries_are_permutations: NoPermutation => "symmetry 2 is not a permutation",
    symmetries_keep_the_values: CarriesToOtherValues => "carries cell 0 to one with other values",
    groups_partition_the_cells: OverlappingGroups => "the groups do not partition the cells",
    boards_are_turned_back: TurnedBoard => "turned_board turned twice is not the board",
    cells_fill_their_bits: PackingTooSmall => "cells do not fill 1 bits each",

    states_are_one_line_of_text: TextOfTwoLines => "the state's text is not one line",
    texts_of_states_are_valid: TextNotRead => "parse_state rejects",
    texts_of_states_are_read_back: TextReadAsOther => "parse_state returns another state",
    equal_states_have_equal_hashes: Hash => "equal states hash differently",

    cells_stay_in_range: CellOutOfRange => "cell 8 is out of range",
    groups_match_the_cells: GroupState => "group state 1 is not [0, 0, 0]",
    bitboards_match_the_cells: Bitboard => "bitboard 1 is wrong at cell",
    four_bitboards_match_single_ones: BitboardX4 => "differ for state 3 of four",
    features_have_names: FeatureNames => "filled has 1 features, but 2 names",
    features_are_finite: FeatureNotFinite => "feature 0 of filled is not a finite number",

    cells_are_carried_by_symmetries: CellsNotSymmetric => "does not carry cell",
    turns_do_not_change_under_symmetry: TurnNotSymmetric => "in the image",
    games_end: Endless => "the game has not ended",
    no_moves_follow_the_end: MovesAfterEnd => "there are legal moves after the end",
    no_events_follow_the_end: EventsAfterEnd => "there are events after the end",

    games_with_chance_say_so: HasChance => "has_chance is false",
    chance_draws_listed_events: DrawUnlisted => "draw returns event 4, which is not in events",
    probabilities_sum_to_one: Probabilities => "probabilities sum to 0.9",
    nobody_moves_on_chances_turn: MovesOnChanceTurn => "there are legal moves on chance's turn",
    texts_of_events_are_read_back: EventText => "parse_event reads \"block\"",
    events_are_mapped_by_symmetries: MapEvent => "does not carry cell",
    event_rewards_do_not_change_under_symmetry: EventRewardsNotSymmetric => "the rewards are",

    the_mover_takes_part: UnknownPlayer => "player 2 is not below the number of players",
    no_events_on_a_players_turn: EventsOnPlayersTurn => "there are events on a player's turn",
    a_player_to_move_can_move: NoMove => "no legal move on a player's turn",
    legal_moves_ascend: NotAscending => "legal moves are not ascending",
    moves_are_below_num_moves: MoveTooLarge => "move 8 is not below the number of moves",
    legal_moves_are_counted: MoveCount => "count_legal_moves counts",
    texts_of_moves_are_read_back: MoveText => "parse_move reads \"stone\"",
    mapped_moves_are_legal_in_the_image: MapMoveIllegal => "map_move leads to",
    mapped_moves_lead_to_the_image: MapMoveElsewhere => "does not carry cell",

    each_afterstate_visits_all_moves: AfterstateMissing => "each_afterstate visits",
    afterstates_are_those_of_play: AfterstateState => "each_afterstate and play differ",
    afterstates_have_the_rewards_of_play: AfterstateRewards => "each_afterstate and play differ",
    afterstates_have_the_next_turn: AfterstateTurn => "each_afterstate and play differ",
    random_moves_are_the_default_ones: RandomMove => "random_move draws ",
    random_moves_take_one_random_number: RandomMoveDrawsTwice => "more or fewer random numbers",

    rewards_are_finite: RewardsNotFinite => "are not finite",
    two_players_gain_what_the_other_loses: RewardsNotOpposed => "does not gain what the other loses",
    rewards_do_not_change_under_symmetry: RewardsNotSymmetric => "the rewards are",
    rewards_lie_in_their_range: RewardsOutOfRange => "but reward_range is 0 to 0.5",
}
