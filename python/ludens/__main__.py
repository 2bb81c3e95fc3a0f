"""The `ludens` command."""

import signal
import sys

from ludens._ludens import command


def main() -> int:
    """Does what the command line asks for, and returns the exit code."""
    # Python would only take note of Ctrl-C while Rust works.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["ludens", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
