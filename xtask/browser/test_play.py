"""Playing: every kind of game by clicking, by typing and by keyboard."""

import time

from stage import PHONE, PageTest
from webdriver import wait

# How often the page has asked the server to let an agent choose a move.
CHOICES = """return performance.getEntriesByType('resource')
    .filter((entry) => entry.name.endsWith('/api/choose')).length"""


class Games(PageTest):
    def test_the_gallery_shows_a_board_of_every_game(self):
        self.visit("play/games")
        wait("all games", lambda: self.browser.count(".game-card .board") >= 8)

    def play(self, game, seats, start=None):
        start = f"&start={start}" if start else ""
        self.visit(f"play?game={game}{'&seat=human' * seats}{start}")
        self.browser.see(".board")
        moves = self.play_by_clicking()
        self.assertGreater(moves, 0)
        return self.status()

    def test_tictactoe_is_played_by_clicking_cells(self):
        self.assertIn("Player 1 wins", self.play("tictactoe", 2))

    def test_stones_drop_into_columns(self):
        self.assertRegex(self.play("connect4", 2), "wins|draw")

    def test_hexagons_are_clicked(self):
        self.assertIn("wins", self.play("hex:size%3D4", 2))

    def test_discs_flip_and_a_pass_is_a_button(self):
        self.assertRegex(self.play("othello:size%3D6", 2), "wins|draw")

    def test_heaps_are_taken_from(self):
        self.assertIn("wins", self.play("nim", 2))
        self.assertIn("wins", self.play("nimm3", 2))

    def test_three_players_take_turns(self):
        self.visit("play?game=nim:players%3D3&seat=human&seat=human&seat=human")
        self.browser.see(".status", "Player 1")
        self.browser.click(".board .target")
        self.browser.see(".status", "Player 2")
        self.browser.click(".board .target")
        self.browser.see(".status", "Player 3")

    def test_one_player_slides_tiles_to_the_end(self):
        full = "2 4 8 16/4 8 16 32/8 16 32 64/16 32 64 . player 1".replace(" ", "%20")
        self.assertIn("points", self.play("2048", 1, full))


class Champions(PageTest):
    LEVELS = """
        const selects = [...document.querySelectorAll(".seat .agent-picker > .field > select")];
        return selects.map((s) => [s.value, [...s.options].map((o) => o.value)]);
    """

    def test_every_seat_offers_the_champion_from_the_first_start(self):
        for game, seats in (("2048", 1), ("connect4", 2), ("nim:players%3D3", 3)):
            self.visit(f"play?game={game}")
            self.browser.see(".board")
            shown = self.browser.run(self.LEVELS)
            self.assertEqual(len(shown), seats)
            for chosen, options in shown:
                self.assertIn("champion", options)
            for chosen, _ in shown[1:]:
                self.assertEqual(chosen, "level:strength=5,agent=champion")

    def test_a_champion_plays_2048(self):
        self.visit("play?game=2048&seat=champion")
        self.browser.see(".toolbar button", "Let them play")
        self.browser.press("Space")
        wait("three moves", lambda: len(self.moves()) >= 3)


class Motion(PageTest):
    def tearDown(self):
        self.browser.prefer_calm(False)
        super().tearDown()

    def motions(self, route, key):
        """What moved when a key was pressed."""
        self.visit(route)
        self.browser.see(".board")
        self.browser.run(SPY)
        moves = len(self.moves())
        self.browser.press(key)
        wait("the move", lambda: len(self.moves()) > moves)
        return " ".join(self.browser.run("return window.motions"))

    def test_stones_drop_discs_flip_and_tiles_slide(self):
        two = "&seat=human&seat=human"
        self.assertIn("translateY(-", self.motions(f"play?game=connect4{two}", "4"))
        othello = f"play?game=othello{two}&moves=d3"
        self.visit(othello)
        self.browser.see(".board")
        self.browser.run(SPY)
        self.browser.click(".board .target")
        self.wait_for_moves(2)
        self.assertIn("scaleX(0)", " ".join(self.browser.run("return window.motions")))
        tiles = "2%20.%20.%20./4%20.%20.%20./.%20.%20.%20./.%20.%20.%20.%20player%201"
        self.assertIn("translate(3px", self.motions(f"play?game=2048&start={tiles}", "ArrowRight"))

    def test_nothing_moves_for_those_who_want_it_calm(self):
        self.browser.prefer_calm(True)
        self.assertEqual(self.motions("play?game=connect4&seat=human&seat=human", "4"), "")


