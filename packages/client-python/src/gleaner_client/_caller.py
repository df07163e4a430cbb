"""Sends calls: address, key, bound, and the decision whether a call is repeated."""

from __future__ import annotations

import http.client
import json
import random
import re
import ssl
import uuid
from typing import TYPE_CHECKING, Any, Dict, Mapping, NamedTuple, Optional, Sequence, Tuple, TypedDict, cast
from urllib.parse import SplitResult, quote, unquote, urlencode, urlsplit

from ._bound import Bound
from ._connection import NotConnected, Origin, Request, Response, basic_authorization, send
from ._error import GleanerError, error_of, invalid_option, read_json
from ._generated.operations import OPERATIONS, Operation
from ._version import VERSION

if TYPE_CHECKING:
    from typing_extensions import Unpack

_TIMEOUT_SECONDS = 150.0
_MAX_RETRIES = 2
_MAX_BODY_BYTES = 256 * 1024 * 1024
"""More than any response that is read as a whole can have."""
_MAX_ERROR_BYTES = 1024 * 1024


class CallOptions(TypedDict, total=False):
    """Options of one call."""

    timeout: Optional[float]
    """Seconds that the whole call may take with its retries; on streams, every wait for more. Default: that of the client."""
    max_retries: Optional[int]
    """Retries after the first attempt. Default: that of the client."""


class CreateOptions(CallOptions, total=False):
    """Options of a call that creates something once, however often it is sent."""

    idempotency_key: Optional[str]
    """Names what is created. Default: a new random one for each call, the same for its retries."""


class Settings(TypedDict, total=False):
    """Settings of a client besides its address and key."""

    timeout: float
    """Seconds that a call may take with its retries, and every wait for more of a stream. Default 150."""
    max_retries: int
    """Retries after the first attempt. Default 2."""
    headers: Mapping[str, str]
    """Headers of every request."""
    proxy: Optional[str]
    """Proxy in front of the service, such as `http://user:password@proxy.example:3128`. Default: none, whatever the environment says."""
    ssl_context: Optional[ssl.SSLContext]
    """Certificates to trust. Default: those of the system."""


class Input(NamedTuple):
    """Everything that one call of an operation sends."""

    path: Mapping[str, str] = {}
    query: Optional[Mapping[str, Any]] = None
    body: Optional[Any] = None
    headers: Mapping[str, str] = {}


NO_INPUT = Input()


