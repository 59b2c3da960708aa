"""Run-length coding of text, and packing of rows of pixels with it."""

ESCAPE = "\\"


def runs(text):
    """Pairs (character, how often in a row)."""
    result = []
    for char in text:
        if result and result[-1][0] == char:
            result[-1] = (char, result[-1][1] + 1)
        else:
            result.append((char, 1))
    return result


def encode(text):
    parts = []
    for char, count in runs(text):
        shown = ESCAPE + char if char.isdigit() or char == ESCAPE else char
        parts.append(shown if count == 1 else f"{count}{shown}")
    return "".join(parts)


def decode(code):
    result = []
    count = ""
    at = 0
    while at < len(code):
        char = code[at]
        if char.isdigit():
            count += char
            at += 1
            continue
        if char == ESCAPE:
            at += 1
            if at == len(code):
                raise ValueError("the code ends after an escape")
            char = code[at]
        if count and int(count) == 0:
            raise ValueError("a run of nothing")
        result.append(char * int(count or 1))
        count = ""
        at += 1
    if count:
        raise ValueError("the code ends after a number")
    return "".join(result)


def pack(rows):
    """Rows of equal width as lengths of runs that start with zeros."""
    if not rows:
        return 0, []
    width = len(rows[0])
    lengths = []
    current = 0
    length = 0
    for row in rows:
        if len(row) != width:
            raise ValueError("rows differ in width")
        for pixel in row:
            if pixel == current:
                length += 1
            else:
                lengths.append(length)
                current = pixel
                length = 1
    lengths.append(length)
    return width, lengths


def unpack(width, lengths):
    pixels = []
    current = 0
    for length in lengths:
        pixels.extend([current] * length)
        current = 1 - current
    if width and len(pixels) % width:
        raise ValueError("the last row is not full")
    return [pixels[at:at + width] for at in range(0, len(pixels), width)] if width else []


def ratio(text):
    """Length of the code in parts of the text's length."""
    return len(encode(text)) / len(text) if text else 1.0
