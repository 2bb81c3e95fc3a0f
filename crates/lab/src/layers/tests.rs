use super::*;
use ludens_learn::config::{ExploreConfig, Number, StepRule, Tcl, ValueConfig};

fn layers() -> Layers {
    let mut layers = Layers::default();
    let text = "episodes = 500\n[learner]\nalpha = 0.5\n[step.tcl]\nbeta = 2.0\n\
                [explore.epsilon]\nrate = { from = 0.2, to = 0.0 }\n";
    layers.add_file("preset", text).unwrap();
    layers
}

fn refusal(text: &str) -> String {
    layers().set(text).unwrap_err().to_string()
}

#[test]
fn settings_are_found_where_people_look_for_them() {
    let mut layers = layers();
    layers.set("learner.lambda=0.8").unwrap();
    layers.set("learner.epsilon=0.3").unwrap();
    let config = layers.config().unwrap();
    assert_eq!(config.trace.lambda, 0.8);
    let ExploreConfig::Epsilon { rate, .. } = config.explore else { panic!("as below") };
    assert_eq!(rate, Number::Constant(0.3));
}

#[test]
fn later_layers_change_only_what_they_say() {
    let mut layers = layers();
    layers.add_file("mine.toml", "[learner]\ngamma = 0.9\n[step.tcl]\nstart = 1\n").unwrap();
    layers.set("learner.alpha=0.25").unwrap();
    layers.set("explore.epsilon.rate.to=0.1").unwrap();
    let config = layers.config().unwrap();
    assert_eq!(config.episodes, 500);
    assert_eq!((config.learner.alpha, config.learner.gamma), (Number::Constant(0.25), 0.9));
    let expected = StepRule::Tcl(Tcl { beta: 2.0, initial: 1.0, ..Tcl::default() });
    assert_eq!(config.step, expected);
    let ExploreConfig::Epsilon { rate } = config.explore else { panic!("as below") };
    assert_eq!(rate.range(), (0.1, 0.2));
}

#[test]
fn another_kind_takes_the_place_of_the_one_below() {
    let mut layers = layers();
    layers.set("explore.softmax.temperature=1").unwrap();
    layers.set("step=constant").unwrap();
    layers.set("value=table").unwrap();
    let config = layers.config().unwrap();
    assert_eq!(config.explore, ExploreConfig::Softmax { temperature: Number::Constant(1.0) });
    assert_eq!(config.step, StepRule::Constant);
    assert!(matches!(config.value, ValueConfig::Table(_)));
    layers.set("step=tcl").unwrap();
    assert!(matches!(layers.config().unwrap().step, StepRule::Tcl(_)));
}

#[test]
fn settings_of_a_preset_that_do_not_apply_are_dropped_with_a_note() {
    let text = "[learner]\nalpha = { from = 0.1, to = 0.01 }\n[step.tcl]\nbeta = 2.0\n";
    let mut base = Layers::default();
    base.add_file("preset", text).unwrap();
    let mut layers = base.clone().into_base();
    layers.set("step=idbd").unwrap();
    let (config, notes) = layers.resolve().unwrap();
    assert!(matches!(config.step, StepRule::Idbd(_)));
    assert_eq!(config.learner.alpha, Config::default().learner.alpha);
    assert_eq!(notes.len(), 1);
    assert!(notes[0].starts_with("learner.alpha of the preset is dropped: "), "{notes:?}");
    // Whoever sets it expects an effect.
    base.set("step=idbd").unwrap();
    let (config, notes) = base.resolve().unwrap();
    assert!(notes.is_empty() && ineffective(&config).is_some());
}

#[test]
fn no_random_beginnings_need_no_more_than_a_share_of_zero() {
    let text = "[start]\nshare = 0.5\nmin-plies = 1\nmax-plies = 3\n";
    let mut base = Layers::default();
    base.add_file("preset", text).unwrap();
    let mut layers = base.into_base();
    layers.set("start.share=0").unwrap();
    let (config, notes) = layers.resolve().unwrap();
    assert_eq!((config.start.min_plies, config.start.max_plies, notes.len()), (0, 0, 2));
}

