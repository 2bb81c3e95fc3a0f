//! A run of learning.

use crate::actors::{PythonActors, RaisedException};
use crate::errors::{Invalid, raised};
use crate::new_run::NewRunRequest;
use crate::shutdown;
use crate::work::{InterruptCheck, detached, enter};
use ludens_lab::{Ended, Metrics, Observer, Run, RunFolder, RunOptions, TrainingProgress};
use pyo3::exceptions::{PyKeyboardInterrupt, PySystemExit};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A run of learning that has not ended. Its folder is locked until it is closed.
#[pyclass(frozen, name = "Learning", module = "ludens._ludens")]
pub(crate) struct PyTraining {
    run: Mutex<Option<Run>>,
    folder: PathBuf,
    exception: RaisedException,
}

/// Begins a run in a new folder.
#[pyfunction]
pub(crate) fn begin_run(py: Python<'_>, choice: NewRunRequest) -> PyResult<PyTraining> {
    PyTraining::new(raised(detached(py, || choice.begin())?)?)
}

/// Refuses a folder whose description of the run is damaged.
#[pyfunction]
pub(crate) fn check_run(path: PathBuf) -> PyResult<()> {
    raised(RunFolder { path }.read_plan()).map(drop)
}

/// Goes on with the run in a folder, to `episodes` in all, if given.
#[pyfunction]
#[pyo3(signature = (path, episodes = None))]
pub(crate) fn resume_run(
    py: Python<'_>,
    path: PathBuf,
    episodes: Option<u64>,
) -> PyResult<PyTraining> {
    PyTraining::new(raised(detached(py, || Run::resume(RunFolder { path }, episodes))?)?)
}

impl PyTraining {
    fn new(run: Run) -> PyResult<PyTraining> {
        let folder = run.folder().path.clone();
        Ok(PyTraining { run: Mutex::new(Some(run)), folder, exception: RaisedException::default() })
    }
}

impl PyTraining {
    fn open(&self) -> PyResult<MutexGuard<'_, Option<Run>>> {
        enter(&self.run, "run")
    }
}

fn closed() -> PyErr {
    Invalid::new_err("this run has been closed")
}

#[pymethods]
impl PyTraining {
    /// Lets others work in the folder.
    fn close(&self) -> PyResult<()> {
        self.open()?.take();
        Ok(())
    }

    /// Where everything about the run lies.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    /// Lets a function play the games of every batch from now on; see `Player`.
    #[pyo3(name = "set_crew")]
    fn set_remote_actors(&self, play: Py<PyAny>) -> PyResult<()> {
        let mut run = self.open()?;
        let run = run.as_mut().ok_or_else(closed)?;
        if run.training().batch().is_none_or(|games| games < 2) {
            let what = "games can be played elsewhere only from self-play and in batches: \
                        set learner.batch to more than one";
            return Err(Invalid::new_err(what));
        }
        run.set_remote_actors(Box::new(PythonActors {
            play,
            exception: RaisedException::clone(&self.exception),
        }));
        Ok(())
    }

    /// Learns until all episodes are learned. Ctrl-C saves the run before it interrupts it.
    ///
    /// `tell` is called several times a second with (episode, episodes, moves, measuring, line),
    /// where line is a new line of the learning curve as JSON, or None.
    #[pyo3(signature = (threads, save_every, tell = None))]
    fn go(
        &self,
        py: Python<'_>,
        threads: usize,
        save_every: f64,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let save_every = Duration::try_from_secs_f64(save_every)
            .map_err(|e| Invalid::new_err(format!("save_every: {e}")))?;
        let pace = RunOptions { threads: threads.max(1), save_every, ..RunOptions::default() };
        let interrupts = InterruptCheck::new();
        let ended = detached(py, || {
            let mut run = self.open()?;
            let run = run.as_mut().ok_or_else(closed)?;
            let mut observer =
                PythonObserver { interrupts: &interrupts, tell: tell.as_ref(), progress: None };
            raised(run.go(pace, &|| interrupts.is_over(), &mut observer))
        })?;
        let exception = self.exception.lock().unwrap_or_else(PoisonError::into_inner).take();
        exception.map_or(Ok(()), Err)?;
        match (interrupts.result(), ended?) {
            (Ok(()), Ended::Finished(_)) => Ok(()),
            (Ok(()), Ended::Stopped(_)) if shutdown::is_closing() => Err(PySystemExit::new_err(())),
            (Ok(()), Ended::Stopped(_)) => Err(PyKeyboardInterrupt::new_err(())),
            (Err(error), _) => {
                let shown = self.folder.display();
                error
                    .value(py)
                    .call_method1(
                        "add_note",
                        (format!("the run was saved; ludens.resume({shown:?}) continues it"),),
                    )
                    // Python 3.10 has no notes.
                    .ok();
                Err(error)
            }
        }
    }
}

/// Forwards the reports of a run to Python.
struct PythonObserver<'a> {
    interrupts: &'a InterruptCheck,
    tell: Option<&'a Py<PyAny>>,
    progress: Option<TrainingProgress>,
}

impl PythonObserver<'_> {
    fn call(&mut self, line: Option<String>) {
        let (Some(tell), Some(progress)) = (self.tell, self.progress) else { return };
        let TrainingProgress { episode, episodes, moves, measuring } = progress;
        let arguments = (episode, episodes, moves, measuring, line);
        self.interrupts.listen(|py| tell.call1(py, arguments).map(drop));
    }
}

impl Observer for PythonObserver<'_> {
    fn progress(&mut self, progress: &TrainingProgress) {
        self.progress = Some(*progress);
        self.call(None);
    }

    fn line(&mut self, line: &Metrics) {
        let line = serde_json::to_string(line).expect("numbers and texts can be written");
        self.call(Some(line));
    }

    fn warn(&mut self, what: &str) {
        self.interrupts.listen(|py| {
            let warnings = py.import("warnings")?;
            warnings.call_method1("warn", (what,)).map(drop)
        });
    }
}
