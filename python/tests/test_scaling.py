"""The simulation of docs/scaling.md."""

from ludens import scaling


def test_games_that_are_dear_pay_and_cheap_ones_do_not():
    cheap, dear = scaling.LEARNINGS
    assert scaling.speed_up(cheap, 1_000) < 2
    assert scaling.speed_up(dear, 10) > 3
    assert scaling.speed_up(dear, 10) < 10


def test_an_experiment_has_no_use_for_more_cores_than_runs():
    few, many = (scaling.experiment_speed_up(400, 1_800, n) for n in (50, 1_000))
    assert few == many and many <= 400 / 8
