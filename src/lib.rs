//! Ludens learns board games by playing against itself.
