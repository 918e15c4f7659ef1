# SPDX-License-Identifier: Apache-2.0
"""Command line of tailrace_post; each command is a module of commands/ with HELP, add_arguments() and execute()."""

import argparse
import os
import sys

from .commands import info, plot
from .errors import RunFileError, UsageError
from .run import try_again
from .version import SCHEMA_VERSION, __version__

COMMANDS = {"info": info, "plot": plot}

DONE, FAILED, WRONG_INPUT = 0, 1, 2  # exit codes, as those of the executable


def build_parser():
    """The parser of all commands."""
    parser = argparse.ArgumentParser(prog="tailrace_post", description="Looks at the output files of Tailrace.")
    parser.add_argument("--version", action="version", version=f"tailrace_post {__version__}, schema {SCHEMA_VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, module in COMMANDS.items():
        command = commands.add_parser(name, help=module.HELP, description=module.HELP)
        module.add_arguments(command)
    return parser


def main(arguments=None):
    """Runs one command; returns the exit code."""
    options = build_parser().parse_args(arguments)
    try:
        try_again(lambda: COMMANDS[options.command].execute(options))
        sys.stdout.flush()
        return DONE
    except (RunFileError, UsageError) as error:
        print(f"tailrace_post: error: {error}", file=sys.stderr)
        return WRONG_INPUT
    except BrokenPipeError:  # the reader of a pipe has seen enough; Python must not complain when it closes stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        print(f"tailrace_post: error: {error}", file=sys.stderr)
        return FAILED
