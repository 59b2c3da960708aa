"""A tree of files from a list of paths: sizes, drawing, searching and comparing."""

import fnmatch


class Node:
    def __init__(self, name, size=0):
        self.name = name
        self.size = size
        self.children = {}

    @property
    def is_folder(self):
        return bool(self.children)

    def total(self):
        return self.size + sum(child.total() for child in self.children.values())

    def sorted_children(self):
        """Folders first, each kind by name, whatever its case."""
        return sorted(self.children.values(), key=lambda node: (not node.is_folder, node.name.lower()))


def build(files):
    """A tree from a dictionary of paths and sizes."""
    root = Node("")
    for path, size in files.items():
        add(root, path, size)
    return root


def add(root, path, size):
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts or ".." in parts:
        raise ValueError(f"not a path inside the tree: {path!r}")
    node = root
    for part in parts[:-1]:
        node = node.children.setdefault(part, Node(part))
        if node.size:
            raise ValueError(f"{part} is a file")
    name = parts[-1]
    if name in node.children and node.children[name].is_folder:
        raise ValueError(f"{name} is a folder")
    node.children[name] = Node(name, size)


def find(root, path):
    node = root
    for part in path.strip("/").split("/"):
        if part == "":
            continue
        if part not in node.children:
            return None
        node = node.children[part]
    return node


def walk(root, prefix=""):
    """Paths and nodes of all files, folder by folder."""
    for child in root.sorted_children():
        path = f"{prefix}{child.name}"
        if child.is_folder:
            yield from walk(child, path + "/")
        else:
            yield path, child


def search(root, pattern):
    """Paths that fit a pattern; one without a slash is compared with the name alone."""
    paths = [path for path, _ in walk(root)]
    if "/" in pattern:
        return [path for path in paths if fnmatch.fnmatchcase(path, pattern)]
    return [path for path in paths if fnmatch.fnmatchcase(path.rsplit("/", 1)[-1], pattern)]


def draw(root, depth=None):
    """Lines with branches; folders below the depth are drawn without what is in them."""
    lines = []

    def visit(node, indent, level):
        children = node.sorted_children()
        for at, child in enumerate(children):
            is_last = at == len(children) - 1
            lines.append(indent + ("`-- " if is_last else "|-- ") + child.name + ("/" if child.is_folder else ""))
            if child.is_folder and (depth is None or level < depth):
                visit(child, indent + ("    " if is_last else "|   "), level + 1)

    visit(root, "", 1)
    return lines


def human_size(size):
    for unit in ("B", "KB", "MB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GB"


def compare(before, after):
    """Paths that were added, removed or have another size."""
    old = {path: node.size for path, node in walk(before)}
    new = {path: node.size for path, node in walk(after)}
    return {
        "added": sorted(new.keys() - old.keys()),
        "removed": sorted(old.keys() - new.keys()),
        "changed": sorted(path for path in old.keys() & new.keys() if old[path] != new[path]),
    }
