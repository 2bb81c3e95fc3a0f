"""For everybody: axe finds nothing, nothing is wider than the screen, light and dark."""

from axe import axe
from stage import DESKTOP, PHONE, PageTest
from webdriver import wait

VIEWS = {
    "play/games": ".game-card",
    "play?game=connect4&seat=human&seat=human&moves=4,4": ".board .target",
    "play?game=2048&seed=3": ".move-button",
    "inside?game=tictactoe&seat=human&seat=human&moves=b2,b1": ".spot",
    "runs?run=tictactoe-default-1&run=tictactoe-farl-1": ".differs",
    "compare": ".contestant select",
    "read/games/connect4": ".prose h1",
}
CHECK = """const done = arguments[0];
    axe.run(document, { resultTypes: ['violations'] }).then((result) => done(
        result.violations.map((found) => [found.id, found.help,
            found.nodes.slice(0, 3).map((node) => node.html + ' ' + node.failureSummary)])));"""


class Access(PageTest):
    def check(self, size, theme):
        for route, sign in VIEWS.items():
            with self.subTest(route=route, width=size[0], theme=theme):
                self.browser.resize(*size)
                self.visit(route, theme)
                self.browser.see(sign)
                wait("stillness", lambda: self.browser.run(STILL))
                too_wide = "return document.scrollingElement.scrollWidth - innerWidth"
                self.assertLessEqual(self.browser.run(too_wide), 0)
                self.browser.run(axe())
                self.assertEqual(self.browser.run_later(CHECK), [])

    def test_a_desktop_in_the_light(self):
        self.check(DESKTOP, "light")

    def test_a_phone_in_the_dark(self):
        self.check(PHONE, "dark")

    def test_sheets_have_names_and_labels(self):
        self.visit("runs")
        self.browser.click(".run-list .primary")
        self.browser.see("dialog fieldset")
        self.browser.run(axe())
        self.assertEqual(self.browser.run_later(CHECK), [])
        self.browser.press("Escape")


# Colours are judged when nothing fades in any more.
STILL = """return document.getAnimations()
    .every((each) => each.playState !== 'running' || each.effect.getTiming().iterations > 1)"""
