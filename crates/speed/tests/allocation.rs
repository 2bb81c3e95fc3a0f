//! Learning allocates nothing for its moves.
#![allow(unsafe_code)]

use ludens_speed::{SETTINGS, SpeedRun};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts how often memory is asked for.
struct Counting;

static COUNT: AtomicU64 = AtomicU64::new(0);

// SAFETY: everything is handed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn moves_are_chosen_and_learned_without_asking_for_memory() {
    for setting in SETTINGS.iter().filter(|setting| !setting.name.starts_with("2048-")) {
        let mut run = SpeedRun::open(setting.text, 1).unwrap();
        run.learn(100);
        let before = COUNT.load(Ordering::Relaxed);
        let played = run.learn(50);
        let asked = COUNT.load(Ordering::Relaxed) - before;
        // The random moves that some games begin with may need a list.
        let name = setting.name;
        assert!(asked <= played.games, "{name}: {asked} times in {} moves", played.moves);
    }
}
