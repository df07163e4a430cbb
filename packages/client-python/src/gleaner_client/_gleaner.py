"""The client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional

from ._caller import Caller, CallOptions, CreateOptions, Input, Settings
from ._resources.channels import Channels
from ._resources.datasets import Datasets
from ._resources.files import Files
from ._resources.jobs import Jobs, split_key
from ._resources.keys import Keys
from ._resources.profiles import Profiles
from ._resources.recipes import Recipes
from ._resources.schedules import Schedules
from ._resources.secrets import Secrets
from ._resources.snapshots import Snapshots
from ._resources.webhooks import Webhooks

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import (
        Estimate,
        EstimateBody,
        ExtractBody,
        ExtractResult,
        GetUsageQuery,
        MapBody,
        MapResult,
        ScrapeRequest,
        ScrapeResponse,
        SearchRequest,
        SearchResponse,
        System,
        Trace,
        Usage,
    )


class Gleaner:
    """A client of one Gleaner service. Threads may share it."""

    def __init__(self, url: str, api_key: Optional[str] = None, **settings: Unpack[Settings]) -> None:
        """Raises INVALID_OPTION when the address or the key cannot be one. Nothing is sent."""
        self._caller = Caller(url, api_key, **settings)
        self.jobs = Jobs(self._caller)
        self.schedules = Schedules(self._caller)
        self.datasets = Datasets(self._caller)
        self.recipes = Recipes(self._caller)
        self.profiles = Profiles(self._caller)
        self.webhooks = Webhooks(self._caller)
        self.channels = Channels(self._caller)
        self.keys = Keys(self._caller)
        self.secrets = Secrets(self._caller)
        self.snapshots = Snapshots(self._caller)
        self.files = Files(self._caller)

    def scrape(self, request: ScrapeRequest, **options: Unpack[CallOptions]) -> ScrapeResponse:
        """Scrapes one page and waits for its data."""
        return self._caller.call_for_payload("scrape", Input(body=request), **options)

    def extract(self, request: ExtractBody, **options: Unpack[CallOptions]) -> ExtractResult:
        """Extracts data from HTML, as from a page that was scraped; nothing is fetched, and it costs nothing."""
        return self._caller.call_for_payload("extract", Input(body=request), **options)

    def map(self, body: MapBody, **options: Unpack[CallOptions]) -> MapResult:
        """Lists the URLs of a site: its sitemaps, and the links of its first pages, at one credit for each of them."""
        return self._caller.call_for_payload("map", Input(body=body), **options)

    def search(self, body: SearchRequest, **options: Unpack[CreateOptions]) -> SearchResponse:
        """Searches the web; with `scrape`, the results have their pages, or a `job` scrapes them if there are more than ten."""
        headers, rest = split_key(options)
        return self._caller.call_for_payload("search", Input(body=body, headers=headers), **rest)

    def trace(self, request_id: str, **options: Unpack[CallOptions]) -> Trace:
        """Returns where the time of a scrape went: its attempts and their stages. `request_id` is its `X-Request-Id`."""
        return self._caller.call("getTrace", Input(path={"requestId": request_id}), **options)["trace"]

    def usage(self, query: Optional[GetUsageQuery] = None, **options: Unpack[CallOptions]) -> Usage:
        """Returns the credits used and left, by day and by operation."""
        return self._caller.call("getUsage", Input(query=query), **options)["usage"]

    def estimate(self, body: EstimateBody, *, look: bool = False, **options: Unpack[CallOptions]) -> Estimate:
        """Returns what a scrape, a job, a crawl or a schedule may cost, and what would make it fail; nothing is created.

        With `look`, a few of its pages are fetched to say what they are."""
        given = Input(query={"look": "true"} if look else None, body=body)
        return self._caller.call("estimate", given, **options)["estimate"]

    def system(self, **options: Unpack[CallOptions]) -> System:
        """Returns the processes and the queues of the service; needs an admin key."""
        return self._caller.call("getSystem", **options)["system"]

    def ready(self, **options: Unpack[CallOptions]) -> None:
        """Returns when the service can do its work; needs no key."""
        self._caller.call("getReadiness", **options)

    def live(self, **options: Unpack[CallOptions]) -> None:
        """Returns when the service answers; needs no key."""
        self._caller.call("getLiveness", **options)

    def call(
        self,
        name: str,
        *,
        path: Optional[Mapping[str, str]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Any] = None,
        headers: Optional[Mapping[str, str]] = None,
        **options: Unpack[CallOptions],
    ) -> Any:
        """Calls any operation of the OpenAPI document by its name, and returns its JSON."""
        return self._caller.call(name, Input(path or {}, query, body, headers or {}), **options)
