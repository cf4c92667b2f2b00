"""Git's own object ids, worked out from content alone, so that a plan can name a commit before it is written.

Only what the code repository needs: blobs, nested trees and commits in the SHA-1 format.
"""

from __future__ import annotations

import hashlib
from datetime import datetime

from .material import Person

Tree = dict[str, "Tree | str"]


def _object(kind: str, content: bytes) -> str:
    return hashlib.sha1(f"{kind} {len(content)}\0".encode() + content, usedforsecurity=False).hexdigest()


def tree_id(files: tuple[tuple[str, str], ...]) -> str:
    """The id of the tree that holds these (path, text) files, none of them executable."""
    root: Tree = {}
    for path, text in files:
        *folders, name = path.split("/")
        here = root
        for folder in folders:
            below = here.setdefault(folder, {})
            if isinstance(below, str):
                raise ValueError(f"{path} lies below a file")
            here = below
        here[name] = text
    return _tree(root)


def _tree(tree: Tree) -> str:
    # Git sorts a folder as though its name ended in a slash.
    rows = sorted((name if isinstance(item, str) else f"{name}/", name, item) for name, item in tree.items())
    content = b""
    for _, name, item in rows:
        mode = "100644" if isinstance(item, str) else "40000"
        sha = _object("blob", item.encode()) if isinstance(item, str) else _tree(item)
        content += f"{mode} {name}\0".encode() + bytes.fromhex(sha)
    return _object("tree", content)


def signature(person: Person, date: datetime) -> str:
    """A person at a moment as a commit holds them, in UTC."""
    return f"{person.name} <{person.email}> {int(date.timestamp())} +0000"


def commit_id(tree: str, parent: str | None, author: Person, date: datetime, message: str) -> str:
    """The id of a commit whose author is its committer."""
    lines = [f"tree {tree}", *([f"parent {parent}"] if parent else [])]
    lines += [f"author {signature(author, date)}", f"committer {signature(author, date)}", "", message]
    return _object("commit", "\n".join(lines).encode())
