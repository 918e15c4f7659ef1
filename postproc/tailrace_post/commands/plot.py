# SPDX-License-Identifier: Apache-2.0
"""`plot`: draws a run into a picture."""

import os

from ..errors import UsageError
from ..run import open_run

HELP = "draw link utilisation by tier and backlog over time"


def add_arguments(parser):
    """Arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="output file (.h5) of 'tailrace run'; the run may still go on")
    parser.add_argument("-o", "--output", metavar="PICTURE", help="picture to write: .png, .pdf or .svg by its ending "
                        "(default: FILE with .png)")
    parser.add_argument("--title", help="heading (default: the file's name)")


def execute(options):
    """Writes the picture and says where it is."""
    from ..plots import overview, style  # here, since matplotlib is slow to load and other commands do without

    output = options.output or os.path.splitext(options.file)[0] + ".png"
    if os.path.splitext(output)[1].lower() not in style.FORMATS:
        raise UsageError(f"{output}: the ending must be one of {', '.join(style.FORMATS)}")
    with open_run(options.file) as run:
        figure = overview.draw(run, options.title)
    style.save(figure, output)
    print(output)
