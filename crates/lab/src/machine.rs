//! The machine that a run was made on.

use serde::{Deserialize, Serialize};

/// The machine that a run was made on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The name of the processor, if known.
    pub cpu: String,
    /// The number of hardware threads.
    pub cores: usize,
    /// The operating system.
    pub os: String,
}

impl Machine {
    /// This machine.
    pub fn this() -> Machine {
        let cpu = field_of("/proc/cpuinfo", "model name");
        Machine {
            cpu: cpu.unwrap_or_else(|| std::env::consts::ARCH.into()),
            cores: std::thread::available_parallelism().map_or(1, Into::into),
            os: std::env::consts::OS.into(),
        }
    }
}

/// What a file of the system says about `field`, after the colon.
pub(crate) fn field_of(path: &str, field: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(field))?;
    Some(line.split_once(':')?.1.trim().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_a_processor() {
        let machine = Machine::this();
        assert!(machine.cores > 0 && !machine.cpu.is_empty() && !machine.os.is_empty());
    }
}
