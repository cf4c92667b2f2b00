"""The seeded corpus: Harbourmaster, a fictional product whose right answers are known before any model reads it.

``build(seed, size)`` gives a ``Corpus``, ``write(corpus, root)`` puts it on disk as a git repository and
``withdraw(corpus, root)`` makes its one later commit. Standard library and the ``git`` program alone.
"""

from .corpus import Corpus, CorpusFile, build
from .gold import Gold, Question
from .write import withdraw, write

__all__ = ["Corpus", "CorpusFile", "Gold", "Question", "build", "withdraw", "write"]
