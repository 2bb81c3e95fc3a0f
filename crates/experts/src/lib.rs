//! Players that know one game by heart.

pub mod connect4;
