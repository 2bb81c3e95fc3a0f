//! The folder of a run.

use crate::{Plan, RunError};
use ludens_core::Invalid;
use ludens_files::{FolderLock, is_draft_name, is_locked, read_text, replace_file};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Longer plans are none of ours.
const LONGEST_PLAN: u64 = 64 << 20;

/// The last line of a plan, before the checksum of all lines above it.
const CHECKSUM: &str = "# CRC-32 of the lines above: ";

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The folder of a run: where each of its files lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    /// The path of the folder.
    pub path: PathBuf,
}

impl RunFolder {
    /// Everything that was chosen.
    pub fn plan(&self) -> PathBuf {
        self.path.join("run.toml")
    }

    /// The learning curve, line by line.
    pub fn metrics(&self) -> PathBuf {
        self.path.join("metrics.jsonl")
    }

    /// A sample of the games, one per line.
    pub fn games(&self) -> PathBuf {
        self.path.join("games.jsonl")
    }

    /// The times file, one line per line of the learning curve.
    pub fn times(&self) -> PathBuf {
        self.path.join("times.jsonl")
    }

    /// The last checkpoint of an unfinished run.
    pub fn checkpoint(&self) -> PathBuf {
        self.path.join("checkpoint.safetensors")
    }

    /// The final learned value.
    pub fn value(&self) -> PathBuf {
        self.path.join("value.safetensors")
    }

    /// The learned value at the highest evaluation so far.
    pub fn best(&self) -> PathBuf {
        self.path.join("best.safetensors")
    }

    /// The result for programs.
    pub fn summary(&self) -> PathBuf {
        self.path.join("summary.json")
    }

    /// The result for people.
    pub fn summary_text(&self) -> PathBuf {
        self.path.join("summary.txt")
    }

    /// The file to resume from, if the run was ever saved.
    pub fn latest(&self) -> Option<PathBuf> {
        [self.checkpoint(), self.value()].into_iter().find(|path| path.exists())
    }

    /// Whether a process is using the folder.
    pub fn is_busy(&self) -> bool {
        is_locked(&self.path)
    }

    /// Whether the folder is gone, or nothing of its run is left.
    pub(crate) fn is_gone(&self) -> bool {
        !self.plan().exists()
    }

    /// Writes down what the run is going to do.
    pub(crate) fn write_plan(&self, plan: &Plan) -> Result<(), RunError> {
        let text = toml::to_string(plan).expect("a plan can be written");
        let checksum = crc32fast::hash(text.as_bytes());
        let text = format!("{text}{CHECKSUM}{checksum:08x}\n");
        let path = self.plan();
        replace_file(&path, |out| out.write_all(text.as_bytes())).map_err(RunError::file(&path))
    }

    /// Reads the plan of the run.
    ///
    /// # Errors
    ///
    /// If this is no folder of a run, or somebody has changed it beyond recognition.
    pub fn read_plan(&self) -> Result<Plan, RunError> {
        self.parse_plan(&self.plan_text()?)
    }

    /// The text of the plan.
    pub(crate) fn plan_text(&self) -> Result<String, RunError> {
        let path = self.plan();
        read_text(&path, LONGEST_PLAN).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => {
                Invalid(format!("{} holds no run: it has no run.toml", self.path.display())).into()
            }
            _ => RunError::file(&path)(e),
        })
    }

    /// Refuses the text of a plan that is not as it was written. Older plans have no checksum.
    pub(crate) fn check_plan(&self, text: &str) -> Result<(), RunError> {
        let Some((plan, written)) = text.rsplit_once(CHECKSUM) else { return Ok(()) };
        let found = format!("{:08x}", crc32fast::hash(plan.as_bytes()));
        if written.trim_end() == found {
            return Ok(());
        }
        Err(Invalid(format!(
            "{} was changed or is damaged: the CRC-32 of its lines is {found}, and {} was written; \
             a run resumes only with the settings it began with (--episodes may be larger)",
            self.plan().display(),
            written.trim_end()
        ))
        .into())
    }

    pub(crate) fn parse_plan(&self, text: &str) -> Result<Plan, RunError> {
        let path = self.plan();
        toml::from_str(text).map_err(|e| {
            let found = toml::from_str::<toml::Table>(text).ok();
            let writer = found.as_ref().and_then(|plan| plan.get("ludens")?.as_str());
            let newer = writer.filter(|&version| version != VERSION).map_or(String::new(), |by| {
                format!("; the run was begun by ludens {by}, and this is {VERSION}")
            });
            Invalid(format!("{}: {}{newer}", path.display(), e.to_string().trim_end())).into()
        })
    }
}