#[test]
fn the_last_part_of_a_key_leads_to_the_full_one() {
    assert_eq!(
        refusal("alpha=0.1"),
        "alpha=0.1: no setting is called \"alpha\"; did you mean \"learner.alpha\"?"
    );
    assert!(refusal("lambda=0.5").contains("did you mean \"trace.lambda\"?"));
}

#[test]
fn every_way_to_explore_may_be_chosen_by_its_name() {
    let tenth = Number::Constant(0.1);
    for (name, expected) in [
        ("softmax", ExploreConfig::Softmax { temperature: tenth }),
        ("random-ratings", ExploreConfig::RandomRatings { share: tenth }),
        ("sample", ExploreConfig::Sample { share: Number::Constant(0.5) }),
    ] {
        let mut layers = layers();
        layers.set(&format!("explore={name}")).unwrap();
        assert_eq!(layers.resolve().unwrap().0.explore, expected, "{name}");
    }
}

#[test]
fn texts_need_no_quotes() {
    let mut layers = layers();
    layers.set("game=hex:size=5").unwrap();
    layers.set("learner.learn-from-random=always").unwrap();
    assert_eq!(layers.config().unwrap().game, "hex:size=5");
}

#[test]
fn wrong_settings_are_named_with_what_is_known() {
    let wrong = refusal("lerner.alpha=1");
    let starts = "lerner.alpha=1: no setting is called \"lerner\"; did you mean \"learner\"?";
    assert!(wrong.starts_with(starts), "{wrong}");
    let wrong = refusal("explore.epsilon.rat=1");
    assert!(wrong.contains("no setting is called \"rat\""), "{wrong}");
    let wrong = refusal("learner.algorithm=td-fral");
    assert!(wrong.contains("did you mean \"td-farl\"?"), "{wrong}");
    assert!(wrong.contains("learner.algorithm"), "{wrong}");
    assert!(refusal("episodes=many").contains("expected u64"), "{}", refusal("episodes=many"));
    assert!(refusal("episodes").starts_with("expected key=value"));
    assert!(refusal(".=1").starts_with("expected key=value"));
}

#[test]
fn a_mistake_in_a_file_is_shown_with_its_line() {
    let message =
        |text: &str| Layers::default().add_file("mine.toml", text).unwrap_err().to_string();
    let wrong = message("episodes = 5\n\n[learner]\nalfa = 0.5\n");
    assert!(wrong.starts_with("mine.toml, line 4: no setting is called \"alfa\""), "{wrong}");
    assert!(wrong.contains("did you mean \"alpha\"?"), "{wrong}");
    assert!(wrong.ends_with("\n  4 | alfa = 0.5"), "{wrong}");
    let wrong = message("episodes = 5\n[learner]\nalpha = \"fast\"\n");
    assert!(wrong.starts_with("mine.toml, line 3: ") && wrong.contains("0.1"), "{wrong}");
    assert!(message("episodes = \n").starts_with("mine.toml, line 1: "));
    let wrong = message("[explore.epsilon]\nrate = 1\n[explore.softmax]\ntemperature = 1\n");
    assert!(wrong.starts_with("mine.toml"), "{wrong}");
}

#[test]
fn differences_are_told_key_by_key() {
    let usual = Config::default();
    let mut other = usual.clone();
    other.learner.gamma = 0.9;
    other.step = StepRule::Tcl(Tcl::default());
    let found = differences(&usual, &other);
    let gamma = ("learner.gamma".into(), Some("1".into()), Some("0.9".into()));
    assert!(found.contains(&gamma), "{found:?}");
    assert!(found.iter().any(|(key, ..)| key == "step.tcl.beta"));
    assert!(differences(&usual, &usual).is_empty());
}

#[test]
fn the_kinds_are_those_of_the_schema() {
    let schema = serde_json::to_value(schemars::schema_for!(Config)).unwrap();
    let is_kind = |name: &str| {
        let property = &schema["properties"][name];
        let reference = property["$ref"].as_str().and_then(|r| r.rsplit('/').next());
        reference.is_some_and(|r| {
            let kinds = schema["$defs"][r]["oneOf"].as_array();
            kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind["properties"].is_object()))
        })
    };
    let names = schema["properties"].as_object().unwrap().keys();
    let mut found: Vec<&String> = names.filter(|name| is_kind(name)).collect();
    found.sort();
    assert_eq!(found, KINDS);
}
