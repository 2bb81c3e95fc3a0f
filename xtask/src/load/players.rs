//! Many who play at the same time.

use super::{GAMES, ServerProcess};
use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Many who play at the same time, each against an agent that learned the game.
pub(super) struct SimulatedPlayers {
    /// Games at the same time.
    pub(super) games: usize,
    /// Games one after the other.
    pub(super) rounds: usize,
    /// The thinking time per move; zero means as fast as possible.
    pub(super) pause: Duration,
}

/// The result of the load test.
pub(super) struct LoadResult {
    pub(super) games: usize,
    pub(super) pause: Duration,
    pub(super) finished: usize,
    pub(super) seconds: f64,
    /// The latency of each response in seconds, ascending.
    pub(super) waits: Vec<f64>,
    /// Megabytes of the server after a tenth of the time, at the end, and at most.
    pub(super) memory: Option<[f64; 3]>,
}

impl SimulatedPlayers {
    /// Plays all games; none may be lost.
    pub(super) fn play(&self, server: &ServerProcess) -> Result<LoadResult, String> {
        let (waits, failed, over) =
            (Mutex::new(Vec::new()), Mutex::new(None), AtomicBool::new(false));
        let begun = Instant::now();
        let memory = std::thread::scope(|scope| {
            let player = |number: usize| {
                let (waits, failed) = (&waits, &failed);
                scope.spawn(move || match self.sit_down(server, number) {
                    Ok(mine) => waits.lock().expect("nobody panics").extend(mine),
                    Err(reason) => *failed.lock().expect("nobody panics") = Some(reason),
                })
            };
            let players: Vec<_> = (0..self.games).map(player).collect();
            let watcher = scope.spawn(|| watch(server, &over));
            players.into_iter().for_each(|player| drop(player.join()));
            over.store(true, Ordering::Relaxed);
            watcher.join().unwrap_or_default()
        });
        if let Some(reason) = failed.into_inner().expect("nobody panics") {
            return Err(reason);
        }
        let mut waits = waits.into_inner().expect("nobody panics");
        waits.sort_by(f64::total_cmp);
        let (games, pause, seconds) = (self.games, self.pause, begun.elapsed().as_secs_f64());
        Ok(LoadResult { games, pause, finished: games * self.rounds, seconds, waits, memory })
    }

    fn sit_down(&self, server: &ServerProcess, number: usize) -> Result<Vec<f64>, String> {
        let mut waits = Vec::new();
        // Stagger the players.
        std::thread::sleep(self.pause.mul_f64(number as f64 / self.games as f64));
        for round in 0..self.rounds {
            let (game, _) = GAMES[(number + round) % GAMES.len()];
            self.play_one(server, game, (number * self.rounds + round) as u64, &mut waits)?;
        }
        Ok(waits)
    }

    /// Plays one game and makes sure that the server sees it the same way afterwards.
    fn play_one(
        &self,
        server: &ServerProcess,
        game: &str,
        seed: u64,
        waits: &mut Vec<f64>,
    ) -> Result<(), String> {
        let mut client = server.client()?;
        let mut ask = |path: &str, body: &Value| {
            let begun = Instant::now();
            let position = client.post(path, body);
            waits.push(begun.elapsed().as_secs_f64());
            position
        };
        let mut position = ask("/api/position", &json!({ "game": game, "seed": seed }))?;
        let mut plies = 0;
        while position["over"] == false {
            let mut request = json!({ "game": game, "seed": seed, "played": position["played"] });
            position = if (plies + seed).is_multiple_of(2) {
                std::thread::sleep(self.pause);
                let legal = position["legal"].as_array().map_or(&[][..], Vec::as_slice);
                let at = (seed.wrapping_mul(31) + 7 * plies) as usize % legal.len().max(1);
                request["move"] = legal.get(at).map_or(Value::Null, |mv| mv["text"].clone());
                ask("/api/play", &request)?
            } else {
                request["agent"] = format!("greedy:{game}").into();
                ask("/api/choose", &request)?["position"].take()
            };
            plies += 1;
            if position["played"].as_array().map(Vec::len) != Some(plies as usize) {
                return Err(format!("a move was lost: {}", position["played"]));
            }
        }
        let request = json!({ "game": game, "seed": seed, "played": position["played"] });
        let again = ask("/api/position", &request)?;
        if again == position { Ok(()) } else { Err(format!("{request} is not what it was")) }
    }
}

/// The memory of the server after a tenth of the time, at the end, and at most.
fn watch(server: &ServerProcess, over: &AtomicBool) -> Option<[f64; 3]> {
    let mut seen = Vec::new();
    while !over.load(Ordering::Relaxed) {
        seen.push(server.memory()?);
        std::thread::sleep(Duration::from_millis(100));
    }
    let most = seen.iter().copied().fold(0.0, f64::max);
    Some([*seen.get(seen.len() / 10)?, *seen.last()?, most])
}
