"""Types of requests, responses and webhooks. They are dictionaries at run time, with the names of the REST API."""

# ruff: noqa: F403, F405

from __future__ import annotations

from typing import Dict, List, Literal, TypedDict, Union

from ._generated.openapi import *


class WebhookBatch(TypedDict):
    """The batch that the results of `job.pages` are."""

    number: int
    part: int
    isLastPart: bool


class OmittedResult(TypedDict):
    """A result of `job.pages` that is larger than a webhook may be; `resultsUrl` has it."""

    url: str
    resultTruncated: Literal[True]
    resultsUrl: str


class WebhookJob(Job, total=False):
    """The job of an event."""

    results: List[Union[PageResult, OmittedResult]]
    """Absent from `job.changed` and `schedule.changed`, which have `changes`."""
    resultsTruncated: Literal[True]
    """True when the results are larger than a webhook may be; `resultsUrl` has all of them."""
    resultsUrl: str


class FieldFall(TypedDict):
    """A field that has fallen below half of its earlier value, or has recovered."""

    path: str
    measure: Literal["fill", "count", "conversion", "shape"]
    before: float
    """Median of the runs before, or the bound of `expect`."""
    now: float


class LostProfile(TypedDict, total=False):
    """A profile that could not be signed in any more."""

    id: str
    name: str
    status: Literal["ready", "signing-in", "failed", "expired"]
    lastError: Dict[str, str]
    """`code` and `message` of the last login."""


ChangedDataset = TypedDict("ChangedDataset", {"name": str, "from": int, "to": int, "recordsUrl": str})
"""A dataset that a job has changed: the revisions after `from` up to `to` are new; `recordsUrl` has their records."""


class WebhookData(TypedDict, total=False):
    """Data of an event."""

    job: WebhookJob
    """The job; absent from `webhook.test`."""
    batch: WebhookBatch
    """The batch that the results are, with `job.pages`."""
    batches: int
    """Number of batches that the results were sent in, with the final event of a job whose webhook names `job.pages`."""
    metadata: Dict[str, str]
    """As given with the webhook."""
    changes: List[Change]
    """Differences from the run before, with `job.changed` and `schedule.changed`."""
    changesTruncated: bool
    """True when there are more changes than a webhook carries; `changesUrl` has all of them."""
    changesUrl: str
    health: Literal["ok", "drifting", "broken"]
    """Health of the schedule, with `schedule.drift` and `schedule.recovered`; `fields` fell or recovered."""
    fields: List[FieldFall]
    healthUrl: str
    profile: LostProfile
    """The profile that the job has lost, with `profile.expired` and `profile.failed`."""
    dataset: ChangedDataset
    """The dataset that the job has changed, with `dataset.changed`."""
    message: str
    """Text of a test."""


class WebhookEvent(TypedDict):
    """Body of a webhook."""

    id: str
    """The `webhook-id`: the same for every attempt, so that a repeated event can be recognized."""
    type: Union[EventName, Literal["webhook.test"]]
    timestamp: str
    data: WebhookData
