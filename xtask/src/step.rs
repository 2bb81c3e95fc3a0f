//! Steps of a chore, and the account of how they went.

use std::time::{Duration, Instant};

/// One step of a chore.
pub(crate) struct TaskStep {
    /// One word, to ask for this step alone.
    pub(crate) name: &'static str,
    /// What the step checks.
    pub(crate) about: &'static str,
    /// Does it.
    pub(crate) run: fn() -> Result<(), String>,
}

/// The result of a step.
struct StepOutcome {
    name: &'static str,
    took: Duration,
    failure: Option<String>,
}

/// Runs the steps with the wanted names, or all if none is named, whether or not others fail.
///
/// The last line printed counts what passed and what failed.
pub(crate) fn run_steps(chore: &str, steps: &[TaskStep], wanted: &[String]) -> Result<(), String> {
    if let Some(name) = wanted.iter().find(|name| steps.iter().all(|s| s.name != **name)) {
        let known: Vec<_> = steps.iter().map(|step| step.name).collect();
        return Err(format!("no step is called {name:?}; known: {}", known.join(", ")));
    }
    let chosen =
        |step: &&TaskStep| wanted.is_empty() || wanted.iter().any(|name| name == step.name);
    let outcomes: Vec<_> = steps.iter().filter(chosen).map(run_step).collect();
    print_summary(chore, &outcomes);
    let failed = outcomes.iter().filter(|outcome| outcome.failure.is_some()).count();
    let count = format!("{} passed, {failed} failed", outcomes.len() - failed);
    if failed > 0 {
        return Err(count);
    }
    println!("{count}");
    Ok(())
}

fn run_step(step: &TaskStep) -> StepOutcome {
    println!("\n==> {}: {}", step.name, step.about);
    let begun = Instant::now();
    let failure = (step.run)().err();
    let took = begun.elapsed();
    let verdict = failure.as_deref().unwrap_or("ok");
    println!("<== {}: {verdict} ({:.1} s)", step.name, took.as_secs_f32());
    StepOutcome { name: step.name, took, failure }
}

fn print_summary(chore: &str, outcomes: &[StepOutcome]) {
    println!();
    for StepOutcome { name, took, failure } in outcomes {
        let verdict = if failure.is_some() { "FAILED" } else { "ok" };
        println!("{name:<14}{verdict:<8}{:>7.1} s", took.as_secs_f32());
        if let Some(message) = failure {
            println!(
                "    {}\n    alone: cargo xtask {chore} {name}",
                message.replace('\n', "\n    ")
            );
        }
    }
}
