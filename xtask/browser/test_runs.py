"""Watching: curves of runs, settings side by side, and a training from the page."""

from stage import PageTest
from webdriver import wait


class Runs(PageTest):
    def test_runs_are_overlaid_and_their_differences_marked(self):
        self.visit("runs?run=tictactoe-default-1&run=tictactoe-farl-1")
        wait("two curves", lambda: self.browser.count(".legend li") == 2)
        self.browser.see(".differs th")
        self.browser.see(".run-facts", "Weights touched")
        self.browser.see(".histogram")

    def test_seeds_of_the_same_settings_are_one_curve_with_a_band(self):
        self.visit("runs?run=tictactoe-default-1&run=tictactoe-default-2")
        self.browser.see(".legend li", "2 seeds")
        self.browser.see(".band")

    def test_runs_are_filtered(self):
        self.visit("runs")
        wait("all runs", lambda: self.browser.count(".run-items li") >= 3)
        self.browser.press("f")
        self.browser.press(*"farl-1")
        wait("one run", lambda: self.browser.count(".run-items li") == 1)

    def test_sample_games_are_replayed(self):
        self.visit("runs?run=tictactoe-default-1")
        self.browser.click(".sample-games summary")
        self.browser.click(".sample-list .link")
        self.browser.see(".sample-board .board")
        self.browser.see(".sample-viewer", "Move")

    def test_a_training_is_started_and_its_curve_moves(self):
        self.visit("runs")
        self.browser.see(".run-items .chosen")
        self.browser.press("x", "a")
        wait("presets", lambda: self.browser.count("dialog [name=preset] option") > 1)
        self.browser.write("dialog [name=episodes]", "300000000")
        self.browser.write("dialog [name=every]", "2000")
        self.browser.write("dialog [name=evaluation]", "random:20")
        self.browser.write("dialog [name=name]", "from-the-page")
        self.browser.click("dialog [type=submit]")
        self.browser.see("[aria-label='The run'] h2", "from-the-page")
        first = wait("a curve", self.points)
        wait("a longer curve", lambda: self.points() > first)
        self.stop_and_resume()

    def stop_and_resume(self):
        self.browser.click("[aria-label='The run'] .danger")
        self.browser.see(".run-facts", "stopped")
        self.browser.click("[aria-label='The run'] .row button")
        self.browser.see(".run-facts", "learning")
        self.browser.click("[aria-label='The run'] .danger")
        self.browser.see(".run-facts", "stopped")

    def points(self):
        """How many points the curve has."""
        script = """const line = document.querySelector('.chart-picture path.line');
            return line ? line.getAttribute('d').split('L').length : 0"""
        return self.browser.run(script)

    def test_a_changed_setting_reaches_the_run(self):
        self.visit("runs")
        self.browser.click(".run-list .primary")
        wait("groups", lambda: self.browser.count("dialog fieldset") >= 6)
        script = """const label = [...document.querySelectorAll('dialog label')]
            .find((each) => each.textContent === arguments[0]);
            label.control.value = arguments[1];
            label.control.dispatchEvent(new Event('change'));"""
        self.browser.run(script, "gamma", "0.5")
        self.browser.write("dialog [name=episodes]", "200")
        self.browser.write("dialog [name=evaluation]", "none")
        self.browser.write("dialog [name=name]", "changed")
        self.browser.click("dialog [type=submit]")
        self.browser.see("[aria-label='The run'] h2", "changed")
        self.visit("runs?run=changed&run=tictactoe-default-1")
        gamma = """return [...document.querySelectorAll('.differs')]
            .find((row) => row.textContent.includes('gamma'))?.textContent ?? ''"""
        wait("gamma", lambda: "0.5" in self.browser.run(gamma))

    def test_the_form_holds_every_setting_of_the_schema(self):
        self.visit("runs")
        self.browser.click(".run-list .primary")
        wait("groups", lambda: self.browser.count("dialog fieldset") >= 6)
        self.browser.press("Escape")