class Caller:
    """Sends calls to the service. It holds no connection, so that threads may share it."""

    def __init__(self, url: str, api_key: Optional[str] = None, **settings: Unpack[Settings]) -> None:
        self._origin, self._base_path = _read_url(url)
        self._base = f"{self._origin.scheme}://{self._origin.netloc}{self._base_path}"
        self._headers = _read_headers(
            {"user-agent": f"gleaner-python/{VERSION}"}, settings.pop("headers", {})
        )
        self._headers.update(_authorization(api_key))
        proxy = settings.pop("proxy", None)
        self._proxy = None if proxy is None else _read_proxy(proxy)
        self._tls = settings.pop("ssl_context", None)
        self._limits = (_TIMEOUT_SECONDS, _MAX_RETRIES)
        self._limits = self._limits_of(settings)

    def call(self, name: str, given: Input = NO_INPUT, **options: Unpack[CallOptions]) -> Any:
        """Returns the JSON of the response; None without one."""
        timeout, max_retries = self._limits_of(options)
        response, body = self._perform(name, given, Bound(timeout), max_retries, is_read=True)
        if response is None or (response.status == 204 and body == b""):
            return None
        try:
            return read_json(body)
        except ValueError:
            raise error_of(response.status, response.headers, self._base, body) from None

    def call_for_payload(self, name: str, given: Input = NO_INPUT, **options: Unpack[CallOptions]) -> Any:
        """Returns the JSON of the response without `success`, which is true of every response that is returned."""
        answer: Dict[str, Any] = self.call(name, given, **options)
        return {field: value for field, value in answer.items() if field != "success"}

    def open(self, name: str, given: Input = NO_INPUT, **options: Unpack[CallOptions]) -> Response:
        """Returns the response as soon as its headers are there. The caller reads the body, which closes the connection."""
        timeout, max_retries = self._limits_of(options)
        response, _ = self._perform(name, given, Bound(timeout), max_retries, is_read=False)
        assert response is not None
        return response

    def _limits_of(self, options: Mapping[str, Any]) -> Tuple[float, int]:
        unknown = options.keys() - {"timeout", "max_retries"}
        if unknown:
            raise TypeError(describe_unknown(sorted(unknown)[0], ("timeout", "max_retries")))
        timeout, max_retries = options.get("timeout"), options.get("max_retries")
        return (
            self._limits[0] if timeout is None else timeout,
            self._limits[1] if max_retries is None else max_retries,
        )

    def _perform(
        self, name: str, given: Input, bound: Bound, max_retries: int, *, is_read: bool
    ) -> Tuple[Optional[Response], bytes]:
        operation = OPERATIONS[name]
        request = self._request_of(operation, given)
        retries = 0
        while True:
            error, answer = self._attempt(request, bound, is_read=is_read)
            if answer is not None:
                return answer
            assert error is not None
            # The first of two attempts may have deleted it and lost the answer.
            if error.status == 404 and operation.method == "DELETE" and retries > 0:
                return None, b""
            delay = decide_retry(
                error,
                repeatability=repeatability_of(name, operation, given.body),
                retries=retries,
                max_retries=max_retries,
                remaining=bound.left,
                random=random.random(),
            )
            if delay is None:
                raise error
            bound.sleep(delay)
            retries += 1

    def _attempt(
        self, request: Request, bound: Bound, *, is_read: bool
    ) -> Tuple[Optional[GleanerError], Optional[Tuple[Response, bytes]]]:
        try:
            response = send(self._origin, request, bound, self._proxy, self._tls)
            if 200 <= response.status < 300:
                return None, (response, response.read(_MAX_BODY_BYTES) if is_read else b"")
            body = response.read(_MAX_ERROR_BYTES)
            url = f"{self._origin.scheme}://{self._origin.netloc}{request.target}"
            return error_of(response.status, response.headers, url, body), None
        except (OSError, http.client.HTTPException, ValueError) as failure:
            bound.cancellation.check()
            if bound.left <= 0:
                raise bound.timed_out() from failure
            return self._connection_failed(failure), None

    def _connection_failed(self, cause: Exception) -> GleanerError:
        error = GleanerError(
            f"The connection to {self._base} failed ({_reason_of(cause)}).",
            code="CONNECTION_FAILED",
            suggestion="Check that the service is running and that the URL is right.",
        )
        error.was_sent = not isinstance(cause, NotConnected)
        error.__cause__ = cause
        return error

    def _request_of(self, operation: Operation, given: Input) -> Request:
        headers = _read_headers(self._headers, given.headers)
        if operation.is_keyed:
            headers.setdefault("idempotency-key", str(uuid.uuid4()))
        body = None if given.body is None else _encode(given.body)
        if body is not None:
            headers["content-type"] = "application/json"
        elif operation.method not in ("GET", "DELETE"):
            headers["content-length"] = "0"
        headers["connection"] = "close"
        target = self._base_path + _fill_in(operation.path, given.path) + _search_of(given.query)
        return Request(operation.method, target, headers, body)


def _read_url(url: str) -> Tuple[Origin, str]:
    parts = _split(url)
    if (
        parts is None
        or parts.query
        or parts.fragment
        or parts.username is not None
        or parts.password is not None
    ):
        raise invalid_option(
            f"url must be an http or https address such as http://127.0.0.1:8080, not {url}."
        )
    return _origin_of(parts), quote(parts.path.rstrip("/"), safe="/%:@!$&'()*+,;=~-._")


def _read_proxy(proxy: str) -> Origin:
    parts = _split(proxy)
    if (
        parts is None
        or parts.scheme != "http"
        or parts.query
        or parts.fragment
        or parts.path not in ("", "/")
    ):
        raise invalid_option("proxy must be an http address such as http://proxy.example:3128.")
    if parts.username is None:
        return _origin_of(parts)
    credentials = basic_authorization(unquote(parts.username), unquote(parts.password or ""))
    return _origin_of(parts)._replace(authorization=credentials)


def _split(url: str) -> Optional[SplitResult]:
    """Returns the parts of an http or https address; None for everything else."""
    text = url.strip()
    try:
        parts = urlsplit(text)
        is_address = (
            parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
        )
    except ValueError:
        return None
    return parts if is_address and not re.search(r"[\x00-\x20\x7f\\]", text) else None


def _origin_of(parts: SplitResult) -> Origin:
    host = parts.hostname or ""
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii")
        except UnicodeError:
            raise invalid_option(f"{host} is not a valid host name.") from None
    return Origin(parts.scheme, host, parts.port or (443 if parts.scheme == "https" else 80))


