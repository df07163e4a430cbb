"""The error of every call that fails, and how it is read from a response."""

from __future__ import annotations

import json
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Mapping, Optional, Union, cast

if TYPE_CHECKING:
    from .types import (
        ErrorCode,
        ErrorResponseErrorDetail,
        ScrapeMetadataAttempt,
        ScrapeResponseStepScreenshot,
    )

ClientErrorCode = Literal[
    "CLIENT_TIMEOUT",
    "CONNECTION_FAILED",
    "INVALID_OPTION",
    "INVALID_RESPONSE",
    "INVALID_SIGNATURE",
    "STREAM_CUT",
]
"""Codes of errors that this client finds by itself."""


class GleanerError(Exception):
    """The error of every call that fails: match on its `code`.

    `code` is a code of the API (docs/errors.md), or one that the client finds by itself: CLIENT_TIMEOUT,
    CONNECTION_FAILED, INVALID_OPTION, INVALID_RESPONSE, INVALID_SIGNATURE, STREAM_CUT. `source` is `api` where the
    service refused or failed, `target` where the page did, and `client` where the service was not reached or not
    understood.
    """

    def __init__(
        self,
        message: str,
        *,
        code: Union[ErrorCode, ClientErrorCode],
        source: Literal["api", "target", "client"] = "client",
        status: Optional[int] = None,
        suggestion: Optional[str] = None,
        details: Optional[List[ErrorResponseErrorDetail]] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        target_status_code: Optional[int] = None,
        attempts: Optional[List[ScrapeMetadataAttempt]] = None,
        verdict: Optional[str] = None,
        step_screenshots: Optional[List[ScrapeResponseStepScreenshot]] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code: Union[ErrorCode, ClientErrorCode] = code
        self.source: Literal["api", "target", "client"] = source
        self.status = status
        """HTTP status of the response; None when there was none."""
        self.suggestion = suggestion
        """The next step to take."""
        self.details = details
        """Each error of a body or query, by its path."""
        self.request_id = request_id
        """Identifies the call in the logs of the service."""
        self.retry_after = retry_after
        """Seconds after which a retry may succeed."""
        self.target_status_code = target_status_code
        """HTTP status of the target page, if it answered."""
        self.attempts = attempts
        """Attempts at the target page."""
        self.verdict = verdict
        """Kind of the page that was read, if the error is about its content."""
        self.step_screenshots = step_screenshots
        """The window after the steps that were done, with `stepScreenshots`."""
        self.was_sent = True
        """False when no connection was made, so that the service cannot have seen the call."""

    def __str__(self) -> str:
        return " ".join(part for part in (f"{self.code}: {self.message}", self.suggestion) if part)


def invalid_option(message: str) -> GleanerError:
    """Returns the error of an argument that cannot be sent."""
    return GleanerError(message, code="INVALID_OPTION")


def error_of(status: int, headers: Mapping[str, str], url: str, body: bytes) -> GleanerError:
    """Returns the error of a response that is not a success."""
    retry_after = _read_retry_after(headers.get("retry-after"))
    error = _read_envelope(body)
    if error is not None:
        return GleanerError(
            error["message"],
            code=error["code"],
            source=error.get("source", "api"),
            status=status,
            suggestion=error.get("suggestion"),
            details=error.get("details"),
            request_id=error.get("requestId"),
            retry_after=retry_after,
            target_status_code=error.get("targetStatusCode"),
            attempts=error.get("attempts"),
            verdict=error.get("verdict"),
            step_screenshots=error.get("stepScreenshots"),
        )
    return GleanerError(
        _describe_foreign(status, headers, url),
        code="INVALID_RESPONSE",
        status=status,
        request_id=headers.get("x-request-id"),
        retry_after=retry_after,
        suggestion="Check that the URL is that of a Gleaner service, and what stands between here and it.",
    )


def read_json(text: bytes) -> Any:
    """Parses JSON; raises ValueError for everything else, however deep it is nested."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("JSON is nested too deep") from None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _read_envelope(body: bytes) -> Optional[Dict[str, Any]]:
    try:
        parsed = read_json(body)
    except ValueError:
        return None
    if not isinstance(parsed, dict):
        return None
    error = cast("Dict[str, Any]", parsed).get("error")
    if not isinstance(error, dict):
        return None
    fields = cast("Dict[str, Any]", error)
    return fields if isinstance(fields.get("code"), str) and isinstance(fields.get("message"), str) else None


def _describe_foreign(status: int, headers: Mapping[str, str], url: str) -> str:
    """Describes a response of a proxy or another server at this address, not of a Gleaner service."""
    location = headers.get("location")
    if location:
        return f"{url} redirects to {location} instead of answering."
    content_type = headers.get("content-type") or "no content type"
    return f"{url} answered {status} with {content_type}, not as a Gleaner service does."


def _read_retry_after(value: Optional[str]) -> Optional[float]:
    """Returns the seconds of Retry-After, which is a number of seconds or a date."""
    if not value:
        return None
    if value.isascii() and value.isdigit() and len(value) < 12:
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None
