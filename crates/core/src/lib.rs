//! The words of Ludens.
