"""Single cells of a table."""

import re
from enum import Enum

NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")


class Alignment(Enum):
    LEFT = "left"
    RIGHT = "right"


def is_number(text):
    return NUMBER.fullmatch(text) is not None


def align(text, width, alignment):
    if alignment is Alignment.RIGHT:
        return text.rjust(width)
    return text.ljust(width)
