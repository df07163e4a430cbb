"""Follows a job until it has finished."""

from __future__ import annotations

import random
import time
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterator,
    Mapping,
    NamedTuple,
    Optional,
    Tuple,
    TypedDict,
    cast,
)

from ._bound import current_cancellation
from ._caller import Caller, Input, describe_unknown
from ._error import GleanerError, read_json
from ._lines import read_events

if TYPE_CHECKING:
    from .types import Job

_MAX_EMPTY_STREAMS = 2
"""Streams in a row without an event, after which the job is polled."""
_ENDINGS = frozenset({"STREAM_CUT", "CLIENT_TIMEOUT", "RATE_LIMITED"})
"""Errors of a stream that say nothing about the job: the next poll decides."""


class WatchOptions(TypedDict, total=False):
    """Options of a watch."""

    reconnect: float
    """Seconds for which the service may be away before the watch fails. Default 120."""
    poll: float
    """Seconds between two looks at the job where events do not arrive. Default 2."""
    silence: float
    """Seconds without an event or a heartbeat after which the connection counts as lost. Default 40."""
    first_event: float
    """Seconds for the first event. A proxy that holds events back is noticed by it. Default 5."""
    on_away: Optional[Callable[[GleanerError], None]]
    """Called when the service does not answer; the watch goes on until `reconnect` have passed."""


class Watch(NamedTuple):
    """Options of a watch, all of them."""

    reconnect: float = 120
    poll: float = 2
    silence: float = 40
    first_event: float = 5
    on_away: Optional[Callable[[GleanerError], None]] = None


def read_options(options: WatchOptions) -> Watch:
    """Returns all options of a watch; raises TypeError for others."""
    for name in options.keys() - set(Watch._fields):
        raise TypeError(describe_unknown(name, Watch._fields))
    return Watch(**options)


def watch_job(caller: Caller, id: str, options: Watch) -> Iterator[Job]:
    """Yields the job whenever it has changed, until it has finished.

    Follows server-sent events, reconnects when they break off, and polls where they do not arrive.
    """
    cancellation = current_cancellation()
    last_event_id: Optional[str] = None
    shown: Optional[Tuple[Any, ...]] = None
    empty_streams = 0
    lost_at: Optional[float] = None
    while True:
        try:
            if empty_streams < _MAX_EMPTY_STREAMS:
                empty_streams += 1
                for job, event_id in _follow_events(caller, id, last_event_id, options):
                    empty_streams, lost_at = 0, None
                    last_event_id = event_id
                    shown = _state_of(job)
                    yield job
                    if _has_finished(job):
                        return
            job = _poll_job(caller, id, options)
            lost_at = None
            if _state_of(job) != shown:
                yield job
            if _has_finished(job):
                return
            shown = _state_of(job)
            spread = random.random() if empty_streams < _MAX_EMPTY_STREAMS else 1
            cancellation.sleep(options.poll * spread)
        except GleanerError as error:
            if not _may_pass(error):
                raise
            now = time.monotonic()
            if lost_at is None:
                lost_at = now
                if options.on_away is not None:
                    options.on_away(error)
            # A service that is away says nothing about the proxies before it.
            if _is_lost(error):
                empty_streams = 0
            away = now - lost_at
            wait = max(error.retry_after or 0, (0.5 + random.random()) * min(options.poll, 0.25 + away))
            if away + wait > options.reconnect:
                raise
            cancellation.sleep(wait)


def _follow_events(
    caller: Caller, id: str, last_event_id: Optional[str], options: Watch
) -> Iterator[Tuple[Job, Optional[str]]]:
    """Yields the job of each event; ends when the stream does, or brings nothing for too long."""
    headers = {"accept": "text/event-stream"}
    if last_event_id:
        headers["last-event-id"] = last_event_id
    # After an event, the next one may take as long as the job; only heartbeats are due.
    timeout = options.silence if last_event_id else options.first_event
    try:
        given = Input(path={"id": id}, headers=headers)
        response = caller.open("getJobEvents", given, timeout=timeout, max_retries=0)
        for event in read_events(response):
            response.bound.timeout = options.silence
            if event.event in ("progress", "end"):
                yield _parse_job(event.data), event.id
    except GleanerError as error:
        if error.code not in _ENDINGS:
            raise


def _parse_job(data: str) -> Job:
    try:
        job = read_json(data.encode())
    except ValueError as cause:
        raise GleanerError("An event of the stream is not JSON.", code="STREAM_CUT") from cause
    return cast("Job", job)


def _poll_job(caller: Caller, id: str, options: Watch) -> Job:
    given = Input(path={"id": id}, query={"resultsLimit": 0})
    answer: Mapping[str, Any] = caller.call("getJob", given, timeout=options.silence, max_retries=0)
    job: Dict[str, Any] = dict(answer["job"])
    for name in ("options", "results", "resultsPagination"):
        job.pop(name, None)
    return cast("Job", job)


def _state_of(job: Job) -> Tuple[Any, ...]:
    counters = (job["totalUrls"], job["completedUrls"], job["failedUrls"], job["creditsUsed"])
    return (job["status"], *counters, job.get("completedAt"))


def _has_finished(job: Job) -> bool:
    """Returns whether a job does not change any more. A large one is cancelled before its counters are exact."""
    return job.get("completedAt") is not None


def _may_pass(error: GleanerError) -> bool:
    return _is_lost(error) or error.status in (429, 502, 503)


def _is_lost(error: GleanerError) -> bool:
    return error.code in ("CONNECTION_FAILED", "CLIENT_TIMEOUT")
