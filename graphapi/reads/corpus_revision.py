"""A token for what a corpus holds: another after a pass that changed an artifact or a link (004 section 2)."""

from __future__ import annotations

import hashlib

from django.db.models import Count, Max, Q

from graphapi.domain.dates import as_text
from graphapi.models import IngestPass, Project

_FOUND = Q(deleted_clock="found")


def corpus_revision(project: Project) -> str:
    """The same over any number of reads, and over passes that found nothing.

    Every write of an artifact moves ``ingested_at``; every removal adds to those deleted, and a removal that a commit
    dates later moves from one clock to the other. Links change with artifacts, or in a pass whose row says so. All of
    it is read off the ends of indexes and off what was deleted, never off the whole ledger.
    """
    written = project.ledger.aggregate(last=Max("ingested_at"))["last"]
    gone = project.ledger.filter(deleted_at__isnull=False).aggregate(
        count=Count("id"), found=Count("id", filter=_FOUND), last=Max("deleted_at")
    )
    linked = (
        IngestPass.objects.filter(project=project)
        .filter(Q(counts__links_written__gt=0) | Q(counts__links_retired__gt=0))
        .order_by("-id")
        .values_list("id", flat=True)
        .first()
    )
    parts = (str(written), gone["count"], gone["found"], as_text(gone["last"]), linked)
    return hashlib.blake2b(repr(parts).encode(), digest_size=8).hexdigest()
