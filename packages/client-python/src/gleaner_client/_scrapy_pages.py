"""Requests of Scrapy as scrapes, and scrapes as responses: everything of the download handler that needs no Scrapy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, cast

from ._caller import repeatability_of
from ._error import GleanerError, invalid_option
from ._generated.errors import RETRYABLE_CODES
from ._generated.operations import OPERATIONS

if TYPE_CHECKING:
    from .types import ScrapeRequest, ScrapeResponse

HTML = "text/html; charset=utf-8"
_GRACE_SECONDS = 30.0
"""Time for the service to answer after the time of the page is over."""
_LONGEST_MS = 120_000
_SHORTEST_MS = 1000
_OF_REQUEST = ("url", "method", "body", "json", "form", "headers", "cookies")
"""Options that the request of Scrapy says by itself."""
_OF_CONNECTION = frozenset(
    [
        *(
            "accept-encoding",
            "connection",
            "content-length",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
        ),
        *("proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"),
    ]
)
"""Headers that the service writes by itself."""


class PageRequest(NamedTuple):
    """A request as Scrapy has it."""

    url: str
    method: str
    headers: List[Tuple[str, str]]
    body: bytes
    timeout: Optional[float]
    """Seconds."""


class PageResponse(NamedTuple):
    """A response for Scrapy, and what else the service said of the page."""

    url: str
    status: int
    content_type: str
    body: bytes
    result: Dict[str, Any]


def options_of(given: Any, defaults: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
    """Returns the scrape options of a request by its `meta["gleaner"]`; None when Scrapy fetches it by itself."""
    if given is None or given is False:
        return None
    if given is not True and not isinstance(given, Mapping):
        raise invalid_option(
            f'meta["gleaner"] must be True or a dictionary of scrape options, not {given!r}.'
        )
    own: Mapping[str, Any] = {} if given is True else cast("Mapping[str, Any]", given)
    options = {name: value for name, value in {**defaults, **own}.items() if value is not None}
    for name in _OF_REQUEST:
        if name in options:
            raise invalid_option(f'meta["gleaner"] cannot have {name!r}: give it to the Request.')
    return options


def scrape_of(page: PageRequest, options: Mapping[str, Any], usual: Mapping[str, str]) -> ScrapeRequest:
    """Returns the scrape of a page. Headers with the values that Scrapy always sends (`usual`) are left to the service."""
    scrape: Dict[str, Any] = {**options, "url": page.url}
    if page.method != "GET":
        scrape["method"] = page.method
    if page.body:
        scrape["body"] = _text_of(page.body)
    headers = _headers_of(page, usual, has_profile="profile" in options)
    if headers:
        scrape["headers"] = headers
    if "timeout" not in options and page.timeout:
        scrape["timeout"] = max(_SHORTEST_MS, min(_LONGEST_MS, int(page.timeout * 1000)))
    formats = list(options.get("formats", ()))
    if not options.get("download") and "html" not in map(_name_of, formats):
        scrape["formats"] = [*formats, "html"]
    return cast("ScrapeRequest", scrape)


def patience_of(scrape: ScrapeRequest) -> float:
    """Returns the seconds that the service may take to answer a scrape."""
    return scrape.get("timeout", _LONGEST_MS) / 1000 + _GRACE_SECONDS


def response_of(scraped: ScrapeResponse, file: bytes = b"") -> PageResponse:
    """Returns the response of a scrape; `file` are the bytes of its file, if it has one."""
    result = dict(scraped)
    formats = dict(scraped.get("formats", {}))
    html = formats.pop("html", None)
    if "formats" in result:
        result["formats"] = formats
    metadata = scraped["metadata"]
    url, status = metadata["finalUrl"], metadata["statusCode"]
    stored = scraped.get("file")
    if stored is not None:
        return PageResponse(url, status, stored["contentType"], file, result)
    return PageResponse(url, status, HTML, str(html or "").encode(), result)


def response_of_error(error: GleanerError, url: str) -> Optional[PageResponse]:
    """Returns the response of a page that answered with an error, without its body; None for every other error."""
    status = error.target_status_code
    if error.source != "target" or status is None or status < 400:
        return None
    described = {"code": error.code, "message": error.message, "suggestion": error.suggestion}
    metadata: Dict[str, Any] = {"attempts": error.attempts or []}
    if error.verdict is not None:
        metadata["verdict"] = {"page": error.verdict}
    result = {"error": described, "metadata": metadata, "requestId": error.request_id}
    return PageResponse(url, status, HTML, b"", result)


def may_retry(error: GleanerError, scrape: ScrapeRequest) -> bool:
    """Returns whether the same request may succeed later, and may be sent again."""
    if error.source == "client":
        is_repeatable = repeatability_of("scrape", OPERATIONS["scrape"], scrape) != "once"
        return error.code != "INVALID_OPTION" and (is_repeatable or not error.was_sent)
    return error.code in RETRYABLE_CODES


def _text_of(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise invalid_option("A body can be sent by Gleaner if it is text in UTF-8.") from None


def _headers_of(page: PageRequest, usual: Mapping[str, str], *, has_profile: bool) -> Dict[str, str]:
    headers: Dict[str, str] = {}
    for name, value in page.headers:
        known = name.lower()
        # The session of a profile has its own cookies.
        if known in _OF_CONNECTION or usual.get(known) == value or (has_profile and known == "cookie"):
            continue
        separator = "; " if known == "cookie" else ", "
        headers[known] = f"{headers[known]}{separator}{value}" if known in headers else value
    return headers


def _name_of(format: Any) -> Any:
    return cast("Mapping[str, Any]", format).get("type") if isinstance(format, Mapping) else format
