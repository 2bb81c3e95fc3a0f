"""The simulation of docs/scaling.md."""

from pathlib import Path

from ludens import scaling

FOUND = scaling.costs()
NET = scaling.network(FOUND)
PAGE = Path(__file__).parents[2] / "docs" / "scaling.md"


def test_games_that_are_dear_pay_and_cheap_ones_do_not():
    run = {"weights": 400_000, "touched": 3_000, "game_bytes": 240, "games": 200_000}
    cheap = scaling.Learning("cheap", play=1e-4, learn=1e-4, **run)
    dear = scaling.Learning("dear", play=0.1, learn=1e-3, **run)
    assert scaling.speed_up(cheap, 1_000, NET) < 3
    assert 3 < scaling.speed_up(dear, 10, NET) < 10
    for measured in scaling.learnings(FOUND):
        parts = scaling.batch_parts(measured, 80, 800, NET)
        assert all(part > 0 for part in parts.values()), measured.name


def test_an_experiment_has_no_use_for_more_cores_than_runs():
    few, many = (scaling.experiment_speed_up(machines, NET) for machines in (50, 1_000))
    assert abs(few - many) < 0.5 and many <= scaling.RUNS / scaling.CORES


def test_the_page_holds_what_was_measured(tmp_path):
    again = tmp_path / "scaling.md"
    again.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    scaling.main([str(again)])
    assert again.read_text(encoding="utf-8") == PAGE.read_text(encoding="utf-8")
