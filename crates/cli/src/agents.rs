//! `ludens agents`: who can play.

use crate::console::Console;
use crate::failure::Failure;
use crate::settings::{self, SettingDescription};
use crate::text_table::TextTable;
use ludens_core::Invalid;
use ludens_registry::{AgentInfo, agent_list};
use serde::Serialize;
use std::io::Write;

/// Lists all agents, or describes one.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens agents
  ludens agents mcts
  ludens agents --json")]
pub(crate) struct AgentsArgs {
    /// Describe this agent
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct AgentList {
    agents: Vec<AgentDescription>,
}

#[derive(Serialize)]
struct AgentDescription {
    name: &'static str,
    about: &'static str,
    settings: Vec<SettingDescription>,
}

impl From<AgentInfo> for AgentDescription {
    fn from(AgentInfo { name, about, settings }: AgentInfo) -> AgentDescription {
        AgentDescription { name, about, settings: settings.iter().map(Into::into).collect() }
    }
}

impl AgentsArgs {
    pub(crate) fn run(self, out: &mut Console) -> Result<(), Failure> {
        match (self.name, self.json) {
            (Some(name), false) => print(&find(&name)?, out),
            (Some(name), true) => out.json(&AgentDescription::from(find(&name)?)),
            (None, false) => list().write(out),
            (None, true) => out.json(&AgentList { agents: agent_list().map(Into::into).collect() }),
        }
    }
}

fn find(name: &str) -> Result<AgentInfo, Failure> {
    let unknown = || Invalid::unknown("agent", name, agent_list().map(|agent| agent.name));
    let hint = "`ludens agents` lists all agents";
    agent_list()
        .find(|agent| agent.name == name)
        .ok_or_else(|| Failure::from(unknown()).with_hint(hint))
}

fn list() -> TextTable {
    let mut table = TextTable::new(&["name", "how it plays"]);
    agent_list().for_each(|agent| table.row(vec![agent.name.into(), agent.about.into()]));
    table
}

fn print(agent: &AgentInfo, out: &mut Console) -> Result<(), Failure> {
    writeln!(out, "{}\n{}", out.bold(agent.name), agent.about)?;
    if !agent.settings.is_empty() {
        writeln!(out)?;
        settings::table(agent.settings).write(out)?;
    }
    Ok(())
}
