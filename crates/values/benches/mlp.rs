//! Nanoseconds for one online step of a network: evaluate, mark, learn.
//!
//! `cargo bench -p ludens-values --bench mlp`

use ludens_core::Rng;
use ludens_values::mlp::{Mlp, MlpSettings, Neuron};
use ludens_values::stepsize::Constant;
use ludens_values::{Active, Init, Net, Output, Sight, TraceForm, TraceKind, TraceSettings};
use std::hint::black_box;
use std::time::Instant;

const STEPS: usize = 20_000;
const ROUNDS: usize = 7;

fn main() {
    println!("ns per step, best of {ROUNDS} rounds of {STEPS}");
    println!(
        "{:>14} {:>8} {:>9} {:>9} {:>9}",
        "net", "inputs", "evaluate", "lambda 0", "lambda .7"
    );
    for (inputs, hidden) in [(9, 80), (42, 80), (64, 64), (198, 80), (256, 256)] {
        for share in [1.0, 0.15] {
            let name = format!("{inputs}-{hidden}-1");
            let kind = if share == 1.0 { "all" } else { "15 %" };
            let rng = &mut Rng::seeded(1);
            let sights: Vec<Sight> = (0..64).map(|_| sight(inputs, share, rng)).collect();
            let evaluate = best(|| evaluations(net(inputs, hidden), &sights));
            let latest = best(|| steps(net(inputs, hidden), &TraceSettings::LATEST, &sights));
            let (kind_of, form) = (TraceKind::Accumulating, TraceForm::Dense);
            let dense = TraceSettings { decay: 0.7, kind: kind_of, form };
            let traced = best(|| steps(net(inputs, hidden), &dense, &sights));
            println!("{name:>14} {kind:>8} {evaluate:>9.0} {latest:>9.0} {traced:>9.0}");
        }
    }
}

fn net(inputs: usize, hidden: usize) -> Mlp<Constant> {
    let settings = MlpSettings {
        inputs,
        hidden: vec![hidden],
        bias: true,
        neuron: Neuron::Sigmoid,
        output: Output::Sigmoid,
        banks: 1,
        init: Init::Uniform { low: -0.1, high: 0.1 },
        rate: 0.01,
        shares: Vec::new(),
    };
    Mlp::new(settings, Constant, &mut Rng::seeded(2)).expect("the settings go together")
}

fn sight(inputs: usize, share: f32, rng: &mut Rng) -> Sight {
    let input = |_| if rng.chance(share) { 1.0 } else { 0.0 };
    Sight { inputs: (0..inputs).map(input).collect(), ..Sight::default() }
}

fn evaluations(net: Mlp<Constant>, sights: &[Sight]) -> f64 {
    let (net, mut active): (Box<dyn Net>, _) = (Box::new(net), Active::default());
    let clock = Clock::start();
    for step in 0..STEPS {
        black_box(net.activate(&sights[step % sights.len()], 0, &mut active));
    }
    clock.nanoseconds() / STEPS as f64
}

fn steps(net: Mlp<Constant>, settings: &TraceSettings, sights: &[Sight]) -> f64 {
    let (mut net, mut active): (Box<dyn Net>, _) = (Box::new(net), Active::default());
    let mut trace = net.new_trace(settings).expect("a network keeps such traces");
    let clock = Clock::start();
    for step in 0..STEPS {
        let value = net.activate(&sights[step % sights.len()], 0, &mut active);
        net.mark(&active, &mut trace);
        net.learn(&trace, 0.5 - value);
        if step % 40 == 39 {
            trace.clear();
        }
    }
    assert!(net.refresh(&mut active).is_finite(), "learning went astray");
    clock.nanoseconds() / STEPS as f64
}

fn best(run: impl Fn() -> f64) -> f64 {
    (0..ROUNDS).map(|_| run()).fold(f64::INFINITY, f64::min)
}

/// Time spent computing, where Linux tells; elsewhere, time gone by.
struct Clock {
    wall: Instant,
    busy: Option<f64>,
}

impl Clock {
    fn start() -> Clock {
        Clock { wall: Instant::now(), busy: busy_nanoseconds() }
    }

    fn nanoseconds(&self) -> f64 {
        match (self.busy, busy_nanoseconds()) {
            (Some(before), Some(now)) => now - before,
            _ => self.wall.elapsed().as_nanos() as f64,
        }
    }
}

fn busy_nanoseconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    stat.split(' ').next()?.parse().ok()
}