class AgainstAgents(PageTest):
    def test_an_agent_answers_and_its_move_is_taken_back_with_mine(self):
        self.visit("play?game=tictactoe&seat=human&seat=perfect")
        self.browser.click(".board .target")
        self.wait_for_moves(2)
        self.browser.see(".status", "your move")
        self.assertEqual(self.browser.count(".board [data-last]"), 1)
        self.browser.click(".toolbar button[title^='Take back']")
        self.wait_for_moves(0)
        self.assertEqual(self.browser.count(".move.later"), 2)
        self.browser.click(".toolbar button[title^='Forward']")
        self.wait_for_moves(1)

    def test_agents_play_each_other_until_they_are_paused(self):
        self.visit("play?game=tictactoe&seat=perfect&seat=random&seed=5")
        self.browser.see(".toolbar button", "Let them play")
        self.browser.press("Space")
        wait("the end", lambda: "your move" not in self.status() and len(self.moves()) >= 5)

    def test_a_link_that_names_agents_waits_for_a_click(self):
        for seats in ["seat=random&seat=human", "seat=human&seat=random&moves=b2"]:
            self.visit(f"play?game=tictactoe&{seats}&seed=5")
            self.browser.see(".status", "random waits")
            self.browser.see(".toolbar button", "Let them play")
            before = len(self.moves())
            time.sleep(0.5)
            self.assertEqual((self.browser.run(CHOICES), len(self.moves())), (0, before))
            self.browser.press("Space")
            self.wait_for_moves(before + 1)
            self.browser.see(".status", "your move")

    def test_sides_are_swapped_and_the_game_begins_again(self):
        self.visit("play?game=tictactoe&seat=human&seat=random")
        self.browser.see(".status", "your move")
        self.browser.press("s")
        self.wait_for_moves(1)
        self.browser.see(".status", "Player 2: your move")
        self.browser.press("n")
        self.wait_for_moves(1)

    def test_a_seat_is_given_to_an_agent_with_settings(self):
        self.visit("play?game=tictactoe&seat=human&seat=random")
        self.browser.see(".status", "your move")
        script = """const seat = document.querySelectorAll('.seat select')[1];
            seat.value = 'mcts'; seat.dispatchEvent(new Event('change'));"""
        self.browser.run(script)
        self.browser.see(".seat:nth-child(2) .settings label", "iterations")
        self.browser.click(".seat:nth-child(2) summary")
        self.browser.write(".seat:nth-child(2) .settings input", "50")
        self.browser.press("Tab")
        address = "return decodeURIComponent(location.hash)"
        wait("the link", lambda: "mcts:iterations=50" in self.browser.run(address))
        self.browser.click(".board .target")
        self.wait_for_moves(2)


class Positions(PageTest):
    expected_complaints = ("status of 422",)

    def test_a_link_holds_the_game_and_its_moves(self):
        self.visit("play?game=connect4&seat=human&seat=human")
        self.browser.see(".board")
        for count, column in enumerate("4453", 1):
            self.browser.press(column)
            self.wait_for_moves(count)
        link = self.browser.run("return location.href")
        self.visit("read")
        self.browser.open(link)
        self.browser.see(".board")
        self.wait_for_moves(4)
        self.assertEqual(self.moves(), ["4", "4", "5", "3"])

    def test_a_position_is_set_up_by_pointing_and_as_text(self):
        self.visit("play?game=tictactoe&seat=human&seat=human")
        self.browser.see(".board")
        self.browser.press("e")
        self.browser.click(".setup-board .cell[data-cell='4']")
        wait("the text", lambda: "x" in self.browser.run(STATE))
        self.browser.write("dialog textarea", "nonsense")
        self.browser.see("dialog .wrong")
        self.assertEqual(self.browser.count("dialog .primary:disabled"), 1)
        self.browser.write("dialog textarea", "xx./oo./...")
        self.browser.see("dialog [role=status]", "Player 1 to move")
        self.browser.click("dialog .primary")
        self.browser.click(".board [aria-label=c1]")
        self.browser.see(".status", "Player 1 wins")

    def test_a_wrong_move_is_refused_with_a_reason(self):
        self.visit("play?game=tictactoe&seat=human&seat=human")
        self.browser.write(".typed input", "z9")
        self.browser.press("Enter")
        self.browser.see(".toast.error", "z9")

    def test_the_settings_of_a_game_change_its_board(self):
        self.visit("play?game=hex:size%3D3&seat=human&seat=human")
        wait("nine cells", lambda: self.browser.count(".board .cell") == 9)


class Keyboard(PageTest):
    def test_a_game_is_chosen_and_played_without_a_mouse(self):
        self.visit("play/games")
        self.browser.see(".game-card")
        self.browser.run("document.querySelector('.game-card[href*=tictactoe]').focus()")
        self.browser.press("Enter")
        self.browser.see(".board .target")
        self.browser.press("b")
        self.browser.press("ArrowRight", "ArrowDown", "Enter")
        wait("a move", lambda: self.moves()[:1] == ["b2"])
        self.browser.see(".status", "your move")
        self.browser.press("/")
        first = "return document.querySelector('.target').getAttribute('aria-label')"
        free = self.browser.run(first)
        self.browser.press(*free, "Enter")
        wait("my second move", lambda: free in self.moves()[2:3])

    def test_a_question_mark_lists_the_keys(self):
        self.visit("play?game=tictactoe")
        self.browser.see(".board")
        self.browser.press("?")
        self.browser.see("dialog", "take back")
        self.browser.press("Escape")
        wait("no sheet", lambda: self.browser.count("dialog") == 0)

    def test_arrow_keys_slide_tiles(self):
        self.visit("play?game=2048&seed=3")
        self.browser.see(".move-button")
        wanted = {"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight"}
        for count in range(1, 6):
            self.browser.press(wanted[self.browser.text(".move-button")])
            self.wait_for_moves(count)

    def test_a_phone_is_wide_enough_to_play(self):
        self.browser.resize(*PHONE)
        self.visit("play?game=connect4&seat=human&seat=human")
        self.browser.click(".board .target")
        self.wait_for_moves(1)


SPY = """window.motions = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
        window.motions.push(frames.map((frame) => frame.transform).join(' '));
        return animate.call(this, frames, timing);
    };"""
STATE = "return document.querySelector('dialog textarea').value"
