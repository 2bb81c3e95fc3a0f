"""The command that the wheel carries."""

import subprocess
import sys

import ludens


def run(*arguments):
    return subprocess.run([sys.executable, "-m", "ludens", *arguments], capture_output=True,
                          text=True)


def test_the_command_is_the_one_of_rust():
    done = run("perft", "tictactoe", "2")
    assert done.returncode == 0 and "72" in done.stdout


def test_mistakes_have_the_exit_code_and_message_of_the_command():
    done = run("show", "conect4")
    assert done.returncode == 2
    try:
        ludens.game("conect4")
    except ludens.Invalid as error:
        assert str(error) in done.stderr
    assert "`ludens perft --help`" in run("perft", "tictactoe", "x").stderr
