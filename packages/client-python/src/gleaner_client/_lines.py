"""Streams of lines: NDJSON and server-sent events, and how a stream goes on where it broke off."""

from __future__ import annotations

import http.client
from typing import Any, Callable, Generator, Iterable, Iterator, List, Optional, TypeVar

from ._connection import Response
from ._error import GleanerError, read_json

Item = TypeVar("Item")
_MAX_LINE_BYTES = 64 * 1024 * 1024
"""Longer than any result can be."""
_MAX_FRUITLESS = 2
"""Streams in a row that break off before they bring a whole line."""


def read_chunks(response: Response) -> Iterator[bytes]:
    """Yields the parts of a body as they arrive; closes the connection when the reader stops early."""
    chunks = response.chunks()
    try:
        yield from chunks
    except (OSError, http.client.HTTPException) as cause:
        response.bound.cancellation.check()
        if response.bound.left <= 0:
            raise response.bound.timed_out() from cause
        raise _stream_cut("The stream broke off before its end.") from cause


def read_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yields the lines of a stream."""
    for lines in _read_whole_lines(chunks):
        yield from lines


def _read_whole_lines(chunks: Iterable[bytes]) -> Iterator[List[bytes]]:
    """Yields the lines that end in a chunk. A last line without its line feed is one that was cut."""
    rest: List[bytes] = []
    length = 0
    for chunk in chunks:
        *whole, last = chunk.split(b"\n")
        if whole:
            whole[0] = b"".join([*rest, whole[0]])
            rest, length = [], 0
            yield [line[:-1] if line.endswith(b"\r") else line for line in whole]
        if last:
            rest.append(last)
            length += len(last)
        if length > _MAX_LINE_BYTES:
            raise _stream_cut("A line of the stream is too long.")
    if length > 0:
        raise _stream_cut("The stream ended in the middle of a line.")


class Values(Iterator[Item]):
    """Values of a stream, one per line. `batch` returns the values that have arrived together, without waiting for more."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._batches = _read_batches(chunks)
        self._batch: List[Item] = []

    def __next__(self) -> Item:
        if not self._batch:
            self._batch = next(self._batches)[::-1]
        return self._batch.pop()

    def batch(self) -> List[Item]:
        """Returns at least one value; none at the end."""
        end: List[Item] = []
        return next(self._batches, end)

    def close(self) -> None:
        """Closes the connection."""
        self._batches.close()


def _read_batches(chunks: Iterable[bytes]) -> Generator[List[Any], None, None]:
    for lines in _read_whole_lines(chunks):
        values: List[Any] = []
        for line in lines:
            try:
                values.append(read_json(line))
            except ValueError as cause:
                if values:
                    yield values
                raise _stream_cut("A line of the stream is not JSON.") from cause
        if values:
            yield values


def resume_lines(
    open_after: Callable[[int], Response], is_stable: Callable[[Response], bool]
) -> Iterator[bytes]:
    """Yields the bytes of a stream of lines. Where it breaks off, it is opened again, and goes on with the byte that is missing.

    `open_after` opens the stream after this many lines; `is_stable` tells whether a stream that is opened again goes on as
    this one would have.
    """
    lines = 0
    # Bytes of the last line, which has not ended.
    begun = 0
    fruitless = 0
    while True:
        response = open_after(lines)
        lines_before = lines
        known = begun
        try:
            for chunk in read_chunks(response):
                fresh = chunk[known:]
                known -= len(chunk) - len(fresh)
                if not fresh:
                    continue
                last = fresh.rfind(b"\n")
                begun = begun + len(fresh) if last == -1 else len(fresh) - last - 1
                lines += fresh.count(b"\n")
                yield fresh
            if begun == 0:
                return
            raise _stream_cut("The stream ended in the middle of a line.")
        except GleanerError as error:
            fruitless = 0 if lines > lines_before else fruitless + 1
            if error.code != "STREAM_CUT" or fruitless > _MAX_FRUITLESS or not is_stable(response):
                raise


class ServerEvent:
    """One server-sent event."""

    def __init__(self, event: str, id: Optional[str], data: str) -> None:
        self.event = event
        self.id = id
        self.data = data


def read_events(response: Response) -> Iterator[ServerEvent]:
    """Yields server-sent events (HTML Standard, section 9.2). Comments, which keep the connection open, are left out."""
    event = "message"
    id: Optional[str] = None
    data: List[str] = []
    for line in read_lines(read_chunks(response)):
        if not line:
            if data:
                yield ServerEvent(event, id, "\n".join(data))
            event, data = "message", []
            continue
        field, _, value = line.decode(errors="replace").partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            event = value
        elif field == "id":
            id = value
        elif field == "data":
            data.append(value)


def _stream_cut(message: str) -> GleanerError:
    return GleanerError(
        message,
        code="STREAM_CUT",
        suggestion="What arrived is complete up to there. Read the stream again from its start.",
    )
