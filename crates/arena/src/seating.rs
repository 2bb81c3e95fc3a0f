//! Seatings that give every contestant every role equally often.

use ludens_core::Invalid;

/// Which contestant plays each player, in turn order.
pub type Seating = Vec<usize>;

/// Every way to seat `contestants` at a game of `players`, each role equally often.
///
/// As many contestants as players sit in every order, or from four players on in every rotation of
/// one order. One contestant against copies of a second takes each seat once. In a game of one
/// player each contestant plays alone.
///
/// # Errors
///
/// If there are too many or too few contestants.
pub fn seatings(contestants: usize, players: usize) -> Result<Vec<Seating>, Invalid> {
    if contestants == 0 {
        return Err(Invalid("a contest needs at least one contestant".into()));
    }
    if players == 1 {
        return Ok((0..contestants).map(|c| vec![c]).collect());
    }
    if contestants == players {
        return Ok(if players < 4 { permutations(players) } else { rotations(players) });
    }
    if contestants == 2 {
        let alone = |seat| (0..players).map(|s| usize::from(s != seat)).collect();
        return Ok((0..players).map(alone).collect());
    }
    let also = if players > 2 { " or 2 (one against copies of the other)" } else { "" };
    Err(Invalid(format!("expected {players} contestants{also}, found {contestants}")))
}

fn rotations(players: usize) -> Vec<Seating> {
    (0..players).map(|by| (0..players).map(|seat| (seat + by) % players).collect()).collect()
}

fn permutations(players: usize) -> Vec<Seating> {
    if players == 0 {
        return vec![Vec::new()];
    }
    let insert = |shorter: Seating| {
        (0..players).rev().map(move |at| {
            let mut longer = shorter.clone();
            longer.insert(at, players - 1);
            longer
        })
    };
    permutations(players - 1).into_iter().flat_map(insert).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contestant_has_every_role_equally_often() {
        for (contestants, players, orders) in [(2, 2, 2), (3, 3, 6), (4, 4, 4)] {
            let all = seatings(contestants, players).unwrap();
            assert_eq!(all.len(), orders);
            for (contestant, seat) in (0..players).flat_map(|c| (0..players).map(move |s| (c, s))) {
                let times = all.iter().filter(|s| s[seat] == contestant).count();
                assert_eq!(times, orders / players);
            }
        }
        assert_eq!(seatings(2, 2).unwrap(), [[0, 1], [1, 0]]);
    }

    #[test]
    fn one_against_copies_takes_each_seat_once() {
        assert_eq!(seatings(2, 3).unwrap(), [[0, 1, 1], [1, 0, 1], [1, 1, 0]]);
        assert_eq!(seatings(2, 1).unwrap(), [[0], [1]]);
    }

    #[test]
    fn wrong_numbers_of_contestants_are_explained() {
        let message = |c, p| seatings(c, p).unwrap_err().to_string();
        assert_eq!(message(3, 2), "expected 2 contestants, found 3");
        assert!(message(1, 3).contains("3 contestants or 2"));
        assert!(message(0, 2).contains("at least one"));
    }
}
