"""Configuration files with sections, defaults, references and typed values."""

import re

SECTION = re.compile(r"^\[([^\]]+)\]$")
REFERENCE = re.compile(r"\$\{([^}]+)\}")
TRUE = {"yes", "true", "on", "1"}
FALSE = {"no", "false", "off", "0"}


class ConfigError(Exception):
    def __init__(self, message, line=None):
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line


def strip_comment(line):
    """A hash or semicolon starts a comment at the beginning or after a blank."""
    for at, char in enumerate(line):
        if char in "#;" and (at == 0 or line[at - 1].isspace()):
            return line[:at]
    return line


def parse(text):
    sections = {"": {}}
    current = ""
    last_key = None
    for number, raw in enumerate(text.splitlines(), start=1):
        line = strip_comment(raw)
        if not line.strip():
            last_key = None
            continue
        if line[0].isspace() and last_key is not None:
            sections[current][last_key] += "\n" + line.strip()
            continue
        line = line.strip()
        match = SECTION.match(line)
        if match:
            current = match.group(1).strip().lower()
            sections.setdefault(current, {})
            last_key = None
            continue
        key, found, value = line.partition("=")
        if not found:
            raise ConfigError("expected key = value", number)
        last_key = key.strip().lower()
        sections[current][last_key] = value.strip()
    return Config(sections)


class Config:
    def __init__(self, sections):
        self.sections = sections

    def get(self, section, key, default=None):
        key = key.lower()
        for name in (section.lower(), "default", ""):
            if key in self.sections.get(name, {}):
                return self.expand(section, self.sections[name][key], 10)
        return default

    def expand(self, section, value, depth):
        if depth == 0:
            raise ConfigError("references go round in a circle")

        def replace(match):
            place, dot, key = match.group(1).rpartition(".")
            name = place if dot else section
            for candidate in (name.lower(), "default", ""):
                if key.lower() in self.sections.get(candidate, {}):
                    return self.expand(name, self.sections[candidate][key.lower()], depth - 1)
            raise ConfigError(f"unknown reference: {match.group(1)}")

        return REFERENCE.sub(replace, value)

    def get_bool(self, section, key, default=False):
        value = self.get(section, key)
        if value is None:
            return default
        if value.lower() in TRUE:
            return True
        if value.lower() in FALSE:
            return False
        raise ConfigError(f"{key} must be yes or no")

    def get_int(self, section, key, default=0):
        value = self.get(section, key)
        return default if value is None else int(value)

    def get_list(self, section, key):
        value = self.get(section, key, "")
        return [item.strip() for item in re.split(r"[,\n]", value) if item.strip()]
