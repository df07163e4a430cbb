"""Jobs: many pages, whose results are fetched later."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, cast

from .._caller import Caller, CallOptions, CreateOptions, Input
from .._connection import Response
from .._error import GleanerError
from .._lines import Values, read_chunks, resume_lines
from .._listing import Listing
from .._watch import WatchOptions, read_options, watch_job

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import (
        Change,
        CreateJobRequest,
        ExtractJobBody,
        GetJobChangesQuery,
        GetJobQuery,
        GetJobResultsQuery,
        GetJobUrlsQuery,
        Job,
        JobUrl,
        JobWithResults,
        ListJobsQuery,
        PageChange,
        PageKind,
        PageResult,
        RerunJobBody,
        Sink,
        Trace,
    )

_LARGEST_PAGE = 1000
"""Most changes that are read at once."""


class Jobs:
    """Jobs: many pages, whose results are fetched later."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, request: CreateJobRequest, **options: Unpack[CreateOptions]) -> Job:
        """Creates a job. It is created once, however often the request has to be sent."""
        return self._create("createJob", {}, request, options)

    def rerun(self, id: str, body: Optional[RerunJobBody] = None, **options: Unpack[CreateOptions]) -> Job:
        """Creates a job of the same URLs and options, or of the URLs that failed."""
        return self._create("rerunJob", {"id": id}, body or {}, options)

    def extract(
        self, id: str, body: Optional[ExtractJobBody] = None, **options: Unpack[CreateOptions]
    ) -> Job:
        """Creates a job that extracts other data from the snapshots of a finished job, without fetching the pages."""
        return self._create("extractJob", {"id": id}, body or {}, options)

    def list(self, query: Optional[ListJobsQuery] = None, **options: Unpack[CallOptions]) -> Listing[Job]:
        """Lists jobs, newest first."""
        return Listing(self._caller, "listJobs", "jobs", query, options)

    def sinks(self, **options: Unpack[CallOptions]) -> List[Sink]:
        """Lists the sinks that jobs may write to."""
        return self._caller.call("listSinks", **options)["sinks"]

    def get(
        self, id: str, query: Optional[GetJobQuery] = None, **options: Unpack[CallOptions]
    ) -> JobWithResults:
        """Returns a job with its options and one page of its results."""
        return self._caller.call("getJob", Input(path={"id": id}, query=query), **options)["job"]

    def watch(self, id: str, **options: Unpack[WatchOptions]) -> Iterator[Job]:
        """Yields the job whenever it has changed, until it has finished. Survives restarts of the service."""
        return watch_job(self._caller, id, read_options(options))

    def wait(self, id: str, **options: Unpack[WatchOptions]) -> Job:
        """Returns the job when it has finished."""
        last: Optional[Job] = None
        for job in self.watch(id, **options):
            last = job
        return cast("Job", last)

    def results(
        self,
        id: str,
        *,
        change: Optional[PageChange] = None,
        verdict: Optional[Sequence[PageKind]] = None,
        **options: Unpack[CallOptions],
    ) -> Iterator[PageResult]:
        """Yields the results so far, in the order of the URLs: all, those of some kinds of pages (`verdict`), or, of a crawl that is compared with another, those with one `change`. However many there are, few are in memory at a time."""
        query: GetJobResultsQuery = {"format": "ndjson"}
        if change is not None:
            query["change"] = change
        if verdict is not None:
            query["verdict"] = list(verdict)
        return Values(self.download(id, query, **options))

    def download(self, id: str, query: GetJobResultsQuery, **options: Unpack[CallOptions]) -> Iterator[bytes]:
        """Yields the bytes of a file of the results so far. `rows` makes each entry of a list a row of the CSV or Parquet."""

        offset = query.get("offset") or 0

        def open_after(lines: int) -> Response:
            given = Input(path={"id": id}, query={**query, "offset": offset + lines or None})
            return self._caller.open("getJobResults", given, **options)

        if query.get("format") == "ndjson":
            yield from resume_lines(open_after, lambda response: self._had_finished(id, response, options))
        else:
            yield from read_chunks(open_after(0))

    def changes(
        self, id: str, query: Optional[GetJobChangesQuery] = None, **options: Unpack[CallOptions]
    ) -> Listing[Change]:
        """Lists what a run or a crawl found changed since the one before it: each value, over all pages."""
        pages = {"limit": _LARGEST_PAGE, **(query or {})}
        return Listing(self._caller, "getJobChanges", "changes", pages, options, {"id": id})

    def urls(
        self, id: str, query: Optional[GetJobUrlsQuery] = None, **options: Unpack[CallOptions]
    ) -> Iterator[JobUrl]:
        """Yields the URLs with their states, whether they were processed or not."""
        given = Input(path={"id": id}, query=query, headers={"accept": "application/x-ndjson"})
        return Values(self._read("getJobUrls", given, options))

    def screenshot(self, id: str, index: int, **options: Unpack[CallOptions]) -> bytes:
        """Returns the screenshot of the URL at this index: a PNG, unless the job asked for another format."""
        given = Input(path={"id": id, "index": str(index)})
        return b"".join(read_chunks(self._caller.open("getJobScreenshot", given, **options)))

    def trace(self, id: str, index: int, **options: Unpack[CallOptions]) -> Trace:
        """Returns where the time of the URL at this index went: its attempts and their stages."""
        return self._caller.call("getJobTrace", Input(path={"id": id, "index": str(index)}), **options)[
            "trace"
        ]

    def cancel(self, id: str, **options: Unpack[CallOptions]) -> Job:
        """Cancels a job that has not finished. Completed pages stay."""
        return self._caller.call("cancelJob", Input(path={"id": id}), **options)["job"]

    def _read(self, operation: str, given: Input, options: CallOptions) -> Iterator[bytes]:
        yield from read_chunks(self._caller.open(operation, given, **options))

    def _create(self, operation: str, path: Mapping[str, str], body: Any, options: CreateOptions) -> Job:
        given, call = split_key(options)
        return self._caller.call(operation, Input(path=path, body=body, headers=given), **call)["job"]

    def _had_finished(self, id: str, response: Response, options: CallOptions) -> bool:
        """Returns true when the job had finished before the response began: until then, results can come before others."""
        try:
            completed_at = self.get(id, {"resultsLimit": 0}, **options).get("completedAt")
            date = parsedate_to_datetime(response.headers.get("date") or "")
            return completed_at is not None and completed_at < date.strftime("%Y-%m-%dT%H:%M:%S")
        except (GleanerError, TypeError, ValueError, KeyError):
            return False


def split_key(options: CreateOptions) -> Tuple[Dict[str, str], CallOptions]:
    """Returns the idempotency key header of a call that creates a resource, and the other options."""
    rest = cast("Dict[str, Any]", dict(options))
    key = rest.pop("idempotency_key", None)
    return ({"idempotency-key": key} if key else {}), cast("CallOptions", rest)
