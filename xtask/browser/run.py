"""Runs the tests of the page in a Chromium; `run.py pictures` draws the README's pictures."""

import pathlib
import sys
import unittest

import pictures
from stage import close_stage

HERE = str(pathlib.Path(__file__).parent)


def run_tests(names):
    """Runs the tests with these names, or all; whether all passed."""
    loader = unittest.defaultTestLoader
    tests = loader.loadTestsFromNames(names) if names else loader.discover(HERE)
    return unittest.TextTestRunner(verbosity=2).run(tests).wasSuccessful()


def main(words):
    try:
        if words == ["pictures"]:
            pictures.draw_all()
            return 0
        return 0 if run_tests(words) else 1
    finally:
        close_stage()


sys.exit(main(sys.argv[1:]))
