//! Settings by name: those of the papers, and ones that learn each game well.

use crate::Layers;
use ludens_core::Invalid;

/// Settings with a name, as they stand in a file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The game it is meant for.
    pub game: &'static str,
    /// The name of the preset.
    pub name: &'static str,
    /// The file: settings, and comments that name their source.
    pub text: &'static str,
}

macro_rules! preset {
    ($game:literal, $name:literal) => {
        Preset {
            game: $game,
            name: $name,
            text: include_str!(concat!("../presets/", $game, "/", $name, ".toml")),
        }
    };
}

/// Every preset. A new one adds its line here, in alphabetical order.
pub static PRESETS: &[Preset] = &[
    preset!("2048", "default"),
    preset!("2048", "farl"),
    preset!("2048", "farl-off"),
    preset!("connect4", "bagheri-alap"),
    preset!("connect4", "bagheri-autostep"),
    preset!("connect4", "bagheri-idbd"),
    preset!("connect4", "bagheri-idbd-entropy"),
    preset!("connect4", "bagheri-k1"),
    preset!("connect4", "bagheri-tcl-id"),
    preset!("connect4", "default"),
    preset!("connect4", "farl"),
    preset!("connect4", "farl-off"),
    preset!("connect4", "farl-q"),
    preset!("connect4", "farl-q-off"),
    preset!("connect4", "farl-sarsa"),
    preset!("connect4", "farl-sarsa-off"),
    preset!("connect4", "ghory-batch"),
    preset!("connect4", "ghory-control"),
    preset!("connect4", "ghory-gamma-05"),
    preset!("connect4", "ghory-gamma-07"),
    preset!("connect4", "ghory-init-01"),
    preset!("connect4", "ghory-inverted"),
    preset!("connect4", "ghory-judge-ends"),
    preset!("connect4", "ghory-random-ratings"),
    preset!("connect4", "ghory-repeat"),
    preset!("connect4", "ghory-reversed"),
    preset!("connect4", "ghory-reversed-inverted"),
    preset!("connect4", "thill-tcl-et"),
    preset!("connect4", "thill-tcl-et-04"),
    preset!("connect4", "thill-tcl-et-06"),
    preset!("connect4", "thill-tcl-et-07"),
    preset!("connect4", "thill-tcl-et-08"),
    preset!("connect4", "thill-tcl-et-09"),
    preset!("connect4", "thill-tcl-m-et"),
    preset!("connect4", "thill-tcl-m-rr"),
    preset!("connect4", "thill-tcl-rep"),
    preset!("connect4", "thill-tcl-res"),
    preset!("connect4", "thill-tcl-res-09"),
    preset!("connect4", "thill-tcl-rr"),
    preset!("connect4", "thill-tcl-std"),
    preset!("connect4", "thill-tdl-et"),
    preset!("connect4", "thill-tdl-rr"),
    preset!("connect4", "thill-tdl-std"),
    preset!("hex", "default"),
    preset!("hex", "farl"),
    preset!("hex", "farl-off"),
    preset!("nim", "default"),
    preset!("nim", "farl"),
    preset!("nim", "farl-off"),
    preset!("nim", "farl-three"),
    preset!("nim", "farl-three-off"),
    preset!("nimm3", "default"),
    preset!("othello", "default"),
    preset!("othello", "farl"),
    preset!("othello", "farl-off"),
    preset!("random-walk", "default"),
    preset!("tictactoe", "default"),
    preset!("tictactoe", "farl"),
    preset!("tictactoe", "farl-off"),
    preset!("tictactoe", "farl-q"),
    preset!("tictactoe", "farl-q-off"),
    preset!("tictactoe", "farl-sarsa"),
    preset!("tictactoe", "farl-sarsa-off"),
    preset!("tictactoe", "ghory-batch"),
    preset!("tictactoe", "ghory-control"),
    preset!("tictactoe", "ghory-gamma-05"),
    preset!("tictactoe", "ghory-gamma-07"),
    preset!("tictactoe", "ghory-half-board"),
    preset!("tictactoe", "ghory-init-01"),
    preset!("tictactoe", "ghory-init-1"),
    preset!("tictactoe", "ghory-init-2"),
    preset!("tictactoe", "ghory-inverted"),
    preset!("tictactoe", "ghory-judge-ends"),
    preset!("tictactoe", "ghory-random-ratings"),
    preset!("tictactoe", "ghory-repeat"),
    preset!("tictactoe", "ghory-reversed"),
    preset!("tictactoe", "ghory-reversed-inverted"),
    preset!("tictactoe", "konen-offline"),
    preset!("tictactoe", "mlp"),
];

