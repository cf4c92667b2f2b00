"""What rows of earlier passes say of artifacts that have since been withheld is taken out of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphapi.connectors.withholding import Withholding
from graphapi.domain.mentions import PhraseIndex, normalised
from graphapi.ingest import residue
from graphapi.models import IngestPass, Project

TAKEN_BACK = "what stopped it named a file that is withheld by now"


def forget(project: Project, held: Withholding, titles: Mapping[str, str]) -> None:
    """Remove findings about withheld files, and those that carry a title of one; replace errors that do.

    ``titles`` are those that withheld artifacts had, by id; blank where it is long gone.
    """
    phrases = PhraseIndex.of(normalised(title) for i, title in titles.items() if title and title != i)

    def tells(finding: Mapping[str, Any]) -> bool:
        path = finding.get("path")
        if finding.get("artifact_id") in titles or (path is not None and held.holds(path)):
            return True
        return bool(phrases.found_in(f"{finding.get('message', '')}\n{finding.get('fix', '')}"))

    for row in project.passes.only("id", "findings", "error").iterator(chunk_size=50):
        kept = [finding for finding in row.findings if not tells(finding)]
        error = TAKEN_BACK if phrases.found_in(row.error) else row.error
        if len(kept) == len(row.findings) and error == row.error:
            continue
        residue.owe(project)
        IngestPass.objects.filter(pk=row.pk).update(findings=kept, error=error)
