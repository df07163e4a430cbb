"""Pages that were kept by scrapes with `snapshot`."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional

from .._caller import Caller, CallOptions, Input
from .._lines import read_chunks

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import (
        Candidate,
        ExtractSnapshotBody,
        ExtractSnapshotResult,
        Proposal,
        SuggestSelectorsBody,
    )


class Snapshots:
    """Pages that were kept by scrapes with `snapshot`. Nothing is fetched, and only a model costs credits."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def extract(
        self, id: str, body: Optional[ExtractSnapshotBody] = None, **options: Unpack[CallOptions]
    ) -> ExtractSnapshotResult:
        """Extracts data, and names the elements that each selector matches."""
        return self._caller.call_for_payload(
            "extractSnapshot", Input(path={"id": id}, body=body or {}), **options
        )

    def suggest(self, id: str, body: SuggestSelectorsBody, **options: Unpack[CallOptions]) -> List[Candidate]:
        """Proposes selectors for elements of the page, the most robust first."""
        return self._caller.call("suggestSelectors", Input(path={"id": id}, body=body), **options)[
            "candidates"
        ]

    def propose(self, id: str, body: SuggestSelectorsBody, **options: Unpack[CallOptions]) -> Proposal:
        """Has a model find the values of the `schema` in the body, and returns selectors that give the same values."""
        call = Input(path={"id": id}, body=body)
        result = self._caller.call("suggestSelectors", call, **options)
        return result["proposal"]

    def view(self, id: str, **options: Unpack[CallOptions]) -> str:
        """Returns the page as HTML for a sandboxed frame, with the number of each element as `data-gl-n`."""
        response = self._caller.open("viewSnapshot", Input(path={"id": id}), **options)
        return b"".join(read_chunks(response)).decode(errors="replace")
