"""Download handler of Scrapy: requests with `meta["gleaner"]` are fetched by a Gleaner service, all others as ever.

Needs Scrapy, which `pip install 'gleaner-client[scrapy]'` brings. docs/scrapy.md explains the settings.
"""

# Scrapy is not among the packages of the type checker.
# pyright: basic, reportMissingImports=false, reportRedeclaration=false

from __future__ import annotations

import asyncio
import os
from time import time
from typing import TYPE_CHECKING, Any, Dict

from scrapy import version_info
from scrapy.exceptions import NotConfigured, NotSupported
from scrapy.http import Headers, HtmlResponse
from scrapy.responsetypes import responsetypes
from scrapy.settings import default_settings
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.misc import load_object
from twisted.internet.defer import DeferredList, maybeDeferred

from ._async_gleaner import AsyncGleaner
from ._error import GleanerError
from ._scrapy_pages import (
    HTML,
    PageRequest,
    PageResponse,
    may_retry,
    options_of,
    patience_of,
    response_of,
    response_of_error,
    scrape_of,
)

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

    from .types import ScrapeRequest

__all__ = ["GleanerDownloadHandler", "TemporaryError"]

_NEEDS_ASYNCIO = (
    "Gleaner needs Scrapy's asyncio reactor: "
    'TWISTED_REACTOR = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"'
)
_USUAL_HEADERS = {
    name.lower(): value
    for name, value in {
        **default_settings.DEFAULT_REQUEST_HEADERS,
        "User-Agent": default_settings.USER_AGENT,
    }.items()
}


class TemporaryError(GleanerError, OSError):
    """An error after which the request may succeed: Scrapy's retry middleware sends it again, as after any OSError."""

    def __init__(self, error: GleanerError) -> None:
        super().__init__(error.message, code=error.code)
        self.__dict__.update(error.__dict__)


class _Fetcher:
    """Fetches pages by the service that the settings name, and all others by Scrapy's own handlers."""

    lazy = False

    def __init__(self, crawler: Any) -> None:
        settings = crawler.settings
        url = settings.get("GLEANER_URL") or os.environ.get("GLEANER_URL")
        if not url:
            raise NotConfigured(
                "Set GLEANER_URL to the address of the service, such as http://127.0.0.1:8080."
            )
        self._crawler = crawler
        self._defaults = settings.getdict("GLEANER_DEFAULTS")
        self._others: Dict[str, Any] = {}
        self._gleaner = AsyncGleaner(
            url,
            settings.get("GLEANER_API_KEY") or os.environ.get("GLEANER_API_KEY"),
            max_threads=max(1, settings.getint("CONCURRENT_REQUESTS")),
        )

    @classmethod
    def from_crawler(cls, crawler: Any) -> Any:
        """Creates the handler of a crawl."""
        return cls(crawler)

    def _other_for(self, request: Request) -> Any:
        """Returns Scrapy's own handler for the scheme of a request."""
        scheme = urlparse_cached(request).scheme
        if scheme not in self._others:
            path = self._crawler.settings.getdict("DOWNLOAD_HANDLERS_BASE")[scheme]
            self._others[scheme] = load_object(path).from_crawler(self._crawler)
        return self._others[scheme]

    def _options_of(self, request: Request) -> Any:
        return options_of(request.meta.get("gleaner"), self._defaults)

    async def _fetch(self, request: Request, options: Dict[str, Any]) -> Response:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            raise NotSupported(_NEEDS_ASYNCIO) from None
        started = time()
        page = await self._scrape(request, scrape_of(_page_of(request), options, _USUAL_HEADERS))
        request.meta["download_latency"] = time() - started
        request.meta["gleaner_result"] = page.result
        return _respond(page, request)

    async def _scrape(self, request: Request, scrape: ScrapeRequest) -> PageResponse:
        patience = patience_of(scrape)
        self._count("gleaner/requests")
        try:
            scraped = await self._gleaner.scrape(scrape, timeout=patience)
            self._count("gleaner/credits", scraped["metadata"]["credits"])
            if "verdict" in scraped["metadata"]:
                self._count(f"gleaner/verdict/{scraped['metadata']['verdict']['page']}")
            stored = scraped.get("file")
            file = await self._gleaner.files.get(stored["id"], timeout=patience) if stored else b""
            return response_of(scraped, file)
        except GleanerError as error:
            self._count(f"gleaner/error/{error.code}")
            page = response_of_error(error, request.url)
            if page:
                return page
            if may_retry(error, scrape):
                raise TemporaryError(error) from error
            raise

    def _count(self, name: str, count: int = 1) -> None:
        self._crawler.stats.inc_value(name, count)


if version_info >= (2, 14):

    class GleanerDownloadHandler(_Fetcher):
        """Fetches requests with `meta["gleaner"]` by Gleaner, and all others as Scrapy does."""

        async def download_request(self, request: Request) -> Response:
            """Returns the response of a request."""
            options = self._options_of(request)
            if options is None:
                return await self._other_for(request).download_request(request)
            return await self._fetch(request, options)

        async def close(self) -> None:
            """Closes the connections."""
            self._gleaner.close()
            for other in self._others.values():
                await other.close()

else:

    class GleanerDownloadHandler(_Fetcher):
        """Fetches requests with `meta["gleaner"]` by Gleaner, and all others as Scrapy does."""

        def download_request(self, request: Request, spider: Any) -> Any:
            """Returns the response of a request, in a Deferred."""
            options = self._options_of(request)
            if options is None:
                return self._other_for(request).download_request(request, spider)
            return deferred_from_coro(self._fetch(request, options))

        def close(self) -> Any:
            """Closes the connections."""
            self._gleaner.close()
            return DeferredList([maybeDeferred(other.close) for other in self._others.values()])


def _page_of(request: Request) -> PageRequest:
    headers = [
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in request.headers.items()
        for value in values or ()
    ]
    timeout = request.meta.get("download_timeout")
    return PageRequest(request.url, request.method, headers, request.body, timeout)


def _respond(page: PageResponse, request: Request) -> Response:
    headers = Headers({"Content-Type": page.content_type})
    kind = HtmlResponse if page.content_type == HTML else None
    kind = kind or responsetypes.from_args(headers=headers, url=page.url, body=page.body)
    return kind(url=page.url, status=page.status, headers=headers, body=page.body, request=request)
