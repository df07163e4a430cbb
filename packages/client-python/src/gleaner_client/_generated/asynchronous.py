"""The methods of the asynchronous client.

Written by `npm run docs` from those of the client; a test compares them. Do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncIterator, List, Literal, Mapping, Optional, Sequence

from .._bridge import AsyncListing, Bridge

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._caller import CallOptions, CreateOptions
    from .._gleaner import Gleaner
    from .._resources.jobs import Jobs
    from .._resources.schedules import Schedules
    from .._resources.datasets import Datasets
    from .._resources.profiles import Profiles
    from .._resources.webhooks import Webhooks
    from .._resources.recipes import Recipes
    from .._resources.channels import Channels
    from .._resources.keys import Keys
    from .._resources.secrets import Secrets
    from .._resources.snapshots import Snapshots
    from .._resources.files import Files
    from .._watch import WatchOptions
    from ..types import (
        AcceptSuggestionsBody,
        AcceptSuggestionsResult,
        Candidate,
        Change,
        Channel,
        CreateChannelRequest,
        CreateJobRequest,
        CreateKeyBody,
        CreateProfileBody,
        CreateRecipeBody,
        CreateScheduleRequest,
        Dataset,
        DatasetRecord,
        Delivery,
        Estimate,
        EstimateBody,
        ExtractBody,
        ExtractJobBody,
        ExtractResult,
        ExtractSnapshotBody,
        ExtractSnapshotResult,
        GetJobChangesQuery,
        GetJobQuery,
        GetJobResultsQuery,
        GetJobUrlsQuery,
        GetScheduleDiffQuery,
        GetScheduleHealthQuery,
        GetUsageQuery,
        GetWebhookSecretResult,
        Job,
        JobUrl,
        JobWithResults,
        Key,
        ListJobsQuery,
        ListKeysQuery,
        ListProfilesQuery,
        ListRecordsQuery,
        ListRecordsResult,
        ListScheduleChangesQuery,
        ListScheduleChangesResultChange,
        ListScheduleRulesResult,
        ListScheduleRunsQuery,
        ListSchedulesQuery,
        ListWebhookDeliveriesQuery,
        MapBody,
        MapResult,
        NewKey,
        PageChange,
        PageKind,
        PageResult,
        Preview,
        PreviewScheduleQuery,
        Profile,
        Proposal,
        PutSecretBody,
        ReadScheduleFeedQuery,
        Recipe,
        RecipePage,
        RecipeSummary,
        RecordTestBody,
        RecordTestResult,
        RecordVersion,
        RerunJobBody,
        Run,
        Schedule,
        ScheduleDiff,
        ScheduleFeed,
        ScheduleHealth,
        SchedulePatch,
        ScrapeRequest,
        ScrapeResponse,
        SearchRequest,
        SearchResponse,
        Secret,
        Sink,
        StorageState,
        SuggestSelectorsBody,
        System,
        TestRecipeResult,
        Trace,
        TryRecipeBody,
        TryRecipeResult,
        UpdateChannelBody,
        UpdateProfileBody,
        UpdateRecipeBody,
        Usage,
    )


class AsyncGleanerMethods:
    """A client of one Gleaner service. Threads may share it."""

    def __init__(self, bridge: Bridge, sync: Gleaner) -> None:
        self._bridge = bridge
        self._sync = sync

    async def scrape(
        self,
        request: ScrapeRequest,
        **options: Unpack[CallOptions],
    ) -> ScrapeResponse:
        """Scrapes one page and waits for its data."""
        return await self._bridge.call(self._sync.scrape, request, **options)

    async def extract(
        self,
        request: ExtractBody,
        **options: Unpack[CallOptions],
    ) -> ExtractResult:
        """Extracts data from HTML, as from a page that was scraped; nothing is fetched, and it costs nothing."""
        return await self._bridge.call(self._sync.extract, request, **options)

    async def map(
        self,
        body: MapBody,
        **options: Unpack[CallOptions],
    ) -> MapResult:
        """Lists the URLs of a site: its sitemaps, and the links of its first pages, at one credit for each of them."""
        return await self._bridge.call(self._sync.map, body, **options)

    async def search(
        self,
        body: SearchRequest,
        **options: Unpack[CreateOptions],
    ) -> SearchResponse:
        """Searches the web; with `scrape`, the results have their pages, or a `job` scrapes them if there are more than ten."""
        return await self._bridge.call(self._sync.search, body, **options)

    async def trace(
        self,
        request_id: str,
        **options: Unpack[CallOptions],
    ) -> Trace:
        """Returns where the time of a scrape went: its attempts and their stages. `request_id` is its `X-Request-Id`."""
        return await self._bridge.call(self._sync.trace, request_id, **options)

    async def usage(
        self,
        query: Optional[GetUsageQuery] = None,
        **options: Unpack[CallOptions],
    ) -> Usage:
        """Returns the credits used and left, by day and by operation."""
        return await self._bridge.call(self._sync.usage, query, **options)

    async def estimate(
        self,
        body: EstimateBody,
        *,
        look: bool = False,
        **options: Unpack[CallOptions],
    ) -> Estimate:
        """Returns what a scrape, a job, a crawl or a schedule may cost, and what would make it fail; nothing is created."""
        return await self._bridge.call(self._sync.estimate, body, look=look, **options)

    async def system(
        self,
        **options: Unpack[CallOptions],
    ) -> System:
        """Returns the processes and the queues of the service; needs an admin key."""
        return await self._bridge.call(self._sync.system, **options)

    async def ready(
        self,
        **options: Unpack[CallOptions],
    ) -> None:
        """Returns when the service can do its work; needs no key."""
        return await self._bridge.call(self._sync.ready, **options)

    async def live(
        self,
        **options: Unpack[CallOptions],
    ) -> None:
        """Returns when the service answers; needs no key."""
        return await self._bridge.call(self._sync.live, **options)

    async def call(
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
        return await self._bridge.call(self._sync.call, name, path=path, query=query, body=body, headers=headers, **options)


class AsyncJobs:
    """Jobs: many pages, whose results are fetched later."""

    def __init__(self, bridge: Bridge, sync: Jobs) -> None:
        self._bridge = bridge
        self._sync = sync

    async def create(
        self,
        request: CreateJobRequest,
        **options: Unpack[CreateOptions],
    ) -> Job:
        """Creates a job. It is created once, however often the request has to be sent."""
        return await self._bridge.call(self._sync.create, request, **options)

    async def rerun(
        self,
        id: str,
        body: Optional[RerunJobBody] = None,
        **options: Unpack[CreateOptions],
    ) -> Job:
        """Creates a job of the same URLs and options, or of the URLs that failed."""
        return await self._bridge.call(self._sync.rerun, id, body, **options)

    async def extract(
        self,
        id: str,
        body: Optional[ExtractJobBody] = None,
        **options: Unpack[CreateOptions],
    ) -> Job:
        """Creates a job that extracts other data from the snapshots of a finished job, without fetching the pages."""
        return await self._bridge.call(self._sync.extract, id, body, **options)

    def list(
        self,
        query: Optional[ListJobsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[Job]:
        """Lists jobs, newest first."""
        return AsyncListing(self._bridge, self._sync.list(query, **options))

    async def sinks(
        self,
        **options: Unpack[CallOptions],
    ) -> List[Sink]:
        """Lists the sinks that jobs may write to."""
        return await self._bridge.call(self._sync.sinks, **options)

    async def get(
        self,
        id: str,
        query: Optional[GetJobQuery] = None,
        **options: Unpack[CallOptions],
    ) -> JobWithResults:
        """Returns a job with its options and one page of its results."""
        return await self._bridge.call(self._sync.get, id, query, **options)

    def watch(
        self,
        id: str,
        **options: Unpack[WatchOptions],
    ) -> AsyncIterator[Job]:
        """Yields the job whenever it has changed, until it has finished. Survives restarts of the service."""
        return self._bridge.iterate(self._sync.watch, id, **options)

    async def wait(
        self,
        id: str,
        **options: Unpack[WatchOptions],
    ) -> Job:
        """Returns the job when it has finished."""
        return await self._bridge.call(self._sync.wait, id, **options)

    def results(
        self,
        id: str,
        *,
        change: Optional[PageChange] = None,
        verdict: Optional[Sequence[PageKind]] = None,
        **options: Unpack[CallOptions],
    ) -> AsyncIterator[PageResult]:
        """Yields the results so far, in the order of the URLs: all, those of some kinds of pages (`verdict`), or, of a crawl that is compared with another, those with one `change`. However many there are, few are in memory at a time."""
        return self._bridge.iterate(self._sync.results, id, change=change, verdict=verdict, **options)

    def download(
        self,
        id: str,
        query: GetJobResultsQuery,
        **options: Unpack[CallOptions],
    ) -> AsyncIterator[bytes]:
        """Yields the bytes of a file of the results so far. `rows` makes each entry of a list a row of the CSV or Parquet."""
        return self._bridge.iterate(self._sync.download, id, query, **options)

    def changes(
        self,
        id: str,
        query: Optional[GetJobChangesQuery] = None,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[Change]:
        """Lists what a run or a crawl found changed since the one before it: each value, over all pages."""
        return AsyncListing(self._bridge, self._sync.changes(id, query, **options))

    def urls(
        self,
        id: str,
        query: Optional[GetJobUrlsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> AsyncIterator[JobUrl]:
        """Yields the URLs with their states, whether they were processed or not."""
        return self._bridge.iterate(self._sync.urls, id, query, **options)

    async def screenshot(
        self,
        id: str,
        index: int,
        **options: Unpack[CallOptions],
    ) -> bytes:
        """Returns the screenshot of the URL at this index: a PNG, unless the job asked for another format."""
        return await self._bridge.call(self._sync.screenshot, id, index, **options)

    async def trace(
        self,
        id: str,
        index: int,
        **options: Unpack[CallOptions],
    ) -> Trace:
        """Returns where the time of the URL at this index went: its attempts and their stages."""
        return await self._bridge.call(self._sync.trace, id, index, **options)

    async def cancel(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> Job:
        """Cancels a job that has not finished. Completed pages stay."""
        return await self._bridge.call(self._sync.cancel, id, **options)


class AsyncSchedules:
    """Schedules: pages that are scraped repeatedly."""

    def __init__(self, bridge: Bridge, sync: Schedules) -> None:
        self._bridge = bridge
        self._sync = sync

    async def create(
        self,
        body: CreateScheduleRequest,
        **options: Unpack[CallOptions],
    ) -> Schedule:
        """Creates a schedule."""
        return await self._bridge.call(self._sync.create, body, **options)

    def list(
        self,
        query: Optional[ListSchedulesQuery] = None,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[Schedule]:
        """Lists schedules, newest first."""
        return AsyncListing(self._bridge, self._sync.list(query, **options))

    async def preview(
        self,
        query: PreviewScheduleQuery,
        **options: Unpack[CallOptions],
    ) -> Preview:
        """Returns the next times of a cron expression."""
        return await self._bridge.call(self._sync.preview, query, **options)

    async def get(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> Schedule:
        """Returns a schedule."""
        return await self._bridge.call(self._sync.get, id, **options)

    async def update(
        self,
        id: str,
        body: SchedulePatch,
        **options: Unpack[CallOptions],
    ) -> Schedule:
        """Changes settings: what is given replaces the setting, None resets it, the rest stays."""
        return await self._bridge.call(self._sync.update, id, body, **options)

    async def pause(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> Schedule:
        """Pauses a schedule: no runs start until it is resumed."""
        return await self._bridge.call(self._sync.pause, id, **options)

    async def resume(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> Schedule:
        """Resumes a schedule: the next run is the next due time from now."""
        return await self._bridge.call(self._sync.resume, id, **options)

    async def run(
        self,
        id: str,
        **options: Unpack[CreateOptions],
    ) -> Job:
        """Starts a run now and returns its job."""
        return await self._bridge.call(self._sync.run, id, **options)

    def runs(
        self,
        id: str,
        query: Optional[ListScheduleRunsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[Run]:
        """Lists the jobs of a schedule, newest first, with whether their data changed."""
        return AsyncListing(self._bridge, self._sync.runs(id, query, **options))

    def changes(
        self,
        id: str,
        query: Optional[ListScheduleChangesQuery] = None,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[ListScheduleChangesResultChange]:
        """Lists the values in which runs of a schedule differ from the runs before, newest first."""
        return AsyncListing(self._bridge, self._sync.changes(id, query, **options))

    async def rules(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> ListScheduleRulesResult:
        """Returns the rules of a schedule with what each has told, and the number of records that they watch."""
        return await self._bridge.call(self._sync.rules, id, **options)

    async def diff(
        self,
        id: str,
        query: Optional[GetScheduleDiffQuery] = None,
        **options: Unpack[CallOptions],
    ) -> ScheduleDiff:
        """Compares the Markdown of two runs: by default of the last one and of the one before it."""
        return await self._bridge.call(self._sync.diff, id, query, **options)

    async def feed(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> ScheduleFeed:
        """Returns the paths of the feeds of a schedule, whose token opens them without an API key."""
        return await self._bridge.call(self._sync.feed, id, **options)

    async def rotate_feed(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> ScheduleFeed:
        """Replaces the token of the feeds of a schedule."""
        return await self._bridge.call(self._sync.rotate_feed, id, **options)

    async def read_feed(
        self,
        id: str,
        format: Literal["atom", "json"],
        query: Optional[ReadScheduleFeedQuery] = None,
        **options: Unpack[CallOptions],
    ) -> str:
        """Returns the news of a schedule as the text of a feed: Atom, or JSON Feed."""
        return await self._bridge.call(self._sync.read_feed, id, format, query, **options)

    async def health(
        self,
        id: str,
        query: Optional[GetScheduleHealthQuery] = None,
        **options: Unpack[CallOptions],
    ) -> ScheduleHealth:
        """Returns what the fields of a schedule returned before and return now, with suggestions for those that have fallen."""
        return await self._bridge.call(self._sync.health, id, query, **options)

    async def accept_suggestions(
        self,
        id: str,
        body: Optional[AcceptSuggestionsBody] = None,
        **options: Unpack[CallOptions],
    ) -> AcceptSuggestionsResult:
        """Uses the selectors suggested for fallen fields: all verified suggestions, or the ones of named fields."""
        return await self._bridge.call(self._sync.accept_suggestions, id, body, **options)

    async def delete(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Deletes a schedule permanently; its jobs stay."""
        return await self._bridge.call(self._sync.delete, id, **options)


