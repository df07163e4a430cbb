"""Schedules: pages that are scraped repeatedly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Optional

from .._caller import Caller, CallOptions, CreateOptions, Input
from .._lines import read_chunks
from .._listing import Listing
from .jobs import split_key

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import (
        AcceptSuggestionsBody,
        AcceptSuggestionsResult,
        CreateScheduleRequest,
        GetScheduleDiffQuery,
        GetScheduleHealthQuery,
        Job,
        ListScheduleChangesQuery,
        ListScheduleChangesResultChange,
        ListScheduleRulesResult,
        ListScheduleRunsQuery,
        ListSchedulesQuery,
        Preview,
        PreviewScheduleQuery,
        ReadScheduleFeedQuery,
        Run,
        Schedule,
        ScheduleDiff,
        ScheduleFeed,
        ScheduleHealth,
        SchedulePatch,
    )

_LARGEST_PAGE = 20
"""Most runs whose changes are read at once."""


class Schedules:
    """Schedules: pages that are scraped repeatedly."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: CreateScheduleRequest, **options: Unpack[CallOptions]) -> Schedule:
        """Creates a schedule."""
        return self._caller.call("createSchedule", Input(body=body), **options)["schedule"]

    def list(
        self, query: Optional[ListSchedulesQuery] = None, **options: Unpack[CallOptions]
    ) -> Listing[Schedule]:
        """Lists schedules, newest first."""
        return Listing(self._caller, "listSchedules", "schedules", query, options)

    def preview(self, query: PreviewScheduleQuery, **options: Unpack[CallOptions]) -> Preview:
        """Returns the next times of a cron expression."""
        return self._caller.call("previewSchedule", Input(query=query), **options)["preview"]

    def get(self, id: str, **options: Unpack[CallOptions]) -> Schedule:
        """Returns a schedule."""
        return self._caller.call("getSchedule", Input(path={"id": id}), **options)["schedule"]

    def update(self, id: str, body: SchedulePatch, **options: Unpack[CallOptions]) -> Schedule:
        """Changes settings: what is given replaces the setting, None resets it, the rest stays."""
        return self._caller.call("updateSchedule", Input(path={"id": id}, body=body), **options)["schedule"]

    def pause(self, id: str, **options: Unpack[CallOptions]) -> Schedule:
        """Pauses a schedule: no runs start until it is resumed."""
        return self._caller.call("pauseSchedule", Input(path={"id": id}), **options)["schedule"]

    def resume(self, id: str, **options: Unpack[CallOptions]) -> Schedule:
        """Resumes a schedule: the next run is the next due time from now."""
        return self._caller.call("resumeSchedule", Input(path={"id": id}), **options)["schedule"]

    def run(self, id: str, **options: Unpack[CreateOptions]) -> Job:
        """Starts a run now and returns its job."""
        headers, call = split_key(options)
        return self._caller.call("runSchedule", Input(path={"id": id}, headers=headers), **call)["job"]

    def runs(
        self, id: str, query: Optional[ListScheduleRunsQuery] = None, **options: Unpack[CallOptions]
    ) -> Listing[Run]:
        """Lists the jobs of a schedule, newest first, with whether their data changed."""
        return Listing(self._caller, "listScheduleRuns", "runs", query, options, {"id": id})

    def changes(
        self, id: str, query: Optional[ListScheduleChangesQuery] = None, **options: Unpack[CallOptions]
    ) -> Listing[ListScheduleChangesResultChange]:
        """Lists the values in which runs of a schedule differ from the runs before, newest first."""
        pages = {"limit": _LARGEST_PAGE, **(query or {})}
        return Listing(self._caller, "listScheduleChanges", "changes", pages, options, {"id": id})

    def rules(self, id: str, **options: Unpack[CallOptions]) -> ListScheduleRulesResult:
        """Returns the rules of a schedule with what each has told, and the number of records that they watch."""
        return self._caller.call_for_payload("listScheduleRules", Input(path={"id": id}), **options)

    def diff(
        self, id: str, query: Optional[GetScheduleDiffQuery] = None, **options: Unpack[CallOptions]
    ) -> ScheduleDiff:
        """Compares the Markdown of two runs: by default of the last one and of the one before it."""
        given = Input(path={"id": id}, query=query)
        return self._caller.call("getScheduleDiff", given, **options)["diff"]

    def feed(self, id: str, **options: Unpack[CallOptions]) -> ScheduleFeed:
        """Returns the paths of the feeds of a schedule, whose token opens them without an API key."""
        return self._caller.call("getScheduleFeed", Input(path={"id": id}), **options)["feed"]

    def rotate_feed(self, id: str, **options: Unpack[CallOptions]) -> ScheduleFeed:
        """Replaces the token of the feeds of a schedule."""
        return self._caller.call("rotateScheduleFeed", Input(path={"id": id}), **options)["feed"]

    def read_feed(
        self,
        id: str,
        format: Literal["atom", "json"],
        query: Optional[ReadScheduleFeedQuery] = None,
        **options: Unpack[CallOptions],
    ) -> str:
        """Returns the news of a schedule as the text of a feed: Atom, or JSON Feed."""
        given = Input(path={"id": id}, query=query)
        if format == "atom":
            response = self._caller.open("readScheduleAtom", given, **options)
        else:
            response = self._caller.open("readScheduleFeed", given, **options)
        return b"".join(read_chunks(response)).decode(errors="replace")

    def health(
        self, id: str, query: Optional[GetScheduleHealthQuery] = None, **options: Unpack[CallOptions]
    ) -> ScheduleHealth:
        """Returns what the fields of a schedule returned before and return now, with suggestions for those that have fallen."""
        given = Input(path={"id": id}, query=query)
        return self._caller.call("getScheduleHealth", given, **options)["health"]

    def accept_suggestions(
        self, id: str, body: Optional[AcceptSuggestionsBody] = None, **options: Unpack[CallOptions]
    ) -> AcceptSuggestionsResult:
        """Uses the selectors suggested for fallen fields: all verified suggestions, or the ones of named fields."""
        given = Input(path={"id": id}, body=body or {})
        return self._caller.call_for_payload("acceptSuggestions", given, **options)

    def delete(self, id: str, **options: Unpack[CallOptions]) -> None:
        """Deletes a schedule permanently; its jobs stay."""
        self._caller.call("deleteSchedule", Input(path={"id": id}), **options)
