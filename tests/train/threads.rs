//! Several threads that learn.

use super::*;

fn learn(run: &Path, rest: &[&str]) -> String {
    let start = ["train", "tictactoe", "--episodes", "3000", "--out", text(run)];
    printed(&[&start[..], rest].concat())
}

#[test]
fn deterministic_threads_give_the_same_bytes_for_any_number() {
    let all = folder("deterministic");
    for threads in ["1", "2", "5"] {
        let told = learn(&all.join(threads), &["--deterministic", "--threads", threads]);
        assert!(told.contains("batches of 32 games by"), "{told}");
    }
    assert_same(&all.join("1"), &all.join("2"));
    assert_same(&all.join("1"), &all.join("5"));
    let plan = std::fs::read_to_string(all.join("1").join("run.toml")).unwrap();
    assert!(plan.contains("batch = 32"), "{plan}");
}

#[test]
fn batches_that_were_chosen_stay_as_they_are() {
    let all = folder("chosen-batches");
    for (name, rest) in [("a", ["--threads", "2"]), ("b", ["--threads", "1"])] {
        let told = learn(&all.join(name), &[&rest[..], &["--set", "learner.batch=50"]].concat());
        assert!(told.contains("batches of 50 games by"), "{told}");
    }
    learn(&all.join("c"), &["--threads", "3", "--deterministic", "--set", "learner.batch=50"]);
    assert_same(&all.join("a"), &all.join("b"));
    assert_same(&all.join("a"), &all.join("c"));
}

#[test]
fn threads_share_weights_unless_told_otherwise_and_say_so() {
    let all = folder("shared");
    let told = learn(&all.join("shared"), &["--threads", "3"]);
    assert!(told.contains("Hogwild: 3 threads share the weights, not reproducible"), "{told}");
    assert!(told.contains("3000 episodes"), "{told}");
    let told = learn(&all.join("one"), &["--threads", "1"]);
    assert!(told.contains("plan      general loop (several players), one thread"), "{told}");
    let plan = std::fs::read_to_string(all.join("shared/run.toml")).unwrap();
    assert!(plan.contains("execution = \"general loop (several players), Hogwild: 3"), "{plan}");
}

#[test]
fn a_thread_for_each_player_learns_the_same_bytes_each_time() {
    let all = folder("apart");
    for name in ["a", "b"] {
        let told = learn(&all.join(name), &["--threads", "2"]);
        assert!(told.contains("pipelined: 2 threads, one for each player"), "{told}");
    }
    assert_same(&all.join("a"), &all.join("b"));
}

#[test]
fn large_tables_of_2048_are_trained_by_the_fused_loop() {
    let all = folder("fused");
    let large = "value.ntuple.tuples=[[0,1,2,4,5],[1,2,5,6,9],[0,1,5,6,7],[4,5,6,9,10]]";
    let out = all.join("run");
    let start = ["train", "2048", "--preset", "default", "--episodes", "50", "--eval", "none"];
    let told = printed(&[&start[..], &["--set", large, "--out", text(&out)]].concat());
    assert!(told.contains("plan      fused loop, one thread"), "{told}");
}

#[test]
fn threads_with_nothing_to_do_are_refused_with_the_reason() {
    let all = folder("idle");
    let out = all.join("run");
    let train = |rest: &[&str]| {
        refused(&[&["train", "tictactoe", "--out", text(&out), "--threads", "2"], rest].concat())
    };
    let told = train(&["--set", "value=mlp"]);
    assert!(told.contains("only n-tuple networks") && told.contains("--deterministic"), "{told}");
    let told = train(&["--set", "learner.repeats=3"]);
    assert!(told.contains("learner.batch lets several play"), "{told}");
    let told = train(&["--deterministic", "--set", "games=[{from=\"random\"}]"]);
    assert!(told.contains("games of self-play only"), "{told}");
    assert!(!out.exists());
    let one = all.join("one");
    learn(&one, &[]);
    let more = ["train", "--resume", text(&one), "--episodes", "4000", "--threads", "2"];
    let told = refused(&more);
    assert!(told.contains("this run was begun with one thread"), "{told}");
}