class AsyncDatasets:
    """Datasets: the tables that jobs, crawls and schedules keep."""

    def __init__(self, bridge: Bridge, sync: Datasets) -> None:
        self._bridge = bridge
        self._sync = sync

    async def list(
        self,
        **options: Unpack[CallOptions],
    ) -> List[Dataset]:
        """Lists the datasets by name."""
        return await self._bridge.call(self._sync.list, **options)

    async def get(
        self,
        name: str,
        **options: Unpack[CallOptions],
    ) -> Dataset:
        """Returns a dataset."""
        return await self._bridge.call(self._sync.get, name, **options)

    def changes(
        self,
        name: str,
        query: Optional[ListRecordsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> AsyncIterator[ListRecordsResult]:
        """Yields what has changed since a revision, a page at a time, to the end of the feed. Apply the `records` of a page, keep its `next` with them, and give it as `since` the next time: nothing is missed. REVISION_GONE asks to begin again."""
        return self._bridge.iterate(self._sync.changes, name, query, **options)

    def records(
        self,
        name: str,
        query: Optional[ListRecordsQuery] = None,
        **options: Unpack[CallOptions],
    ) -> AsyncIterator[DatasetRecord]:
        """Yields the records with changes since a revision; without one, all records."""
        return self._bridge.iterate(self._sync.records, name, query, **options)

    def download(
        self,
        name: str,
        query: ListRecordsQuery,
        **options: Unpack[CallOptions],
    ) -> AsyncIterator[bytes]:
        """Yields the bytes of a file, with `format` csv, parquet or ndjson: without `since`, of the whole table of the records that are there."""
        return self._bridge.iterate(self._sync.download, name, query, **options)

    async def history(
        self,
        name: str,
        key: str,
        **options: Unpack[CallOptions],
    ) -> List[RecordVersion]:
        """Returns the states of a record, newest first."""
        return await self._bridge.call(self._sync.history, name, key, **options)

    async def delete(
        self,
        name: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Deletes a dataset with all its records."""
        return await self._bridge.call(self._sync.delete, name, **options)


class AsyncProfiles:
    """Profiles: sessions that are signed in once and used by many pages."""

    def __init__(self, bridge: Bridge, sync: Profiles) -> None:
        self._bridge = bridge
        self._sync = sync

    async def create(
        self,
        body: CreateProfileBody,
        **options: Unpack[CallOptions],
    ) -> Profile:
        """Creates a profile; its login, if it has one, begins at once."""
        return await self._bridge.call(self._sync.create, body, **options)

    def list(
        self,
        query: Optional[ListProfilesQuery] = None,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[Profile]:
        """Lists profiles, newest first."""
        return AsyncListing(self._bridge, self._sync.list(query, **options))

    async def get(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> Profile:
        """Returns a profile."""
        return await self._bridge.call(self._sync.get, id, **options)

    async def update(
        self,
        id: str,
        body: UpdateProfileBody,
        **options: Unpack[CallOptions],
    ) -> Profile:
        """Changes a profile, or uploads a new state."""
        return await self._bridge.call(self._sync.update, id, body, **options)

    async def delete(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Deletes a profile with its state."""
        return await self._bridge.call(self._sync.delete, id, **options)

    async def login(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> Profile:
        """Begins a login; `status` of the profile tells when it is done."""
        return await self._bridge.call(self._sync.login, id, **options)

    async def state(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> StorageState:
        """Returns the state of a profile as Playwright's `storageState`; needs an admin key."""
        return await self._bridge.call(self._sync.state, id, **options)


class AsyncWebhooks:
    """Webhooks: the signing secret and the deliveries."""

    def __init__(self, bridge: Bridge, sync: Webhooks) -> None:
        self._bridge = bridge
        self._sync = sync

    async def secret(
        self,
        **options: Unpack[CallOptions],
    ) -> GetWebhookSecretResult:
        """Returns the secret that signs deliveries."""
        return await self._bridge.call(self._sync.secret, **options)

    async def rotate_secret(
        self,
        **options: Unpack[CallOptions],
    ) -> GetWebhookSecretResult:
        """Replaces the secret; for a time, deliveries are signed with both."""
        return await self._bridge.call(self._sync.rotate_secret, **options)

    def deliveries(
        self,
        query: Optional[ListWebhookDeliveriesQuery] = None,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[Delivery]:
        """Lists deliveries with their attempts, newest first."""
        return AsyncListing(self._bridge, self._sync.deliveries(query, **options))

    async def redeliver(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> Delivery:
        """Sends a delivery again."""
        return await self._bridge.call(self._sync.redeliver, id, **options)

    async def test(
        self,
        url: str,
        **options: Unpack[CallOptions],
    ) -> Delivery:
        """Sends a signed test event to a URL and returns its delivery."""
        return await self._bridge.call(self._sync.test, url, **options)


class AsyncRecipes:
    """Recipes: options for the pages of a site, with tests. Tests fetch nothing and cost nothing."""

    def __init__(self, bridge: Bridge, sync: Recipes) -> None:
        self._bridge = bridge
        self._sync = sync

    async def create(
        self,
        body: CreateRecipeBody,
        **options: Unpack[CallOptions],
    ) -> Recipe:
        """Creates a recipe."""
        return await self._bridge.call(self._sync.create, body, **options)

    async def list(
        self,
        **options: Unpack[CallOptions],
    ) -> List[RecipeSummary]:
        """Lists the recipes by name, each in its latest version."""
        return await self._bridge.call(self._sync.list, **options)

    async def get(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> Recipe:
        """Returns a recipe in its latest version, or in the version of an id such as `rec_…@3`."""
        return await self._bridge.call(self._sync.get, id, **options)

    async def update(
        self,
        id: str,
        body: UpdateRecipeBody,
        **options: Unpack[CallOptions],
    ) -> Recipe:
        """Makes a new version of a recipe, unless nothing differs."""
        return await self._bridge.call(self._sync.update, id, body, **options)

    async def delete(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Deletes a recipe with its versions and tests."""
        return await self._bridge.call(self._sync.delete, id, **options)

    async def test(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> TestRecipeResult:
        """Runs the tests of a recipe and returns their results."""
        return await self._bridge.call(self._sync.test, id, **options)

    async def try_out(
        self,
        body: TryRecipeBody,
        **options: Unpack[CallOptions],
    ) -> TryRecipeResult:
        """Runs tests of a recipe that is not stored."""
        return await self._bridge.call(self._sync.try_out, body, **options)

    async def record(
        self,
        id: str,
        body: RecordTestBody,
        **options: Unpack[CallOptions],
    ) -> RecordTestResult:
        """Makes a test of a result of a job, whose page was kept, and runs it."""
        return await self._bridge.call(self._sync.record, id, body, **options)

    async def add_page(
        self,
        html: str,
        **options: Unpack[CallOptions],
    ) -> RecipePage:
        """Stores a page for tests, which name it by its SHA-256."""
        return await self._bridge.call(self._sync.add_page, html, **options)

    async def page(
        self,
        sha256: str,
        **options: Unpack[CallOptions],
    ) -> str:
        """Returns the text of a page of tests by its SHA-256."""
        return await self._bridge.call(self._sync.page, sha256, **options)


class AsyncChannels:
    """Channels by which rules of schedules tell people: email, chats, and endpoints of your own."""

    def __init__(self, bridge: Bridge, sync: Channels) -> None:
        self._bridge = bridge
        self._sync = sync

    async def create(
        self,
        body: CreateChannelRequest,
        **options: Unpack[CallOptions],
    ) -> Channel:
        """Creates a channel."""
        return await self._bridge.call(self._sync.create, body, **options)

    async def list(
        self,
        **options: Unpack[CallOptions],
    ) -> List[Channel]:
        """Lists the channels by name; their addresses are cut where they hold a secret."""
        return await self._bridge.call(self._sync.list, **options)

    async def get(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> Channel:
        """Returns a channel."""
        return await self._bridge.call(self._sync.get, id, **options)

    async def update(
        self,
        id: str,
        body: UpdateChannelBody,
        **options: Unpack[CallOptions],
    ) -> Channel:
        """Changes the name or the address of a channel."""
        return await self._bridge.call(self._sync.update, id, body, **options)

    async def delete(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Deletes a channel."""
        return await self._bridge.call(self._sync.delete, id, **options)

    async def test(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> Delivery:
        """Sends a test message to a channel and returns its delivery."""
        return await self._bridge.call(self._sync.test, id, **options)


class AsyncKeys:
    """API keys. All calls but `current` need an admin key."""

    def __init__(self, bridge: Bridge, sync: Keys) -> None:
        self._bridge = bridge
        self._sync = sync

    async def create(
        self,
        body: Optional[CreateKeyBody] = None,
        **options: Unpack[CallOptions],
    ) -> NewKey:
        """Creates a key. The key itself is only in this answer."""
        return await self._bridge.call(self._sync.create, body, **options)

    def list(
        self,
        query: Optional[ListKeysQuery] = None,
        **options: Unpack[CallOptions],
    ) -> AsyncListing[Key]:
        """Lists keys, newest first."""
        return AsyncListing(self._bridge, self._sync.list(query, **options))

    async def current(
        self,
        **options: Unpack[CallOptions],
    ) -> Key:
        """Returns the key of this client with its scopes; any key may ask."""
        return await self._bridge.call(self._sync.current, **options)

    async def revoke(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> Key:
        """Revokes a key."""
        return await self._bridge.call(self._sync.revoke, id, **options)


class AsyncSecrets:
    """Secrets that steps of `actions` write into fields. All calls need an admin key."""

    def __init__(self, bridge: Bridge, sync: Secrets) -> None:
        self._bridge = bridge
        self._sync = sync

    async def put(
        self,
        name: str,
        body: PutSecretBody,
        **options: Unpack[CallOptions],
    ) -> Secret:
        """Stores a secret, or replaces its value."""
        return await self._bridge.call(self._sync.put, name, body, **options)

    async def list(
        self,
        **options: Unpack[CallOptions],
    ) -> List[Secret]:
        """Lists the secrets, without their values."""
        return await self._bridge.call(self._sync.list, **options)

    async def delete(
        self,
        name: str,
        **options: Unpack[CallOptions],
    ) -> None:
        """Deletes a secret."""
        return await self._bridge.call(self._sync.delete, name, **options)


class AsyncSnapshots:
    """Pages that were kept by scrapes with `snapshot`. Nothing is fetched, and only a model costs credits."""

    def __init__(self, bridge: Bridge, sync: Snapshots) -> None:
        self._bridge = bridge
        self._sync = sync

    async def extract(
        self,
        id: str,
        body: Optional[ExtractSnapshotBody] = None,
        **options: Unpack[CallOptions],
    ) -> ExtractSnapshotResult:
        """Extracts data, and names the elements that each selector matches."""
        return await self._bridge.call(self._sync.extract, id, body, **options)

    async def suggest(
        self,
        id: str,
        body: SuggestSelectorsBody,
        **options: Unpack[CallOptions],
    ) -> List[Candidate]:
        """Proposes selectors for elements of the page, the most robust first."""
        return await self._bridge.call(self._sync.suggest, id, body, **options)

    async def propose(
        self,
        id: str,
        body: SuggestSelectorsBody,
        **options: Unpack[CallOptions],
    ) -> Proposal:
        """Has a model find the values of the `schema` in the body, and returns selectors that give the same values."""
        return await self._bridge.call(self._sync.propose, id, body, **options)

    async def view(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> str:
        """Returns the page as HTML for a sandboxed frame, with the number of each element as `data-gl-n`."""
        return await self._bridge.call(self._sync.view, id, **options)


class AsyncFiles:
    """Files that scrapes and jobs with `download` kept; results name them as `file`."""

    def __init__(self, bridge: Bridge, sync: Files) -> None:
        self._bridge = bridge
        self._sync = sync

    def download(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> AsyncIterator[bytes]:
        """Yields the bytes of a file as they arrive."""
        return self._bridge.iterate(self._sync.download, id, **options)

    async def get(
        self,
        id: str,
        **options: Unpack[CallOptions],
    ) -> bytes:
        """Returns a file, all of which is then in memory."""
        return await self._bridge.call(self._sync.get, id, **options)
