"""Looking inside: values, lines, mistakes, opinions and n-tuples."""

from stage import PageTest
from webdriver import wait


class Values(PageTest):
    def test_values_are_shown_over_every_legal_move(self):
        self.visit("play?game=tictactoe&seat=human&seat=human&moves=b2")
        self.browser.see(".board")
        self.browser.press("v")
        wait("eight values", lambda: self.browser.count(".spot") == 8)
        self.assertEqual(self.browser.count(".spot.best"), 1)
        self.browser.see(".evaluation")
        self.browser.press("v")
        wait("no values", lambda: self.browser.count(".spot") == 0)

    def test_a_hint_rings_the_best_move(self):
        self.visit("play?game=tictactoe&seat=human&seat=human&moves=a1,b1,a2,b2")
        self.browser.see(".board")
        self.browser.press("h")
        self.browser.see(".hint-ring")
        self.browser.see(".toast", "would play")

    def test_values_stand_beside_moves_that_no_cell_means(self):
        self.visit("inside?game=2048&seed=3")
        self.browser.see(".move-button .worth")

    def test_the_study_tells_line_visits_and_depth(self):
        self.visit("inside?game=tictactoe&seat=human&seat=human&moves=b2")
        self.browser.see(".line-of-play li")
        script = """const choice = document.querySelector('.panel select');
            choice.value = 'mcts'; choice.dispatchEvent(new Event('change'));"""
        self.browser.run(script)
        self.browser.see(".study .visit-bar")
        self.browser.see(".facts-list", "Lines tried")


class Game(PageTest):
    def test_mistakes_are_marked_and_the_graph_has_a_line_for_each_player(self):
        self.visit("inside?game=tictactoe&seat=human&seat=human&moves=b2,b1,a1,c1,c3")
        self.browser.see(".study")
        self.browser.click(".row button")
        self.browser.see(".mistake-list .blunder", "b1")
        self.browser.see(".move.blunder", "b1")
        wait("two lines", lambda: self.browser.count(".chart path.line") >= 2)
        self.browser.click(".mistake-list .link")
        self.wait_for_moves(1)

    def test_two_agents_opinions_stand_side_by_side(self):
        self.visit("inside?game=tictactoe&seat=human&seat=human&moves=b2")
        self.browser.click(".pair + .row button")
        wait("eight rows", lambda: self.browser.count(".opinions tbody tr") == 8)
        self.assertEqual(self.browser.count(".opinions tbody tr:first-child .value-chip"), 2)

    def test_tuples_are_drawn_on_the_board(self):
        self.visit("inside?game=tictactoe&seat=human&seat=human&moves=b2")
        self.browser.click(".tuple")
        self.browser.see(".tuple-cell")