/// The presets of a game, by its name.
pub fn presets_of(game: &str) -> impl Iterator<Item = &'static Preset> {
    PRESETS.iter().filter(move |preset| preset.game == game)
}

/// The preset of this name for this game.
///
/// # Errors
///
/// If there is none, with those that there are.
pub fn find_preset(game: &str, name: &str) -> Result<&'static Preset, Invalid> {
    presets_of(game)
        .find(|preset| preset.name == name)
        .ok_or_else(|| Invalid::unknown("preset", name, presets_of(game).map(|p| p.name)))
        .map_err(|e| e.about(game))
}

impl Preset {
    /// The purpose of the preset, in one sentence.
    pub fn about(&self) -> String {
        self.comments(|line| !line.starts_with("Source:")).next().unwrap_or_default()
    }

    /// The source of the settings.
    pub fn source(&self) -> String {
        let lines: Vec<String> = self.comments(|_| true).skip(1).collect();
        lines.join(" ").trim_start_matches("Source:").trim().into()
    }

    /// The lowest layer of settings.
    pub fn layers(&self) -> Layers {
        let mut layers = Layers::default();
        let name = format!("preset {}", self.name);
        layers.add_file(&name, self.text).expect("presets have been tested");
        layers.into_base()
    }

    /// The comment at the top, line by line.
    fn comments(&self, wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
        let lines = self.text.lines().map_while(|line| line.strip_prefix('#'));
        lines.map(str::trim).filter(move |line| wanted(line)).map(Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_registry::{GAMES, open_game};

    #[test]
    fn the_table_names_every_file_in_order() {
        let names: Vec<String> = PRESETS.iter().map(|p| format!("{}/{}", p.game, p.name)).collect();
        assert!(names.is_sorted(), "{names:?}");
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/presets");
        let mut files = Vec::new();
        for game in std::fs::read_dir(folder).unwrap() {
            let game = game.unwrap();
            for file in std::fs::read_dir(game.path()).unwrap() {
                let name = file.unwrap().file_name().into_string().unwrap();
                let game = game.file_name().into_string().unwrap();
                files.push(format!("{game}/{}", name.strip_suffix(".toml").unwrap()));
            }
        }
        files.sort();
        assert_eq!(names, files);
    }

    #[test]
    fn every_game_has_a_default() {
        for entry in GAMES {
            find_preset(entry.name, "default").unwrap();
        }
        let message = find_preset("nim", "defualt").unwrap_err().to_string();
        assert!(
            message.starts_with("nim: no preset is called") && message.contains("\"default\"?")
        );
    }

    #[test]
    fn every_preset_says_what_it_is_and_learns_its_game() {
        for preset in PRESETS {
            let (game, name) = (preset.game, preset.name);
            assert!(preset.about().ends_with('.'), "{game}/{name}: {}", preset.about());
            assert!(preset.source().len() > 5, "{game}/{name}: {}", preset.source());
            let config = preset.layers().config().unwrap();
            assert_eq!(config.game.split(':').next(), Some(game), "{name}");
            // Two gigabytes of tables are too much for a test.
            if game == "2048" && name.starts_with("farl") {
                continue;
            }
            let training = open_game(&config.game).unwrap().train(&config, 1);
            let mut training = training.unwrap_or_else(|e| panic!("{game}/{name}: {e}"));
            training.run(3, &mut || true).unwrap();
            assert_eq!(training.episode(), 3, "{game}/{name}");
        }
    }
}
