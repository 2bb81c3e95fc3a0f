"""Comparing and reading: contests with their tables, and pages."""

from stage import PageTest
from webdriver import wait


class Contests(PageTest):
    def start(self, agents):
        self.visit("compare")
        wait("agents", lambda: self.browser.count(".contestant select option") > 4)
        for _ in agents[2:]:
            self.browser.click(".contestants + button")
        script = """document.querySelectorAll('.contestant select').forEach((choice, i) => {
            choice.value = arguments[0][i]; choice.dispatchEvent(new Event('change')); });"""
        self.browser.run(script, agents)
        self.browser.write(".settings input", "20")
        self.browser.click("form [type=submit]")

    def test_a_match_tells_shares_roles_and_an_interval(self):
        self.start(["perfect", "random"])
        self.browser.see(".share-bar")
        self.browser.see("[aria-label='Results by role']", "player 2")
        self.assertGreater(self.browser.count(".whisker"), 2)

    def test_a_tournament_has_standings_and_a_cross_table(self):
        self.start(["perfect", "random", "endgame-random"])
        wait("a cross table", lambda: self.browser.count(".cross-cell") == 6)
        self.browser.see("[aria-label=Standings]", "perfect")


class Pages(PageTest):
    def test_rules_are_read_and_lead_to_the_game(self):
        self.visit("read/games/hex")
        self.browser.see(".prose h1", "Hex")
        self.browser.click(".prose .button")
        self.browser.see(".stage h1", "Hex")
