"""Files that scrapes and jobs with `download` kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from .._caller import Caller, CallOptions, Input
from .._lines import read_chunks

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Files:
    """Files that scrapes and jobs with `download` kept; results name them as `file`."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def download(self, id: str, **options: Unpack[CallOptions]) -> Iterator[bytes]:
        """Yields the bytes of a file as they arrive."""
        yield from read_chunks(self._caller.open("getFile", Input(path={"id": id}), **options))

    def get(self, id: str, **options: Unpack[CallOptions]) -> bytes:
        """Returns a file, all of which is then in memory."""
        return b"".join(self.download(id, **options))
