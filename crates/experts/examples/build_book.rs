//! Builds the opening book: `build_book <progress> <book> <threads> <table MiB>`.
//!
//! With no threads it only writes the book of what is solved so far.

use ludens_experts::connect4::BuildBook;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [progress, book, threads, mebibytes] = arguments.as_slice() else {
        return Err("expected <progress> <book> <threads> <table MiB>".into());
    };
    let build = BuildBook {
        table_bytes: mebibytes.parse::<usize>()? << 20,
        threads: threads.parse()?,
        progress: progress.into(),
    };
    let start = Instant::now();
    let finished = if build.threads == 0 {
        build.so_far()?
    } else {
        build.run(&|done| {
            if done.solved % 100 == 0 {
                eprintln!(
                    "{:.0} s: {} of {}",
                    start.elapsed().as_secs_f64(),
                    done.solved,
                    done.total
                );
            }
        })?
    };
    finished.save(book.as_ref(), "ludens solve --build-book")?;
    println!("{} positions", finished.len());
    Ok(())
}
