"""Datasets: the tables that jobs, crawls and schedules keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, List, Optional

from .._caller import Caller, CallOptions, Input
from .._lines import read_chunks

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import Dataset, DatasetRecord, ListRecordsQuery, ListRecordsResult, RecordVersion

_LARGEST_PAGE = 1000


class Datasets:
    """Datasets: the tables that jobs, crawls and schedules keep."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, **options: Unpack[CallOptions]) -> List[Dataset]:
        """Lists the datasets by name."""
        return self._caller.call("listDatasets", **options)["datasets"]

    def get(self, name: str, **options: Unpack[CallOptions]) -> Dataset:
        """Returns a dataset."""
        return self._caller.call("getDataset", Input(path={"name": name}), **options)["dataset"]

    def changes(
        self, name: str, query: Optional[ListRecordsQuery] = None, **options: Unpack[CallOptions]
    ) -> Iterator[ListRecordsResult]:
        """Yields what has changed since a revision, a page at a time, to the end of the feed. Apply the `records` of a page, keep its `next` with them, and give it as `since` the next time: nothing is missed. REVISION_GONE asks to begin again."""
        query = {"limit": _LARGEST_PAGE, **(query or {})}
        while True:
            given = Input(path={"name": name}, query=query)
            page: ListRecordsResult = self._caller.call_for_payload("listRecords", given, **options)
            yield page
            if not page["hasMore"]:
                return
            query = {**query, "since": page["next"]}

    def records(
        self, name: str, query: Optional[ListRecordsQuery] = None, **options: Unpack[CallOptions]
    ) -> Iterator[DatasetRecord]:
        """Yields the records with changes since a revision; without one, all records."""
        for page in self.changes(name, query, **options):
            yield from page["records"]

    def download(self, name: str, query: ListRecordsQuery, **options: Unpack[CallOptions]) -> Iterator[bytes]:
        """Yields the bytes of a file, with `format` csv, parquet or ndjson: without `since`, of the whole table of the records that are there."""
        yield from read_chunks(
            self._caller.open("listRecords", Input(path={"name": name}, query=query), **options)
        )

    def history(self, name: str, key: str, **options: Unpack[CallOptions]) -> List[RecordVersion]:
        """Returns the states of a record, newest first."""
        given = Input(path={"name": name, "key": key})
        return self._caller.call("getRecordHistory", given, **options)["history"]

    def delete(self, name: str, **options: Unpack[CallOptions]) -> None:
        """Deletes a dataset with all its records."""
        self._caller.call("deleteDataset", Input(path={"name": name}), **options)