def _authorization(api_key: Optional[str]) -> Dict[str, str]:
    # Keys come from files, which end with a line feed or two characters of one.
    key = (api_key or "").strip()
    if not key:
        return {}
    if not re.fullmatch(r"[\x21-\x7e]+", key):
        raise invalid_option("api_key must be visible ASCII characters, such as gl_….")
    return {"authorization": f"Bearer {key}"}


def _read_headers(base: Mapping[str, str], more: Mapping[str, str]) -> Dict[str, str]:
    headers = dict(base)
    for name, value in more.items():
        if not re.fullmatch(r"[!#$%&'*+.^`|~\w-]+", name, re.ASCII) or not re.fullmatch(
            r"[\t\x20-\x7e\x80-\xff]*", value
        ):
            raise invalid_option(f"The header {name!r} cannot be sent with this value.")
        headers[name.lower()] = value
    return headers


def _encode(body: Any) -> bytes:
    try:
        try:
            return json.dumps(body, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode()
        except UnicodeEncodeError:
            return json.dumps(body, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise invalid_option(f"The request cannot be sent as JSON: {error}.") from error


def _fill_in(path: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: quote(str(values.get(match[1], "")), safe=""), path)


def _search_of(query: Optional[Mapping[str, Any]]) -> str:
    pairs = [(name, _query_text(value)) for name, value in (query or {}).items() if value is not None]
    return f"?{urlencode(pairs)}" if pairs else ""


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, cast("Sequence[object]", value)))
    return str(value)


def _reason_of(cause: Exception) -> str:
    return (
        str(cause.strerror)
        if isinstance(cause, OSError) and cause.strerror
        else str(cause) or type(cause).__name__
    )


def repeatability_of(name: str, operation: Operation, body: Any) -> str:
    """Returns the effect that a repeated call could have twice: none (`safe`), a `scrape`, or any (`once`)."""
    # Its key holds for the job that it may create, not for the pages that it may scrape.
    if name == "search":
        return "scrape"
    if operation.method in ("GET", "DELETE") or operation.is_keyed or name == "extract":
        return "safe"
    may_repeat = name == "map" or (name == "scrape" and _may_reach_site_twice(body))
    return "scrape" if may_repeat else "once"


def _may_reach_site_twice(body: Mapping[str, Any]) -> bool:
    """Returns false for a scrape whose request has an effect: an error of something between may hide that it was sent."""
    is_plain = body.get("method", "GET") in ("GET", "HEAD") and not any(
        name in body for name in ("body", "json", "form")
    )
    return is_plain or body.get("repeatable") is True


_BASE_SECONDS = 0.3
_LONGEST_SECONDS = 10.0


class _Passing(NamedTuple):
    lost_connection: bool
    statuses: Tuple[int, ...]


# Failures after which a call may be sent again. A scrape that is refused with 429 or 503 did not run. Anything else that is
# not safe to repeat is repeated only after 429, which is given before anything is done.
_PASSING: Mapping[str, _Passing] = {
    "safe": _Passing(lost_connection=True, statuses=(429, 502, 503)),
    "scrape": _Passing(lost_connection=False, statuses=(429, 503)),
    "once": _Passing(lost_connection=False, statuses=(429,)),
}


def describe_unknown(name: str, known: Sequence[str]) -> str:
    """Returns what is wrong with a keyword; the names of early versions had their unit in them."""
    seconds = name[:-3] if name.endswith("_ms") else None
    hint = f"; it is called {seconds!r}, in seconds" if seconds in known else ""
    return f"unexpected keyword argument {name!r}{hint}"


def decide_retry(
    error: GleanerError,
    *,
    repeatability: str,
    retries: int,
    max_retries: int,
    remaining: float,
    random: float,
) -> Optional[float]:
    """Returns the seconds to wait before the call is sent again; None when it must not be, or time does not allow it.

    An error of the target is an answer, never retried.
    """
    if retries >= max_retries or error.source == "target" or not _may_repeat(error, _PASSING[repeatability]):
        return None
    spread = random * min(_LONGEST_SECONDS, _BASE_SECONDS * 2**retries)
    delay = (error.retry_after or 0) + spread
    return delay if delay < remaining else None


def _may_repeat(error: GleanerError, passing: _Passing) -> bool:
    if error.code == "CONNECTION_FAILED":
        return passing.lost_connection or not error.was_sent
    return error.status in passing.statuses