/// Makes a new folder for a run.
///
/// With a `wanted` path, that one; otherwise `runs/NAME`, with a number behind it if that exists.
///
/// # Errors
///
/// If the wanted folder holds something already, or no folder can be made.
pub fn new_folder(wanted: Option<&Path>, name: &str) -> Result<RunFolder, RunError> {
    if let Some(path) = wanted {
        fs::create_dir_all(path).map_err(RunError::file(path))?;
        let folder = RunFolder { path: path.into() };
        if folder.plan().exists() {
            let shown = path.display();
            return Err(Invalid(format!(
                "{shown} holds a run already; `ludens train --resume {shown}` resumes it"
            ))
            .into());
        }
        let mut inside = fs::read_dir(path).map_err(RunError::file(path))?;
        // A run that was killed before it began leaves its lock and drafts.
        let is_leftover = |name: &OsStr| FolderLock::is_name(name) || is_draft_name(name);
        if inside.any(|entry| entry.is_ok_and(|entry| !is_leftover(&entry.file_name()))) {
            return Err(Invalid(format!("{} is not empty", path.display())).into());
        }
        return Ok(folder);
    }
    new_folder_in(Path::new("runs"), name)
}

/// Makes the folder NAME for a run below `parent`, with a number behind it if that exists.
///
/// # Errors
///
/// If no folder can be made.
pub fn new_folder_in(parent: &Path, name: &str) -> Result<RunFolder, RunError> {
    let length = folder_name(name).len();
    if length > MAX_NAME {
        let what = format!("a run's name has at most {MAX_NAME} letters, found {length}");
        return Err(Invalid(what).into());
    }
    fs::create_dir_all(parent).map_err(RunError::file(parent))?;
    for path in numbered(parent, name) {
        match fs::create_dir(&path) {
            Ok(()) => return Ok(RunFolder { path }),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(RunError::file(&path)(e)),
        }
    }
    unreachable!("there is always another number")
}

/// The newest interrupted run of this plan among the folders that [`new_folder_in`] made for `name`.
pub fn interrupted_run(parent: &Path, name: &str, plan: &Plan) -> Option<RunFolder> {
    let existing = numbered(parent, name).map(|path| RunFolder { path });
    let existing = existing.take_while(|folder| folder.path.exists());
    let is_interrupted = |folder: &RunFolder| {
        let same = folder.read_plan().is_ok_and(|there| plan.difference(&there).is_none());
        same && folder.latest().is_some() && !folder.summary().exists() && !folder.is_busy()
    };
    existing.filter(is_interrupted).last()
}

/// NAME below `parent`, then with the numbers from two on behind it.
fn numbered(parent: &Path, name: &str) -> impl Iterator<Item = PathBuf> {
    let name = folder_name(name);
    (1..).map(move |number| match number {
        1 => parent.join(&name),
        _ => parent.join(format!("{name}-{number}")),
    })
}

/// The longest name of a run's folder.
const MAX_NAME: usize = 100;

/// The text as the name of a folder: everything but letters, digits and points as hyphens.
///
/// Points at the beginning, which hide folders or lead out of them, become hyphens too.
///
/// ```
/// assert_eq!(ludens_lab::folder_name("../.hidden"), "---.hidden");
/// assert_eq!(ludens_lab::folder_name("hex:size=7, TCL[rr]"), "hex-size-7--TCL-rr-");
/// ```
pub fn folder_name(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-.".contains(c) { c } else { '-' };
    let name: String = text.chars().map(plain).collect();
    let visible = name.trim_start_matches('.');
    "-".repeat(name.len() - visible.len()) + visible
}
