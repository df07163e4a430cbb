"""Types of requests and responses: dictionaries, as the REST API names their fields.

Written by `npm run docs` from the OpenAPI document; a test compares them. Do not edit.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Mapping, Sequence, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired
elif sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    # Union[X] is X.
    NotRequired = Union

__all__ = [
    "AcceptSuggestionsBody",
    "AcceptSuggestionsResult",
    "AcceptSuggestionsResultRecipe",
    "Action",
    "Action1",
    "Action10",
    "Action11",
    "Action2",
    "Action2Value",
    "Action3",
    "Action4",
    "Action5",
    "Action6",
    "Action7",
    "Action8",
    "Action9",
    "AddRecipePageBody",
    "AddRecipePageResult",
    "CancelJobResult",
    "Candidate",
    "CandidateColumn",
    "Change",
    "ChangesEvent",
    "ChangesEventData",
    "Channel",
    "ChannelTestEvent",
    "ChannelTestEventData",
    "Cookie",
    "CreateChannelRequest",
    "CreateChannelResult",
    "CreateJobRequest",
    "CreateJobRequestRequest",
    "CreateJobResult",
    "CreateKeyBody",
    "CreateKeyResult",
    "CreateProfileBody",
    "CreateProfileBodyLogin",
    "CreateProfileBodyLoginCheck1",
    "CreateProfileBodyLoginCheck2",
    "CreateProfileBodyLoginCheck3",
    "CreateProfileResult",
    "CreateRecipeBody",
    "CreateRecipeBodyOptions",
    "CreateRecipeBodyOptionsCaptureItem",
    "CreateRecipeBodyOptionsExtract",
    "CreateRecipeBodyOptionsPdf",
    "CreateRecipeBodyOptionsProfile",
    "CreateRecipeBodyOptionsScreenshot",
    "CreateRecipeBodyOptionsScreenshotViewport",
    "CreateRecipeResult",
    "CreateScheduleRequest",
    "CreateScheduleRequestCrawl",
    "CreateScheduleRequestCrawlRule",
    "CreateScheduleResult",
    "Dataset",
    "DatasetEvent",
    "DatasetEventData",
    "DatasetEventDataDataset",
    "DatasetOptions",
    "DatasetRecord",
    "Delivery",
    "DeliveryAttempt",
    "Difference",
    "ErrorCode",
    "ErrorResponse",
    "ErrorResponseError",
    "ErrorResponseErrorDetail",
    "Estimate",
    "EstimateBody",
    "EstimateBodyObject",
    "EstimateCredits",
    "EstimateLook",
    "EstimatePages",
    "EstimateProblem",
    "EstimateQuery",
    "EstimateResult",
    "EventJob",
    "EventName",
    "ExtractBody",
    "ExtractBodyFormat1",
    "ExtractBodyFormat2",
    "ExtractJobBody",
    "ExtractJobResult",
    "ExtractResult",
    "ExtractSnapshotBody",
    "ExtractSnapshotResult",
    "FieldFall",
    "GetChannelResult",
    "GetCurrentKeyResult",
    "GetDatasetResult",
    "GetJobChangesQuery",
    "GetJobChangesResult",
    "GetJobQuery",
    "GetJobResult",
    "GetJobResultsQuery",
    "GetJobResultsResult",
    "GetJobTraceResult",
    "GetJobUrlsQuery",
    "GetJobUrlsResult",
    "GetLivenessResult",
    "GetProfileResult",
    "GetProfileStateResult",
    "GetReadinessResult",
    "GetRecipeResult",
    "GetRecordHistoryResult",
    "GetScheduleDiffQuery",
    "GetScheduleDiffResult",
    "GetScheduleFeedResult",
    "GetScheduleHealthQuery",
    "GetScheduleHealthResult",
    "GetScheduleResult",
    "GetSystemResult",
    "GetTraceResult",
    "GetUsageQuery",
    "GetUsageResult",
    "GetWebhookSecretResult",
    "HealthEvent",
    "HealthEventData",
    "Job",
    "JobChanges",
    "JobCrawl",
    "JobCrawlChanges",
    "JobCrawlDropped",
    "JobCrawlSkipped",
    "JobCrawlWarning",
    "JobDataset",
    "JobEvent",
    "JobEventData",
    "JobPagesEvent",
    "JobPagesEventData",
    "JobPagesEventDataBatch",
    "JobUrl",
    "JobVerdicts",
    "JobWithResults",
    "JobWithResultsOptions",
    "JobWithResultsOptionsCaptureItem",
    "JobWithResultsOptionsCaptureItemUrl",
    "JobWithResultsOptionsCrawl",
    "JobWithResultsOptionsCrawlRule",
    "JobWithResultsOptionsExtract",
    "JobWithResultsOptionsFormat1",
    "JobWithResultsOptionsFormat2",
    "JobWithResultsOptionsPdf",
    "JobWithResultsOptionsProfile",
    "JobWithResultsOptionsScreenshot",
    "JobWithResultsOptionsScreenshotViewport",
    "JobWithResultsResultsPagination",
    "Key",
    "ListChannelsResult",
    "ListDatasetsResult",
    "ListJobsQuery",
    "ListJobsResult",
    "ListKeysQuery",
    "ListKeysResult",
    "ListProfilesQuery",
    "ListProfilesResult",
    "ListRecipesResult",
    "ListRecordsQuery",
    "ListRecordsResult",
    "ListScheduleChangesQuery",
    "ListScheduleChangesResult",
    "ListScheduleChangesResultChange",
    "ListScheduleRulesResult",
    "ListScheduleRulesResultRule",
    "ListScheduleRunsQuery",
    "ListScheduleRunsResult",
    "ListSchedulesQuery",
    "ListSchedulesResult",
    "ListSecretsResult",
    "ListSinksResult",
    "ListWebhookDeliveriesQuery",
    "ListWebhookDeliveriesResult",
    "LoginProfileResult",
    "MapBody",
    "MapBodyIncludeItem",
    "MapResult",
    "MapResultMetadata",
    "MatchedRecord",
    "MatchedRecordValue",
    "Metadata",
    "NewKey",
    "OmittedResult",
    "PageChange",
    "PageDiff",
    "PageFailure",
    "PageFailureError",
    "PageFailureErrorDetail",
    "PageKind",
    "PageResult",
    "PageSuccess",
    "PageSuccessRequest",
    "Pagination",
    "PauseScheduleResult",
    "Preview",
    "PreviewScheduleQuery",
    "PreviewScheduleResult",
    "Profile",
    "ProfileEvent",
    "ProfileEventData",
    "ProfileEventDataProfile",
    "ProfileLastError",
    "ProfileLogin",
    "ProfileLoginCheck1",
    "ProfileLoginCheck2",
    "ProfileLoginCheck3",
    "Proposal",
    "ProposalUnsolvedItem",
    "PutSecretBody",
    "PutSecretResult",
    "ReadScheduleAtomQuery",
    "ReadScheduleFeedQuery",
    "Recipe",
    "RecipeOptions",
    "RecipePage",
    "RecipeSummary",
    "RecipeTest",
    "RecipeTested",
    "RecordTestBody",
    "RecordTestResult",
    "RecordVersion",
    "RedeliverWebhookResult",
    "RerunJobBody",
    "RerunJobResult",
    "ResumeScheduleResult",
    "RevokeKeyResult",
    "RotateScheduleFeedResult",
    "RotateWebhookSecretResult",
    "Rule",
    "RuleEvent",
    "RuleEventData",
    "RuleEventDataSchedule",
    "RuleWhen1",
    "RuleWhen2",
    "RuleWhen3",
    "RuleWhen4",
    "RuleWhen5",
    "RuleWhen6",
    "RuleWhen7",
    "RuleWhen8",
    "RuleWhen8AnyItem8",
    "RuleWhen8AnyItem8AnyItem8",
    "RuleWhen8AnyItem8AnyItem9",
    "RuleWhen8AnyItem9",
    "RuleWhen9",
    "Run",
    "RunScheduleResult",
    "Schedule",
    "ScheduleDiff",
    "ScheduleDiffFrom",
    "ScheduleDiffTo",
    "ScheduleFeed",
    "ScheduleHealth",
    "ScheduleHealthField",
    "ScheduleHealthFieldBefore",
    "ScheduleHealthFieldFallen",
    "ScheduleHealthFieldSuggestion",
    "ScheduleHealthFieldSuggestionSelector",
    "ScheduleHealthFieldSuggestionSelectorExpect",
    "ScheduleHealthPage",
    "SchedulePatch",
    "ScrapeMetadata",
    "ScrapeMetadataAction",
    "ScrapeMetadataAttempt",
    "ScrapeMetadataCache",
    "ScrapeMetadataCreditsBreakdown",
    "ScrapeMetadataLlm",
    "ScrapeMetadataLlmEvidenceItem",
    "ScrapeMetadataOverlay",
    "ScrapeRequest",
    "ScrapeResponse",
    "ScrapeResponseCapturedItemItem",
    "ScrapeResponseFormats",
    "ScrapeResponseFormatsArticle",
    "ScrapeResponseFormatsImage",
    "ScrapeResponseFormatsLink",
    "ScrapeResponseFormatsMetadata",
    "ScrapeResponseFormatsMetadataFeed",
    "ScrapeResponseFormatsMetadataIcon",
    "ScrapeResponseFormatsMetadataMicrodataItem",
    "ScrapeResponseFormatsTable",
    "ScrapeResponseStepScreenshot",
    "ScrapeResponseWarning",
    "SearchRequest",
    "SearchRequestScrape",
    "SearchResponse",
    "SearchResponseMetadata",
    "SearchResponseWarning",
    "SearchResult",
    "Secret",
    "Selector",
    "SelectorObject",
    "SelectorObjectExpect",
    "Sink",
    "SinkOptions",
    "Source",
    "StorageState",
    "StorageStateCooky",
    "StorageStateOrigin",
    "StorageStateOriginIndexedDBItem",
    "StorageStateOriginIndexedDBItemStore",
    "StorageStateOriginIndexedDBItemStoreIndexe",
    "StorageStateOriginIndexedDBItemStoreRecord",
    "StorageStateOriginLocalStorageItem",
    "StoredFile",
    "SuggestSelectorsBody",
    "SuggestSelectorsResult",
    "System",
    "SystemInstance",
    "SystemInstanceBrowser",
    "SystemInstanceChromium",
    "SystemPausedHost",
    "SystemQueue",
    "SystemService",
    "TestChannelResult",
    "TestRecipeResult",
    "TestResult",
    "TestWebhookBody",
    "TestWebhookResult",
    "Trace",
    "TraceAttempt",
    "TraceAttemptAction",
    "TraceAttemptStages",
    "TryRecipeBody",
    "TryRecipeResult",
    "UpdateChannelBody",
    "UpdateChannelResult",
    "UpdateProfileBody",
    "UpdateProfileResult",
    "UpdateRecipeBody",
    "UpdateRecipeResult",
    "UpdateScheduleResult",
    "Url",
    "Usage",
    "UsageByDayItem",
    "UsageByOperationItem",
    "Verdict",
    "VerdictSignal",
    "Webhook",
    "WebhookEvent",
    "WebhookObject",
    "WebhookTestEvent",
    "WebhookTestEventData",
]


class ExtractBody(TypedDict):
    html: str
    """The page, as HTML: at most 10485760 bytes in UTF-8."""
    url: NotRequired[str]
    """The address of the page, with http or https, to which its links are relative. It is not fetched. Without it, relative links are not resolved."""
    selectors: NotRequired[Mapping[str, "Selector"]]
    """Output field name to selector. At most 100 fields and 64 KiB, nested ones included."""
    formats: NotRequired[Sequence[Union[Literal["markdown", "article", "metadata", "links", "images", "tables", "text", "html"], "ExtractBodyFormat1", "ExtractBodyFormat2"]]]
    """Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then."""
    locale: NotRequired[str]
    """BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own."""
    overlays: NotRequired[Literal["keep", "hide"]]
    """With `hide`, the formats `markdown`, `text` and `article` leave out the layers of known consent platforms. Default keep."""


Selector = Union[str, "SelectorObject"]
"""`<css>[::text | ::attr(<name>) | ::html][::all]`, or an object with options, which are applied in this order: selector, exclude, json, pattern, type, default, required."""

SelectorObject = TypedDict("SelectorObject", {
    "selector": NotRequired[str],
    "all": NotRequired[bool],
    "absolute": NotRequired[bool],
    "fields": NotRequired[Mapping[str, "Selector"]],
    "whitespace": NotRequired[Literal["collapse", "keep"]],
    "exclude": NotRequired[str],
    "json": NotRequired[str],
    "from": NotRequired[str],
    "pattern": NotRequired[str],
    "type": NotRequired[Literal["string", "number", "integer", "price", "boolean", "date", "datetime", "url", "json", "table", "rows", "markdown", "count"]],
    "default": NotRequired[Any],
    "required": NotRequired[bool],
    "locale": NotRequired[str],
    "currency": NotRequired[str],
    "format": NotRequired[str],
    "timezone": NotRequired[str],
    "key": NotRequired[str],
    "expect": NotRequired["SelectorObjectExpect"],
})


class SelectorObjectExpect(TypedDict):
    """Bounds of its own: a job in which the field returns less is `partial`, with the warning EXPECTATION_FAILED. For the health of a schedule they replace what was usual. Only pages of the verdict `content` count."""

    fill: NotRequired[float]
    """Least share of the pages, or of the records around the field, that have a value."""
    min: NotRequired[int]
    """Least number of values or records on a page, on average over the pages."""



class ExtractBodyFormat1(TypedDict):
    type: Literal["markdown", "links", "images", "text", "html"]
    """Name of the format."""
    main: NotRequired[bool]
    """Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false."""
    include: NotRequired[str]
    """CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out."""
    exclude: NotRequired[str]
    """CSS selector list of elements to leave out, whatever else says."""
    hidden: NotRequired[Literal["keep", "drop", "mark"]]
    """What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep."""



class ExtractBodyFormat2(TypedDict):
    type: Literal["article"]
    hidden: NotRequired[Literal["keep", "drop", "mark"]]
    """What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep."""



class MapBody(TypedDict):
    url: str
    """The page to start at: an absolute http or https URL."""
    limit: NotRequired[int]
    """Most URLs that are returned. Default 5000."""
    depth: NotRequired[Literal[0, 1, 2]]
    """Pages whose links are read, each for one credit: none with 0, so that only sitemaps are read; the start page with 1; with 2, also the pages that it links to and those of the sitemaps. Default 1."""
    scope: NotRequired[Literal["path", "host", "domain", "any"]]
    """Where links lead to: below the `path` of a start URL, on its `host` (or the one that it redirects to), on its registrable `domain`, or on `any` host. Default host."""
    include: NotRequired[Sequence[Union[str, "MapBodyIncludeItem"]]]
    """Only URLs that match one of these are crawled. The start URLs are followed in any case, and have a result only if one of these or a rule matches them."""
    exclude: NotRequired[Sequence[Union[str, "MapBodyIncludeItem"]]]
    """URLs that match one of these are not crawled, whatever `include` says."""
    ignoreQuery: NotRequired[Union[bool, Sequence[str]]]
    """Query parameters that make no other page: `true` for all of them, or names, in which `*` stands for any characters. Parameters of campaigns and session ids never do. Default false."""
    sitemap: NotRequired[Literal["skip", "include", "only"]]
    """Whether pages are taken from the sitemaps that robots.txt names, else from /sitemap.xml; with `only`, links are not followed. Default include."""
    robots: NotRequired[Literal["obey", "ignore"]]
    """Whether robots.txt (RFC 9309), `nofollow` and `Crawl-delay` are obeyed. The operator may forbid `ignore`. Default obey."""
    search: NotRequired[str]
    """Words: only URLs that have one of them in the URL or in the text of a link are returned, the best first."""
    maxCredits: NotRequired[int]
    """Most pages that are read, at one credit each."""
    timeout: NotRequired[int]
    """Milliseconds after which what was found is returned. Default 60000."""



class MapBodyIncludeItem(TypedDict):
    regex: str



class ExtractSnapshotBody(TypedDict):
    selectors: NotRequired[Mapping[str, "Selector"]]
    """Output field name to selector. At most 100 fields and 64 KiB, nested ones included."""
    formats: NotRequired[Sequence[Union[Literal["markdown", "article", "metadata", "links", "images", "tables", "text", "html"], "ExtractBodyFormat1", "ExtractBodyFormat2"]]]
    """Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then."""
    locale: NotRequired[str]
    """BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own."""


SuggestSelectorsBody = TypedDict("SuggestSelectorsBody", {
    "kind": NotRequired[Literal["one", "list", "field"]],
    "picks": NotRequired[Sequence[int]],
    "not": NotRequired[Sequence[int]],
    "within": NotRequired[Sequence[int]],
    "alsoOn": NotRequired[Sequence[str]],
    "schema": NotRequired[Mapping[str, Any]],
    "prompt": NotRequired[str],
    "locale": NotRequired[str],
    "maxCredits": NotRequired[int],
})


class ListJobsQuery(TypedDict):
    status: NotRequired[Literal["pending", "running", "completed", "partial", "failed", "cancelled"]]
    """Only jobs in this state."""
    scheduleId: NotRequired[str]
    """Only runs of this schedule."""
    search: NotRequired[str]
    """Only jobs with a word of the name, or a host or its domain, that begins with each of these words (the first five). Case does not matter; of a URL, the host counts."""
    limit: NotRequired[int]
    """Number of entries. Default 20."""
    offset: NotRequired[int]
    """Number of entries to skip. Default 0."""



class GetJobQuery(TypedDict):
    resultsLimit: NotRequired[int]
    """Number of results. Default 1000."""
    resultsOffset: NotRequired[int]
    """Number of results to skip. Default 0."""
    change: NotRequired[Literal["new", "changed", "unchanged", "gone", "unlinked"]]
    """Only results with this `change`, or those that are `unlinked`; for crawls with `since` or `changes`."""
    verdict: NotRequired[Sequence[Literal["content", "wall", "login", "consent", "notFound", "shell", "empty", "notice"]]]
    """Only results of pages of these kinds, separated by commas: `login,wall`. URLs that failed have no kind, and neither have results that older versions stored."""



class GetJobResultsQuery(TypedDict):
    format: NotRequired[Literal["json", "ndjson", "csv", "parquet"]]
    """Default: what `Accept` asks for, else json."""
    rows: NotRequired[str]
    """For CSV and Parquet: a field with several values, by its dotted path. Each of its entries becomes a row, which repeats the other columns of the page."""
    columns: NotRequired[str]
    """For CSV and Parquet: the columns in their order, separated by commas, such as `title,price.amount,url`. Without it: what was extracted, then `url`."""
    pages: NotRequired[Literal["records", "all"]]
    """For CSV and Parquet: `all` has a row also for pages without a record, such as failed ones, and columns for their errors. Default records."""
    offset: NotRequired[int]
    """Number of results to skip, to go on where a stream broke off. Default 0."""
    change: NotRequired[Literal["new", "changed", "unchanged", "gone", "unlinked"]]
    """Only results with this `change`, or those that are `unlinked`; for crawls with `since` or `changes`."""
    verdict: NotRequired[Sequence[Literal["content", "wall", "login", "consent", "notFound", "shell", "empty", "notice"]]]
    """Only results of pages of these kinds, separated by commas: `login,wall`. URLs that failed have no kind, and neither have results that older versions stored."""



class GetJobChangesQuery(TypedDict):
    limit: NotRequired[int]
    """Number of changes. Default 100."""
    offset: NotRequired[int]
    """Number of entries to skip. Default 0."""



class GetJobUrlsQuery(TypedDict):
    state: NotRequired[Literal["waiting", "running", "completed", "failed", "skipped", "cancelled"]]
    """Only URLs in this state."""
    url: NotRequired[str]
    """Only this URL. In a list, every entry that is fetched as this URL; in a crawl, its page, however the URL is spelled, or the reason why it was not crawled."""
    verdict: NotRequired[Sequence[Literal["content", "wall", "login", "consent", "notFound", "shell", "empty", "notice"]]]
    """Only results of pages of these kinds, separated by commas: `login,wall`. URLs that failed have no kind, and neither have results that older versions stored."""



class RerunJobBody(TypedDict):
    only: NotRequired[Literal["failed"]]
    """`failed`: only the URLs that failed. Default: all URLs."""



class ExtractJobBody(TypedDict):
    name: NotRequired[str]
    """Default: the name of the job whose pages are used."""
    selectors: NotRequired[Mapping[str, "Selector"]]
    """Output field name to selector. At most 100 fields and 64 KiB, nested ones included."""
    formats: NotRequired[Sequence[Union[Literal["markdown", "article", "metadata", "links", "images", "tables", "text", "html"], "ExtractBodyFormat1", "ExtractBodyFormat2"]]]
    """Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then."""
    locale: NotRequired[str]
    """BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own."""
    webhook: NotRequired["Webhook"]


Webhook = Union[str, "WebhookObject"]
"""URL that receives the results, or `{url, events, metadata}`."""


class WebhookObject(TypedDict):
    url: str
    events: NotRequired[Sequence[Literal["job.started", "job.pages", "job.completed", "job.partial", "job.failed", "job.cancelled", "job.changed", "dataset.changed", "schedule.changed", "schedule.drift", "schedule.recovered", "profile.expired", "profile.failed"]]]
    metadata: NotRequired[Mapping[str, str]]



class ListRecordsQuery(TypedDict):
    since: NotRequired[int]
    """The last revision that was read; 0 reads from the beginning. Default 0."""
    limit: NotRequired[int]
    """Number of records. Default 100; csv, parquet and ndjson have all without it."""
    format: NotRequired[Literal["json", "ndjson", "csv", "parquet"]]
    """Default json."""
    op: NotRequired[Literal["upsert", "gone"]]
    """Only records that are there, or only those that are gone."""
    changedAfter: NotRequired[str]
    """Only records that changed at this time or later."""



class ListSchedulesQuery(TypedDict):
    status: NotRequired[Literal["active", "paused"]]
    """Only schedules in this state."""
    limit: NotRequired[int]
    """Number of entries. Default 20."""
    offset: NotRequired[int]
    """Number of entries to skip. Default 0."""



class PreviewScheduleQuery(TypedDict):
    cron: str
    """Minute, hour, day of the month, month, day of the week: `*`, values, lists, ranges, steps, names; 0 and 7 are Sunday."""
    timezone: NotRequired[str]
    """IANA name of the time zone of `cron`. Default UTC."""
    count: NotRequired[int]
    """Number of runs. Default 5."""



class GetScheduleHealthQuery(TypedDict):
    suggest: NotRequired[Literal["true", "false"]]
    """`false` leaves out the suggestions, which take work. Default true."""



class AcceptSuggestionsBody(TypedDict):
    fields: NotRequired[Sequence[str]]
    """Paths of the fields whose suggestions are accepted, also those that are not verified. Without it, all verified ones."""
    suggestedFor: NotRequired[str]
    """Of the health that the suggestions were read from: where selectors or pages have changed since, nothing is accepted."""



class ListScheduleRunsQuery(TypedDict):
    limit: NotRequired[int]
    """Number of entries. Default 20."""
    offset: NotRequired[int]
    """Number of entries to skip. Default 0."""



class ListScheduleChangesQuery(TypedDict):
    limit: NotRequired[int]
    """Number of runs. Default 10."""
    offset: NotRequired[int]
    """Number of entries to skip. Default 0."""


GetScheduleDiffQuery = TypedDict("GetScheduleDiffQuery", {
    "from": NotRequired[str],
    "to": NotRequired[str],
    "url": NotRequired[str],
    "format": NotRequired[Literal["json", "text"]],
})


class ReadScheduleAtomQuery(TypedDict):
    token: NotRequired[str]
    """Token of the feeds of the schedule. Without it, the request needs an API key."""
    only: NotRequired[Literal["rules", "changes"]]
    """Only what rules tell, or only changes of runs. Default both."""



class ReadScheduleFeedQuery(TypedDict):
    token: NotRequired[str]
    """Token of the feeds of the schedule. Without it, the request needs an API key."""
    only: NotRequired[Literal["rules", "changes"]]
    """Only what rules tell, or only changes of runs. Default both."""



class CreateRecipeBody(TypedDict):
    name: str
    """Unique among the recipes of the account."""
    match: NotRequired[Sequence[str]]
    """Globs of the URLs that the recipe is for, compared with the whole URL: `*` stands for any characters but `/`, `**` for any at all. `"recipe": "auto"` takes the recipe whose pattern has the most characters beside them. Default none: the recipe is used by its id alone."""
    options: "CreateRecipeBodyOptions"
    """Options of scrapes, jobs and schedules about how pages are fetched and read. Those of one request are not among them: its method and body, its cookies, and what it may cost. Headers must not be secret: a profile keeps sessions."""
    tests: NotRequired[Sequence[Any]]
    """Pages with the values that the options must find on them."""



class CreateRecipeBodyOptions(TypedDict):
    """Options of scrapes, jobs and schedules about how pages are fetched and read. Those of one request are not among them: its method and body, its cookies, and what it may cost. Headers must not be secret: a profile keeps sessions."""

    selectors: NotRequired[Mapping[str, "Selector"]]
    """Output field name to selector. At most 100 fields and 64 KiB, nested ones included."""
    formats: NotRequired[Sequence[Union[Literal["markdown", "article", "metadata", "links", "images", "tables", "text", "html"], "ExtractBodyFormat1", "ExtractBodyFormat2"]]]
    """Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then."""
    extract: NotRequired["CreateRecipeBodyOptionsExtract"]
    """Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page."""
    locale: NotRequired[str]
    """BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own."""
    render: NotRequired[Literal[True, False, "auto"]]
    """Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false."""
    antiBot: NotRequired[bool]
    """When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false."""
    proxy: NotRequired[str]
    """Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones."""
    actions: NotRequired[Sequence["Action"]]
    """Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`."""
    waitFor: NotRequired[Union[str, int]]
    """A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`."""
    screenshot: NotRequired[Union[bool, "CreateRecipeBodyOptionsScreenshot"]]
    """Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false."""
    overlays: NotRequired[Literal["keep", "hide", "accept", "reject"]]
    """What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep."""
    frames: NotRequired[bool]
    """Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false."""
    capture: NotRequired[Mapping[str, "CreateRecipeBodyOptionsCaptureItem"]]
    """Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`."""
    pdf: NotRequired["CreateRecipeBodyOptionsPdf"]
    """How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages."""
    download: NotRequired[bool]
    """Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false."""
    onSuspect: NotRequired[Literal["keep", "fail"]]
    """What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep."""
    snapshot: NotRequired[bool]
    """Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false."""
    maxAge: NotRequired[int]
    """Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0."""
    freshContext: NotRequired[bool]
    """Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false."""
    headers: NotRequired[Mapping[str, str]]
    """Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any."""
    profile: NotRequired[Union[str, "CreateRecipeBodyOptionsProfile"]]
    """Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header."""
    timeout: NotRequired[int]
    """Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more."""



class CreateRecipeBodyOptionsExtract(TypedDict):
    """Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page."""

    schema: Mapping[str, Any]
    """JSON schema of an object, in a subset: `properties`, `items`, the types object, array, string, number, integer and boolean, alone or with null, `enum`, `description`, and for strings the formats uri, date and date-time. At most 100 fields, 6 levels and 16 KiB. Other keywords are refused by their path."""
    prompt: NotRequired[str]
    """What the model is told besides the schema."""
    evidence: NotRequired[Literal["required", "report"]]
    """With `required`, a value that does not stand on the page is null, with the warning VALUE_NOT_ON_PAGE. With `report` it stays, and `metadata.llm.evidence` says `missing`. Default required."""
    maxCredits: NotRequired[int]
    """The most that the model may cost for a page. Default the operator's price of 110000 tokens, which is held before."""


Action = Union["Action1", "Action2", "Action3", "Action4", "Action5", "Action6", "Action7", "Action8", "Action9", "Action10", "Action11"]
"""A step on a rendered page, named by its verb."""


class Action1(TypedDict):
    """Clicks an element; on a phone, taps it."""

    click: str
    """The element."""
    frame: NotRequired[Union[str, Sequence[str]]]
    """The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself."""
    optional: NotRequired[bool]
    """Skip the step where it cannot be done, instead of failing. Default false."""



class Action2(TypedDict):
    """Replaces the text of a field, by keys where the text is short."""

    fill: str
    """The field."""
    value: Union[str, "Action2Value"]
    """The text, or the name of a secret of the account: `{"secret": "shop-password"}`."""
    frame: NotRequired[Union[str, Sequence[str]]]
    """The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself."""
    optional: NotRequired[bool]
    """Skip the step where it cannot be done, instead of failing. Default false."""



class Action2Value(TypedDict):
    secret: str



class Action3(TypedDict):
    """Presses a key on the element that has the focus."""

    press: str
    """The key, after `Shift+`, `Control+`, `Alt+` or `Meta+` with these held."""
    optional: NotRequired[bool]
    """Skip the step where it cannot be done, instead of failing. Default false."""



class Action4(TypedDict):
    """Waits until an element is there, or for a time in milliseconds."""

    waitFor: Union[str, int]
    frame: NotRequired[Union[str, Sequence[str]]]
    """The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself."""
    optional: NotRequired[bool]
    """Skip the step where it cannot be done, instead of failing. Default false."""



class Action5(TypedDict):
    """Chooses the option of a `select` that has the value, or the text."""

    select: str
    """The `select` element."""
    value: Union[str, "Action2Value"]
    """The text, or the name of a secret of the account: `{"secret": "shop-password"}`."""
    frame: NotRequired[Union[str, Sequence[str]]]
    """The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself."""
    optional: NotRequired[bool]
    """Skip the step where it cannot be done, instead of failing. Default false."""



class Action6(TypedDict):
    """Clicks unless it is checked."""

    check: str
    """A checkbox, a radio button or a switch."""
    frame: NotRequired[Union[str, Sequence[str]]]
    """The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself."""
    optional: NotRequired[bool]
    """Skip the step where it cannot be done, instead of failing. Default false."""



class Action7(TypedDict):
    """Clicks if it is checked."""

    uncheck: str
    """A checkbox or a switch."""
    frame: NotRequired[Union[str, Sequence[str]]]
    """The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself."""
    optional: NotRequired[bool]
    """Skip the step where it cannot be done, instead of failing. Default false."""



class Action8(TypedDict):
    """Moves the mouse over an element."""

    hover: str
    """The element."""
    frame: NotRequired[Union[str, Sequence[str]]]
    """The `iframe` that the element is in; of one in other frames, all of them, the outermost first. Default: the page itself."""
    optional: NotRequired[bool]
    """Skip the step where it cannot be done, instead of failing. Default false."""


Action9 = TypedDict("Action9", {
    "scroll": str,
    "in": NotRequired[str],
    "frame": NotRequired[Union[str, Sequence[str]]],
    "optional": NotRequired[bool],
})


class Action10(TypedDict):
    """From now on, keeps each element that matches: those that the page takes away are put back, in the order in which they appeared, before the page is read."""

    collect: str
    """The elements."""
    optional: NotRequired[bool]
    """Skip the step where it cannot be done, instead of failing. Default false."""



class Action11(TypedDict):
    """Does steps until the first of them finds nothing, a round changes nothing for a second, or `times` is reached."""

    repeat: Sequence[Union["Action1", "Action2", "Action3", "Action4", "Action5", "Action6", "Action7", "Action8", "Action9", "Action10"]]
    """The steps."""
    times: NotRequired[int]
    """Most rounds. Default 20."""
    optional: NotRequired[bool]
    """Skip the step where it cannot be done, instead of failing. Default false."""



class CreateRecipeBodyOptionsScreenshot(TypedDict):
    fullPage: NotRequired[bool]
    """The whole page, however long, or only what the window shows first. Default true."""
    selector: NotRequired[str]
    """CSS selector: only the first element that it matches. Without a match there is no screenshot, and none is charged; a warning says so."""
    viewport: NotRequired["CreateRecipeBodyOptionsScreenshotViewport"]
    """Window of the browser, in CSS pixels. The page loads in it, so that its data comes from the same layout. Default 1280 × 800; 390 × 844 at a scale of 2 with `mobile`."""
    mobile: NotRequired[bool]
    """Visit the page as Chrome on a phone with a touch screen does. Default false."""
    format: NotRequired[Literal["png", "jpeg", "webp"]]
    """Default png."""
    quality: NotRequired[int]
    """Of a JPEG or WebP image. Default 80."""



class CreateRecipeBodyOptionsScreenshotViewport(TypedDict):
    """Window of the browser, in CSS pixels. The page loads in it, so that its data comes from the same layout. Default 1280 × 800; 390 × 844 at a scale of 2 with `mobile`."""

    width: int
    height: int
    scale: NotRequired[float]
    """Pixels of the image for each CSS pixel. Default 1."""



class CreateRecipeBodyOptionsCaptureItem(TypedDict):
    url: Union[str, "MapBodyIncludeItem"]
    """A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL."""
    method: NotRequired[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]]
    """Only requests with this method. Default: any."""
    types: NotRequired[Sequence[Literal["xhr", "fetch", "eventsource", "document", "script", "other"]]]
    """Kinds of requests. Default xhr and fetch, by which scripts load data."""
    wait: NotRequired[int]
    """Number of responses to wait for; without them the page fails with a TIMEOUT that names this. Default 0: those that came until the page was read."""
    limit: NotRequired[int]
    """Number of responses that are kept, the first ones. Default 20."""



class CreateRecipeBodyOptionsPdf(TypedDict):
    """How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages."""

    maxPages: NotRequired[int]
    """Pages to read; a longer PDF has the warning PDF_CUT. Default 100."""



class CreateRecipeBodyOptionsProfile(TypedDict):
    id: str
    save: NotRequired[bool]
    """Store what the page leaves in the session. Default true."""



class TryRecipeBody(TypedDict):
    options: "CreateRecipeBodyOptions"
    """Options of scrapes, jobs and schedules about how pages are fetched and read. Those of one request are not among them: its method and body, its cookies, and what it may cost. Headers must not be secret: a profile keeps sessions."""
    tests: Sequence[Any]
    """Pages with the values that the options must find on them."""



class AddRecipePageBody(TypedDict):
    html: str
    """The text of the page: at most 1048576 bytes in UTF-8."""



class UpdateRecipeBody(TypedDict):
    name: NotRequired[str]
    """Unique among the recipes of the account."""
    match: NotRequired[Sequence[str]]
    """Globs of the URLs that the recipe is for, compared with the whole URL: `*` stands for any characters but `/`, `**` for any at all. `"recipe": "auto"` takes the recipe whose pattern has the most characters beside them. Default none: the recipe is used by its id alone."""
    options: NotRequired["CreateRecipeBodyOptions"]
    """Options of scrapes, jobs and schedules about how pages are fetched and read. Those of one request are not among them: its method and body, its cookies, and what it may cost. Headers must not be secret: a profile keeps sessions."""
    tests: NotRequired[Sequence[Any]]
    """Pages with the values that the options must find on them."""



class RecordTestBody(TypedDict):
    jobId: str
    """A job with `snapshot`, whose pages are kept for a day."""
    index: int
    """The result, from 0, in the order of its URLs."""
    name: NotRequired[str]
    """Name of the test. Default the path of the URL."""



class CreateProfileBody(TypedDict):
    name: str
    """Unique in the account."""
    login: NotRequired["CreateProfileBodyLogin"]
    """How to sign in: the `actions` are done on the page at `url`, and the page that they lead to must pass `check`, as every page that is scraped must. Without `actions` a session is renewed by uploading another `storageState`."""
    storageState: NotRequired["StorageState"]
    proxy: NotRequired[str]
    """Country of the proxy that carries the login and every page."""
    ttl: NotRequired[int]
    """Milliseconds after which a session counts as expired although no check has failed. Default: never."""



class CreateProfileBodyLogin(TypedDict):
    """How to sign in: the `actions` are done on the page at `url`, and the page that they lead to must pass `check`, as every page that is scraped must. Without `actions` a session is renewed by uploading another `storageState`."""

    url: str
    """The page with the form."""
    actions: NotRequired[Sequence["Action"]]
    """Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`."""
    check: Union["CreateProfileBodyLoginCheck1", "CreateProfileBodyLoginCheck2", "CreateProfileBodyLoginCheck3"]
    """Sign of a page that is signed in, looked for on every page: a selector that matches (`present`) or does not (`absent`), or a pattern of the final URL (`url`)."""



class CreateProfileBodyLoginCheck1(TypedDict):
    present: str
    """A CSS selector that matches something on every page."""



class CreateProfileBodyLoginCheck2(TypedDict):
    absent: str
    """A CSS selector that matches nothing on any page."""



class CreateProfileBodyLoginCheck3(TypedDict):
    url: str
    """A pattern of path and query, or of the whole URL if it begins with http, that each final URL matches."""



class StorageState(TypedDict):
    """A session in the form of Playwright’s `storageState`: cookies, and the `localStorage` and IndexedDB of origins. At most 256 KiB."""

    cookies: Sequence["StorageStateCooky"]
    origins: Sequence["StorageStateOrigin"]



class StorageStateCooky(TypedDict):
    name: str
    """May be empty: a cookie without a name is its value."""
    value: str
    domain: str
    """The host that gets the cookie; with a leading dot, its subdomains get it, too."""
    path: NotRequired[str]
    expires: NotRequired[float]
    """Seconds since 1970; -1 for a cookie that ends with the session."""
    httpOnly: NotRequired[bool]
    secure: NotRequired[bool]
    sameSite: NotRequired[Literal["Strict", "Lax", "None"]]
    partitionKey: NotRequired[str]
    """Of a cookie with `Partitioned`: the site of the outermost document in which it is sent, such as "https://shop.example"."""
    _crHasCrossSiteAncestor: NotRequired[bool]
    """False if a document of that site itself set it, not a frame of another one."""



class StorageStateOrigin(TypedDict):
    origin: str
    localStorage: Sequence["StorageStateOriginLocalStorageItem"]
    indexedDB: NotRequired[Sequence["StorageStateOriginIndexedDBItem"]]
    """The databases of IndexedDB, as Playwright’s `storageState({ indexedDB: true })` returns them."""



class StorageStateOriginLocalStorageItem(TypedDict):
    name: str
    value: str



class StorageStateOriginIndexedDBItem(TypedDict):
    name: str
    version: int
    stores: Sequence["StorageStateOriginIndexedDBItemStore"]



class StorageStateOriginIndexedDBItemStore(TypedDict):
    name: str
    keyPath: NotRequired[str]
    keyPathArray: NotRequired[Sequence[str]]
    autoIncrement: bool
    records: Sequence["StorageStateOriginIndexedDBItemStoreRecord"]
    indexes: Sequence["StorageStateOriginIndexedDBItemStoreIndexe"]



class StorageStateOriginIndexedDBItemStoreRecord(TypedDict):
    key: NotRequired[Any]
    """Absent where the value contains it."""
    keyEncoded: NotRequired[Any]
    """Instead of `key`, one that JSON has no form for."""
    value: NotRequired[Any]
    valueEncoded: NotRequired[Any]
    """Instead of `value`, one that JSON has no form for, as Playwright encodes it: dates, bytes, maps."""



class StorageStateOriginIndexedDBItemStoreIndexe(TypedDict):
    name: str
    keyPath: NotRequired[str]
    keyPathArray: NotRequired[Sequence[str]]
    multiEntry: bool
    unique: bool



class ListProfilesQuery(TypedDict):
    limit: NotRequired[int]
    """Number of entries. Default 20."""
    offset: NotRequired[int]
    """Number of entries to skip. Default 0."""



class UpdateProfileBody(TypedDict):
    name: NotRequired[str]
    login: NotRequired[Union["CreateProfileBodyLogin", None]]
    storageState: NotRequired["StorageState"]
    proxy: NotRequired[Union[str, None]]
    ttl: NotRequired[Union[int, None]]



class ListWebhookDeliveriesQuery(TypedDict):
    jobId: NotRequired[str]
    """Only deliveries about this job."""
    channelId: NotRequired[str]
    """Only messages for this channel."""
    status: NotRequired[Literal["pending", "delivered", "failed", "gone"]]
    """Only deliveries in this state."""
    limit: NotRequired[int]
    """Number of entries. Default 20."""
    offset: NotRequired[int]
    """Number of entries to skip. Default 0."""



class TestWebhookBody(TypedDict):
    url: str
    """The endpoint: an absolute http or https URL."""



class UpdateChannelBody(TypedDict):
    name: NotRequired[str]
    """Name by which people know the channel."""
    url: NotRequired[str]
    """Of `webhook`: the endpoint. Of `slack`, `discord` and `teams`: the address of an incoming webhook."""
    to: NotRequired[Sequence[str]]
    """Of `email`: the recipients."""
    token: NotRequired[str]
    """Of `telegram`: the token of the bot. Of `ntfy`, optional: an access token."""
    chat: NotRequired[str]
    """Of `telegram`: the chat."""
    topic: NotRequired[str]
    """Of `ntfy`: the topic."""
    server: NotRequired[str]
    """Of `ntfy` and `telegram`, optional: a server of your own. Default https://ntfy.sh and https://api.telegram.org."""
    key: NotRequired[str]
    """Of `apprise`: the key of a configuration that the operator's Apprise keeps."""
    tag: NotRequired[str]
    """Of `apprise`, optional: the tags of that configuration to notify."""



class CreateKeyBody(TypedDict):
    name: NotRequired[str]
    """Default "Unnamed key"."""
    scopes: NotRequired[Sequence[Literal["scrape", "jobs", "schedules", "profiles", "webhooks", "usage", "admin"]]]
    """Default: all but admin."""
    expiresAt: NotRequired[str]
    """Time in the future at which the key expires. Default never."""



class ListKeysQuery(TypedDict):
    limit: NotRequired[int]
    """Number of entries. Default 20."""
    offset: NotRequired[int]
    """Number of entries to skip. Default 0."""



class PutSecretBody(TypedDict):
    value: str
    """The secret. No response has it."""
    origins: NotRequired[Sequence[str]]
    """Origins of the pages in whose fields the secret may be written. Without them, it is that of the URL that is scraped."""


GetUsageQuery = TypedDict("GetUsageQuery", {
    "from": NotRequired[str],
    "to": NotRequired[str],
})


class EstimateQuery(TypedDict):
    look: NotRequired[Literal["true", "false"]]
    """`true` fetches up to five pages of the request, robots.txt, and the sitemaps of a crawl, to say what they are and cost. Default false."""


EstimateBody = Union["CreateScheduleRequest", "CreateJobRequest", "EstimateBodyObject", "ScrapeRequest"]
"""The body of a scrape (`url`), a map (`url` and one of its own options, such as `depth`), a job or crawl (`urls` or `requests`), or a schedule (`cron`)."""


class CreateScheduleRequest(TypedDict):
    name: NotRequired[str]
    """Default "Untitled schedule"."""
    url: NotRequired[str]
    """The page, or the start of a crawl: an absolute http or https URL. Either `url` or `urls`."""
    urls: NotRequired[Sequence[str]]
    """The pages, or the starts of a crawl: each run is a job of them. Either `url` or `urls`."""
    cron: str
    """Minute, hour, day of the month, month, day of the week: `*`, values, lists, ranges, steps, names; 0 and 7 are Sunday."""
    timezone: NotRequired[str]
    """IANA name of the time zone of `cron`. Default UTC."""
    overlap: NotRequired[Literal["skip", "allow"]]
    """`skip` leaves a run out while the one before has not finished; `allow` starts it. Default skip."""
    crawl: NotRequired["CreateScheduleRequestCrawl"]
    """Follows the links of the pages in `urls`, their sitemaps, and the links of what they lead to. Each page is fetched once."""
    recipe: NotRequired[str]
    """A recipe of the account, whose options hold wherever the request has none of its own: by its id, by its id and a version (`rec_…@3`), or `auto` for the one whose `match` fits the URL best. All URLs of a job must have the same one. What is stored and shown is the version that was used, with its options."""
    selectors: NotRequired[Mapping[str, "Selector"]]
    """Output field name to selector. At most 100 fields and 64 KiB, nested ones included."""
    formats: NotRequired[Sequence[Union[Literal["markdown", "article", "metadata", "links", "images", "tables", "text", "html"], "ExtractBodyFormat1", "ExtractBodyFormat2"]]]
    """Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then."""
    extract: NotRequired["CreateRecipeBodyOptionsExtract"]
    """Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page."""
    locale: NotRequired[str]
    """BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own."""
    method: NotRequired[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]]
    """Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body."""
    body: NotRequired[str]
    """Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`."""
    json: NotRequired[Any]
    """Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`."""
    form: NotRequired[Mapping[str, Union[str, float, bool, Sequence[Union[str, float, bool]]]]]
    """Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value."""
    repeatable: NotRequired[bool]
    """Whether the request may reach the site twice, as a search may. Otherwise no request but GET and HEAD is sent again once bytes of it were sent: not after a broken connection, an error of the site or a lost worker. Where it is not known what became of it, the error is OUTCOME_UNKNOWN. Default false."""
    render: NotRequired[Literal[True, False, "auto"]]
    """Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false."""
    antiBot: NotRequired[bool]
    """When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false."""
    proxy: NotRequired[str]
    """Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones."""
    actions: NotRequired[Sequence["Action"]]
    """Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`."""
    waitFor: NotRequired[Union[str, int]]
    """A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`."""
    screenshot: NotRequired[Union[bool, "CreateRecipeBodyOptionsScreenshot"]]
    """Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false."""
    overlays: NotRequired[Literal["keep", "hide", "accept", "reject"]]
    """What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep."""
    frames: NotRequired[bool]
    """Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false."""
    capture: NotRequired[Mapping[str, "CreateRecipeBodyOptionsCaptureItem"]]
    """Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`."""
    pdf: NotRequired["CreateRecipeBodyOptionsPdf"]
    """How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages."""
    download: NotRequired[bool]
    """Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false."""
    onSuspect: NotRequired[Literal["keep", "fail"]]
    """What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep."""
    snapshot: NotRequired[bool]
    """Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false."""
    maxAge: NotRequired[int]
    """Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0."""
    freshContext: NotRequired[bool]
    """Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false."""
    cookies: NotRequired[Sequence["Cookie"]]
    """Cookies to send where their domain and path allow. One without a domain goes to the origin of the URL alone, in a crawl to the origins of its start URLs."""
    headers: NotRequired[Mapping[str, str]]
    """Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any."""
    profile: NotRequired[Union[str, "CreateRecipeBodyOptionsProfile"]]
    """Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header."""
    maxCredits: NotRequired[int]
    """The most that the request may cost: a scrape, or a job or a run of a schedule with all its pages. Ways of `antiBot` and `render: "auto"` that cost more are left out. A job starts no page that might cost more than is left; pages that it does not start fail with INSUFFICIENT_CREDITS. A crawl has `crawl.maxCredits` instead."""
    timeout: NotRequired[int]
    """Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more."""
    dataset: NotRequired["DatasetOptions"]
    sink: NotRequired["SinkOptions"]
    webhook: NotRequired["Webhook"]
    notify: NotRequired[Sequence["Rule"]]
    """Rules that tell people by channels when a record begins to meet a condition. Only pages of the verdict `content`, and fields that have not fallen, are judged."""



class CreateScheduleRequestCrawl(TypedDict):
    """Follows the links of the pages in `urls`, their sitemaps, and the links of what they lead to. Each page is fetched once."""

    limit: NotRequired[int]
    """Most pages with a result, failed ones included; never exceeded. Default 1000; the operator may set a maximum."""
    maxDepth: NotRequired[int]
    """Most links between a start URL and a page. Pages of a sitemap have depth 1. Default 10."""
    scope: NotRequired[Literal["path", "host", "domain", "any"]]
    """Where links lead to: below the `path` of a start URL, on its `host` (or the one that it redirects to), on its registrable `domain`, or on `any` host. Default host."""
    maxHosts: NotRequired[int]
    """Most hosts of a crawl whose scope is `any` or `domain`. Default 100."""
    include: NotRequired[Sequence[Union[str, "MapBodyIncludeItem"]]]
    """Only URLs that match one of these are crawled. The start URLs are followed in any case, and have a result only if one of these or a rule matches them."""
    exclude: NotRequired[Sequence[Union[str, "MapBodyIncludeItem"]]]
    """URLs that match one of these are not crawled, whatever `include` says."""
    rules: NotRequired[Sequence["CreateScheduleRequestCrawlRule"]]
    """The first rule whose `match` fits the URL of a page holds for it."""
    ignoreQuery: NotRequired[Union[bool, Sequence[str]]]
    """Query parameters that make no other page: `true` for all of them, or names, in which `*` stands for any characters. Parameters of campaigns and session ids never do. Default false."""
    sitemap: NotRequired[Literal["skip", "include", "only"]]
    """Whether pages are taken from the sitemaps that robots.txt names, else from /sitemap.xml; with `only`, links are not followed. Default include."""
    robots: NotRequired[Literal["obey", "ignore"]]
    """Whether robots.txt (RFC 9309), `nofollow` and `Crawl-delay` are obeyed. The operator may forbid `ignore`. Default obey."""
    delay: NotRequired[int]
    """Milliseconds between the end of a page and the start of the next one of the same host, which then has one page in flight. A longer `Crawl-delay` is obeyed up to 30 seconds. Default 0."""
    concurrency: NotRequired[int]
    """Most pages of one host in flight at once; a crawl begins with two, and takes back some where the host answers 429, 503 or too late. Default 4."""
    maxCredits: NotRequired[int]
    """Ends the crawl before it costs more. Running pages count with the most they may cost."""
    maxDuration: NotRequired[int]
    """Milliseconds after which no further page is started."""
    maxPerPattern: NotRequired[int]
    """Most pages with URLs of one pattern, such as `shop.example/p/{number}`, against endless calendars and lists. Default a quarter of `limit`, at least 100, for pages that neither `include`, a rule nor a sitemap names."""
    since: NotRequired[str]
    """Id of a finished crawl of this account that the pages are compared with: results have `change`, and pages that have not changed cost nothing where the site says so (304). Only in jobs."""
    changes: NotRequired[bool]
    """Compares each run with the run before, as `since` does. Only in schedules. Default false."""



class CreateScheduleRequestCrawlRule(TypedDict):
    match: Union[str, "MapBodyIncludeItem"]
    """A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL."""
    selectors: NotRequired[Mapping[str, "Selector"]]
    """Output field name to selector. At most 100 fields and 64 KiB, nested ones included."""
    formats: NotRequired[Sequence[Union[Literal["markdown", "article", "metadata", "links", "images", "tables", "text", "html"], "ExtractBodyFormat1", "ExtractBodyFormat2"]]]
    """Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then."""
    actions: NotRequired[Sequence["Action"]]
    """Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`."""
    follow: NotRequired[Union[bool, Sequence[str]]]
    """Whether links of the page are followed: `true`, `false`, or CSS selectors of the links, or of elements that contain them. Default true."""
    next: NotRequired[str]
    """CSS selector of the link to the next page of a list, which is as deep as the page itself."""
    keep: NotRequired[bool]
    """`false`: the page is fetched and charged for its links, and has no result. Default true."""



class Cookie(TypedDict):
    name: str
    """May be empty: a cookie without a name is its value."""
    value: str
    domain: NotRequired[str]
    """The host that gets the cookie: a name with all its subdomains, or an IP address without brackets, which has none. Defaults to the host of the URL alone. A cookie of another host is sent only where a redirect or the page itself leads there."""
    path: NotRequired[str]
    expires: NotRequired[Union[float, str]]
    httpOnly: NotRequired[bool]
    secure: NotRequired[bool]
    sameSite: NotRequired[Literal["Strict", "Lax", "None"]]



class DatasetOptions(TypedDict):
    """Keeps the extracted records in a table of the account, which later jobs add to and change."""

    name: str
    rows: NotRequired[str]
    """The list whose records are kept, by its dotted path. Without it, each page is one record of all its fields."""
    key: NotRequired[Sequence[str]]
    """The fields that tell records apart. Needed with `rows`; without both, records are told apart by the URL of their page."""
    gone: NotRequired[Literal["never", "run"]]
    """`run`: once a run has completed with nothing but pages of content, records that it did not find are gone. For tables that one job or schedule writes as a whole. Default never."""



class SinkOptions(TypedDict):
    """Writes the results into files of an object store once the job is completed or partial: `part-00000.parquet` and so on, and last `_manifest.json`. The log of deliveries has the attempts."""

    name: str
    """One of the sinks that the operator has configured (`SINKS`)."""
    format: NotRequired[Literal["parquet", "ndjson", "csv"]]
    """Format of the files. Default parquet."""
    rows: NotRequired[str]
    """For parquet and csv: a field with several values, by its dotted path. Each of its entries becomes a row. Without it, each page is a row, and lists are JSON."""
    key: NotRequired[str]
    """Folder of the files. `{job}`, which it needs, is the id of the job, `{schedule}` that of its schedule or `jobs`, and `{date}` the day in UTC on which the job was created. Default {schedule}/{date}/{job}."""
    partBytes: NotRequired[int]
    """Size from which a file ends and the next one begins. Default 134217728 (128 MiB)."""



class Rule(TypedDict):
    name: str
    """Name of the rule, the title of its messages."""
    when: Union["RuleWhen1", "RuleWhen2", "RuleWhen3", "RuleWhen4", "RuleWhen5", "RuleWhen6", "RuleWhen7", "RuleWhen8", "RuleWhen9"]
    """A condition, or `any` and `all` of several, up to three levels deep. All conditions of a rule are about the same list, or about the page."""
    cooldown: NotRequired[int]
    """Milliseconds after a message during which the rule does not tell of the same record again; what holds by then is told after it. Default 0."""
    confirm: NotRequired[int]
    """Runs that must find the same, at least 30 seconds after one another, before the rule tells. They are started for it, and cost what runs cost. Default 0."""
    initial: NotRequired[bool]
    """Tell also what holds in the first run. Default false."""
    every: NotRequired[bool]
    """Tell at every run while it holds, instead of once when it becomes true. Default false."""
    digest: NotRequired[int]
    """Milliseconds for which what the rule tells is collected, from the first record on; the first run after them tells of all. Default: every run tells at once."""
    to: Sequence[str]
    """Ids of channels."""



class RuleWhen1(TypedDict):
    field: str
    """Dotted name of a field of the selectors: `price.amount`, `books.price.amount`."""
    below: float
    """The number falls below this bound."""



class RuleWhen2(TypedDict):
    field: str
    """Dotted name of a field of the selectors: `price.amount`, `books.price.amount`."""
    above: float
    """The number rises above this bound."""



class RuleWhen3(TypedDict):
    field: str
    """Dotted name of a field of the selectors: `price.amount`, `books.price.amount`."""
    becomes: Union[str, float, bool, None]
    """The value becomes this text, number, true, false or null."""



class RuleWhen4(TypedDict):
    field: str
    """Dotted name of a field of the selectors: `price.amount`, `books.price.amount`."""
    by: str
    """The number falls (`-10%`), rises (`+10%`) or moves (`10%`) by this share of what was last told, or first seen."""



class RuleWhen5(TypedDict):
    changed: Sequence[str]
    """One of these fields differs from the run before."""



class RuleWhen6(TypedDict):
    added: str
    """A record of this list that was not there before."""



class RuleWhen7(TypedDict):
    removed: str
    """A record of this list that is no longer there."""



class RuleWhen8(TypedDict):
    any: Sequence[Union["RuleWhen1", "RuleWhen2", "RuleWhen3", "RuleWhen4", "RuleWhen5", "RuleWhen6", "RuleWhen7", "RuleWhen8AnyItem8", "RuleWhen8AnyItem9"]]



class RuleWhen8AnyItem8(TypedDict):
    any: Sequence[Union["RuleWhen1", "RuleWhen2", "RuleWhen3", "RuleWhen4", "RuleWhen5", "RuleWhen6", "RuleWhen7", "RuleWhen8AnyItem8AnyItem8", "RuleWhen8AnyItem8AnyItem9"]]



class RuleWhen8AnyItem8AnyItem8(TypedDict):
    any: Sequence[Union["RuleWhen1", "RuleWhen2", "RuleWhen3", "RuleWhen4", "RuleWhen5", "RuleWhen6", "RuleWhen7"]]



class RuleWhen8AnyItem8AnyItem9(TypedDict):
    all: Sequence[Union["RuleWhen1", "RuleWhen2", "RuleWhen3", "RuleWhen4", "RuleWhen5", "RuleWhen6", "RuleWhen7"]]



class RuleWhen8AnyItem9(TypedDict):
    all: Sequence[Union["RuleWhen1", "RuleWhen2", "RuleWhen3", "RuleWhen4", "RuleWhen5", "RuleWhen6", "RuleWhen7", "RuleWhen8AnyItem8AnyItem8", "RuleWhen8AnyItem8AnyItem9"]]



class RuleWhen9(TypedDict):
    all: Sequence[Union["RuleWhen1", "RuleWhen2", "RuleWhen3", "RuleWhen4", "RuleWhen5", "RuleWhen6", "RuleWhen7", "RuleWhen8AnyItem8", "RuleWhen8AnyItem9"]]



class CreateJobRequest(TypedDict):
    name: NotRequired[str]
    """Default "Untitled job"."""
    urls: NotRequired[Sequence[str]]
    """The pages: absolute http or https URLs. Either `urls` or `requests`."""
    requests: NotRequired[Sequence["CreateJobRequestRequest"]]
    """The pages with a method and a body for each, instead of `urls`. Requests are equal if URL, method and body are; equal ones are sent once."""
    crawl: NotRequired["CreateScheduleRequestCrawl"]
    """Follows the links of the pages in `urls`, their sitemaps, and the links of what they lead to. Each page is fetched once."""
    recipe: NotRequired[str]
    """A recipe of the account, whose options hold wherever the request has none of its own: by its id, by its id and a version (`rec_…@3`), or `auto` for the one whose `match` fits the URL best. All URLs of a job must have the same one. What is stored and shown is the version that was used, with its options."""
    selectors: NotRequired[Mapping[str, "Selector"]]
    """Output field name to selector. At most 100 fields and 64 KiB, nested ones included."""
    formats: NotRequired[Sequence[Union[Literal["markdown", "article", "metadata", "links", "images", "tables", "text", "html"], "ExtractBodyFormat1", "ExtractBodyFormat2"]]]
    """Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then."""
    extract: NotRequired["CreateRecipeBodyOptionsExtract"]
    """Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page."""
    locale: NotRequired[str]
    """BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own."""
    method: NotRequired[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]]
    """Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body."""
    body: NotRequired[str]
    """Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`."""
    json: NotRequired[Any]
    """Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`."""
    form: NotRequired[Mapping[str, Union[str, float, bool, Sequence[Union[str, float, bool]]]]]
    """Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value."""
    repeatable: NotRequired[bool]
    """Whether the request may reach the site twice, as a search may. Otherwise no request but GET and HEAD is sent again once bytes of it were sent: not after a broken connection, an error of the site or a lost worker. Where it is not known what became of it, the error is OUTCOME_UNKNOWN. Default false."""
    render: NotRequired[Literal[True, False, "auto"]]
    """Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false."""
    antiBot: NotRequired[bool]
    """When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false."""
    proxy: NotRequired[str]
    """Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones."""
    actions: NotRequired[Sequence["Action"]]
    """Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`."""
    waitFor: NotRequired[Union[str, int]]
    """A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`."""
    screenshot: NotRequired[Union[bool, "CreateRecipeBodyOptionsScreenshot"]]
    """Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false."""
    overlays: NotRequired[Literal["keep", "hide", "accept", "reject"]]
    """What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep."""
    frames: NotRequired[bool]
    """Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false."""
    capture: NotRequired[Mapping[str, "CreateRecipeBodyOptionsCaptureItem"]]
    """Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`."""
    pdf: NotRequired["CreateRecipeBodyOptionsPdf"]
    """How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages."""
    download: NotRequired[bool]
    """Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false."""
    onSuspect: NotRequired[Literal["keep", "fail"]]
    """What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep."""
    snapshot: NotRequired[bool]
    """Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false."""
    maxAge: NotRequired[int]
    """Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0."""
    freshContext: NotRequired[bool]
    """Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false."""
    cookies: NotRequired[Sequence["Cookie"]]
    """Cookies to send where their domain and path allow. One without a domain goes to the origin of the URL alone, in a crawl to the origins of its start URLs."""
    headers: NotRequired[Mapping[str, str]]
    """Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any."""
    profile: NotRequired[Union[str, "CreateRecipeBodyOptionsProfile"]]
    """Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header."""
    maxCredits: NotRequired[int]
    """The most that the request may cost: a scrape, or a job or a run of a schedule with all its pages. Ways of `antiBot` and `render: "auto"` that cost more are left out. A job starts no page that might cost more than is left; pages that it does not start fail with INSUFFICIENT_CREDITS. A crawl has `crawl.maxCredits` instead."""
    timeout: NotRequired[int]
    """Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more."""
    dataset: NotRequired["DatasetOptions"]
    sink: NotRequired["SinkOptions"]
    webhook: NotRequired["Webhook"]



class CreateJobRequestRequest(TypedDict):
    url: str
    """An absolute http or https URL."""
    method: NotRequired[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]]
    """Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body."""
    body: NotRequired[str]
    """Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`."""
    json: NotRequired[Any]
    """Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`."""
    form: NotRequired[Mapping[str, Union[str, float, bool, Sequence[Union[str, float, bool]]]]]
    """Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value."""



class EstimateBodyObject(TypedDict):
    url: str
    """The page to start at: an absolute http or https URL."""
    limit: NotRequired[int]
    """Most URLs that are returned. Default 5000."""
    depth: NotRequired[Literal[0, 1, 2]]
    """Pages whose links are read, each for one credit: none with 0, so that only sitemaps are read; the start page with 1; with 2, also the pages that it links to and those of the sitemaps. Default 1."""
    scope: NotRequired[Literal["path", "host", "domain", "any"]]
    """Where links lead to: below the `path` of a start URL, on its `host` (or the one that it redirects to), on its registrable `domain`, or on `any` host. Default host."""
    include: NotRequired[Sequence[Union[str, "MapBodyIncludeItem"]]]
    """Only URLs that match one of these are crawled. The start URLs are followed in any case, and have a result only if one of these or a rule matches them."""
    exclude: NotRequired[Sequence[Union[str, "MapBodyIncludeItem"]]]
    """URLs that match one of these are not crawled, whatever `include` says."""
    ignoreQuery: NotRequired[Union[bool, Sequence[str]]]
    """Query parameters that make no other page: `true` for all of them, or names, in which `*` stands for any characters. Parameters of campaigns and session ids never do. Default false."""
    sitemap: NotRequired[Literal["skip", "include", "only"]]
    """Whether pages are taken from the sitemaps that robots.txt names, else from /sitemap.xml; with `only`, links are not followed. Default include."""
    robots: NotRequired[Literal["obey", "ignore"]]
    """Whether robots.txt (RFC 9309), `nofollow` and `Crawl-delay` are obeyed. The operator may forbid `ignore`. Default obey."""
    search: NotRequired[str]
    """Words: only URLs that have one of them in the URL or in the text of a link are returned, the best first."""
    maxCredits: NotRequired[int]
    """Most pages that are read, at one credit each."""
    timeout: NotRequired[int]
    """Milliseconds after which what was found is returned. Default 60000."""



class ScrapeRequest(TypedDict):
    url: str
    """The page: an absolute http or https URL."""
    recipe: NotRequired[str]
    """A recipe of the account, whose options hold wherever the request has none of its own: by its id, by its id and a version (`rec_…@3`), or `auto` for the one whose `match` fits the URL best. All URLs of a job must have the same one. What is stored and shown is the version that was used, with its options."""
    selectors: NotRequired[Mapping[str, "Selector"]]
    """Output field name to selector. At most 100 fields and 64 KiB, nested ones included."""
    formats: NotRequired[Sequence[Union[Literal["markdown", "article", "metadata", "links", "images", "tables", "text", "html"], "ExtractBodyFormat1", "ExtractBodyFormat2"]]]
    """Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then."""
    extract: NotRequired["CreateRecipeBodyOptionsExtract"]
    """Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page."""
    locale: NotRequired[str]
    """BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own."""
    method: NotRequired[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]]
    """Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body."""
    body: NotRequired[str]
    """Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`."""
    json: NotRequired[Any]
    """Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`."""
    form: NotRequired[Mapping[str, Union[str, float, bool, Sequence[Union[str, float, bool]]]]]
    """Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value."""
    repeatable: NotRequired[bool]
    """Whether the request may reach the site twice, as a search may. Otherwise no request but GET and HEAD is sent again once bytes of it were sent: not after a broken connection, an error of the site or a lost worker. Where it is not known what became of it, the error is OUTCOME_UNKNOWN. Default false."""
    render: NotRequired[Literal[True, False, "auto"]]
    """Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false."""
    antiBot: NotRequired[bool]
    """When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false."""
    proxy: NotRequired[str]
    """Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones."""
    actions: NotRequired[Sequence["Action"]]
    """Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`."""
    waitFor: NotRequired[Union[str, int]]
    """A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`."""
    screenshot: NotRequired[Union[bool, "CreateRecipeBodyOptionsScreenshot"]]
    """Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false."""
    overlays: NotRequired[Literal["keep", "hide", "accept", "reject"]]
    """What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep."""
    frames: NotRequired[bool]
    """Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false."""
    capture: NotRequired[Mapping[str, "CreateRecipeBodyOptionsCaptureItem"]]
    """Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`."""
    pdf: NotRequired["CreateRecipeBodyOptionsPdf"]
    """How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages."""
    download: NotRequired[bool]
    """Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false."""
    onSuspect: NotRequired[Literal["keep", "fail"]]
    """What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep."""
    snapshot: NotRequired[bool]
    """Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false."""
    maxAge: NotRequired[int]
    """Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0."""
    freshContext: NotRequired[bool]
    """Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false."""
    cookies: NotRequired[Sequence["Cookie"]]
    """Cookies to send where their domain and path allow. One without a domain goes to the origin of the URL alone, in a crawl to the origins of its start URLs."""
    headers: NotRequired[Mapping[str, str]]
    """Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any."""
    profile: NotRequired[Union[str, "CreateRecipeBodyOptionsProfile"]]
    """Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header."""
    maxCredits: NotRequired[int]
    """The most that the request may cost: a scrape, or a job or a run of a schedule with all its pages. Ways of `antiBot` and `render: "auto"` that cost more are left out. A job starts no page that might cost more than is left; pages that it does not start fail with INSUFFICIENT_CREDITS. A crawl has `crawl.maxCredits` instead."""
    timeout: NotRequired[int]
    """Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more."""
    stepScreenshots: NotRequired[bool]
    """Return a small image of the window after each of the first 20 steps of `actions`, as `stepScreenshots` of the response or of the error, to see what they do. Default false."""



class Verdict(TypedDict):
    """Whether the page is what was asked for, or what a site sends instead. Absent from results that older versions have stored."""

    page: Literal["content", "wall", "login", "consent", "notFound", "shell", "empty", "notice"]
    """`content` unless something speaks against it. The other kinds are what sites send instead: a captcha (`wall`), a `login`, a page that asks for `consent`, an error page with a status of success (`notFound`), a page that scripts have yet to fill (`shell`), nothing (`empty`), or a `notice` such as one of maintenance."""
    basis: Literal["observed", "inferred"]
    """`observed` rests on what the page is made of; `inferred` is a guess, from its words or because nothing was observed, and never fails a page."""
    signals: List["VerdictSignal"]
    """What speaks for the kind of page; empty for `content`."""



class VerdictSignal(TypedDict):
    code: Literal["CAPTCHA_WIDGET", "CAPTCHA_FIELD", "WALL_REDIRECT", "LOGIN_REDIRECT", "PASSWORD_FORM", "CONSENT_REDIRECT", "CONSENT_LAYER", "NOT_FOUND_REDIRECT", "NOT_FOUND_MARK", "UNKNOWN_PATH", "REPEATED_TEXT", "NOSCRIPT_DEMAND", "SAME_EVERYWHERE", "NO_CONTENT", "SCRIPTS_ONLY", "WALL_WORDS", "LOGIN_WORDS", "CONSENT_WORDS", "NOT_FOUND_WORDS", "NOTICE_WORDS"]
    """See docs/verdicts.md; more codes may be added."""
    evidence: str
    """What was found on the page."""



class ScrapeMetadata(TypedDict):
    url: str
    """The requested URL."""
    finalUrl: str
    """The URL after redirects."""
    statusCode: int
    """HTTP status of the target page."""
    duration: int
    """Milliseconds from the arrival of the request to its response."""
    timestamp: str
    """Time at which the page was scraped."""
    credits: int
    """Credits charged for the call."""
    creditsBreakdown: "ScrapeMetadataCreditsBreakdown"
    engine: Literal["http", "browser"]
    """The engine of the successful attempt."""
    attempts: List["ScrapeMetadataAttempt"]
    """Every attempt at the page, oldest first; several with `antiBot`, or when proxies failed."""
    verdict: NotRequired["Verdict"]
    recipe: NotRequired[str]
    """The version of the recipe whose options a scrape has used."""
    llm: NotRequired["ScrapeMetadataLlm"]
    """The model that has found the fields of `extract`."""
    actions: NotRequired[List["ScrapeMetadataAction"]]
    """The steps of `actions`, in order."""
    cache: NotRequired["ScrapeMetadataCache"]
    """Only with `maxAge`, of a page that was extracted again instead of fetched."""
    overlays: NotRequired[List["ScrapeMetadataOverlay"]]
    """The layers that were dismissed, if there were any."""



class ScrapeMetadataCreditsBreakdown(TypedDict):
    base: int
    render: NotRequired[int]
    screenshot: NotRequired[int]
    proxy: NotRequired[int]
    antiBot: NotRequired[int]
    """Present only when the page could not be fetched without it."""
    llm: NotRequired[int]
    """Tokens of the model of `extract`, at the price of the operator."""



class ScrapeMetadataAttempt(TypedDict):
    engine: Literal["http", "browser"]
    proxy: NotRequired[str]
    """The proxy, by its country and its place in the pool."""
    statusCode: NotRequired[int]
    outcome: str
    """`success`, or the error code that ended the attempt."""
    durationMs: int



class ScrapeMetadataLlm(TypedDict):
    """The model that has found the fields of `extract`."""

    model: str
    """Name of the model."""
    tokensIn: int
    """Tokens that the model has read; 0 if cached."""
    tokensOut: int
    """Tokens that the model has written; 0 if cached."""
    cached: bool
    """True if the answer to the same page, schema and prompt was used again, which is free."""
    evidence: Dict[str, "ScrapeMetadataLlmEvidenceItem"]
    """Evidence of each value by its path in `data`, such as `books.0.title`."""



class ScrapeMetadataLlmEvidenceItem(TypedDict):
    quote: Union[str, None]
    """The part of the page that shows the value; null without one."""
    status: Literal["verbatim", "converted", "missing"]
    """Whether the value is a part of the quote, is what a conversion makes of it, or does not stand on the page."""



class ScrapeMetadataAction(TypedDict):
    index: int
    """Position of the step in `actions`, from 0."""
    durationMs: int
    rounds: NotRequired[int]
    """Of `repeat`: how often its steps were done."""
    url: NotRequired[str]
    """The URL of the page after the step, if it led to another one."""
    outcome: Literal["done", "skipped"]
    """A step with `optional` is skipped where it cannot be done."""



class ScrapeMetadataCache(TypedDict):
    """Only with `maxAge`, of a page that was extracted again instead of fetched."""

    age: int
    """Milliseconds since the page was fetched, when the request took it."""



class ScrapeMetadataOverlay(TypedDict):
    cmp: str
    """The consent platform, by its name in the rules of autoconsent, such as `Onetrust`; `unknown` for a layer that was found by its looks."""
    action: Literal["hide", "accept", "reject"]



class StoredFile(TypedDict):
    id: str
    """For `GET /v1/files/{id}`."""
    name: str
    """Name that the site gave it, or the end of its URL, without folders and what is not safe in a name."""
    contentType: str
    """As the site sent it; `application/octet-stream` without one."""
    size: int
    """Bytes."""
    sha256: str
    """SHA-256 of the bytes, in hexadecimal."""



class ScrapeResponse(TypedDict):
    data: NotRequired[Dict[str, Any]]
    """One entry per key of `selectors`: a string or a value of the requested `type`, null without a match, an array with `::all`, records with `fields`."""
    formats: NotRequired["ScrapeResponseFormats"]
    """One entry per format of the request, by its name."""
    captured: NotRequired[Dict[str, List["ScrapeResponseCapturedItemItem"]]]
    """Responses of `capture`, by its names, in the order in which their requests were made."""
    metadata: "ScrapeMetadata"
    warnings: NotRequired[List["ScrapeResponseWarning"]]
    """Present when a field has no value or an uncertain one, when a page sent as XML was not well-formed, or when the page is not what was asked for."""
    screenshot: NotRequired[str]
    """The image: PNG, unless `screenshot.format` names another format."""
    stepScreenshots: NotRequired[List["ScrapeResponseStepScreenshot"]]
    """With `stepScreenshots`: the window after the steps of `actions`, 640 pixels wide. None of a document into which a secret was written."""
    requestId: str
    """The `X-Request-Id` of the response, for `/v1/scrapes/{requestId}/trace`."""
    snapshotId: NotRequired[str]
    """The snapshot of the page, for `/v1/snapshots/{id}/…`; absent if it was too large to keep."""
    file: NotRequired["StoredFile"]



class ScrapeResponseFormats(TypedDict):
    """One entry per format of the request, by its name."""

    markdown: NotRequired[str]
    """The page as CommonMark with tables; links are absolute."""
    article: NotRequired[Union["ScrapeResponseFormatsArticle", None]]
    """The article of the page without navigation, comments and advertisements; null without one."""
    metadata: NotRequired["ScrapeResponseFormatsMetadata"]
    """What the page says of itself. A text is null, and a list empty, where the page names none."""
    links: NotRequired[List["ScrapeResponseFormatsLink"]]
    """The links of the page, absolute, each once."""
    images: NotRequired[List["ScrapeResponseFormatsImage"]]
    """The images of the page, absolute, each once, in order of appearance. The URL is that of the largest file. `alt`, `width` and `height` are null where the page gives none."""
    tables: NotRequired[List["ScrapeResponseFormatsTable"]]
    """The tables of data. `headers` is null for a table without a header."""
    text: NotRequired[str]
    """The readable text, each block on its own line."""
    html: NotRequired[str]
    """The document as browsers serialize it."""



class ScrapeResponseFormatsArticle(TypedDict):
    title: Union[str, None]
    byline: Union[str, None]
    publishedAt: Union[str, None]
    language: Union[str, None]
    excerpt: Union[str, None]
    markdown: str
    """The text of the article, with its heading."""



class ScrapeResponseFormatsMetadata(TypedDict):
    """What the page says of itself. A text is null, and a list empty, where the page names none."""

    title: Union[str, None]
    description: Union[str, None]
    language: Union[str, None]
    author: Union[str, None]
    pages: NotRequired[int]
    """Number of pages; only of a PDF."""
    robots: Union[str, None]
    canonical: Union[str, None]
    feeds: List["ScrapeResponseFormatsMetadataFeed"]
    icons: List["ScrapeResponseFormatsMetadataIcon"]
    openGraph: Dict[str, Any]
    """Values by property, such as `title` and `image`."""
    twitter: Dict[str, Any]
    """Values by property, such as `card`."""
    jsonLd: List[Any]
    """The values of all JSON-LD scripts."""
    microdata: List["ScrapeResponseFormatsMetadataMicrodataItem"]



class ScrapeResponseFormatsMetadataFeed(TypedDict):
    url: str
    title: Union[str, None]
    type: Union[str, None]



class ScrapeResponseFormatsMetadataIcon(TypedDict):
    url: str
    sizes: Union[str, None]
    type: Union[str, None]



class ScrapeResponseFormatsMetadataMicrodataItem(TypedDict):
    type: List[str]
    id: NotRequired[str]
    properties: Dict[str, Any]
    """Lists of texts and items, by property."""



class ScrapeResponseFormatsLink(TypedDict):
    url: str
    text: Union[str, None]
    rel: Union[str, None]



class ScrapeResponseFormatsImage(TypedDict):
    url: str
    alt: Union[str, None]
    width: Union[int, None]
    height: Union[int, None]



class ScrapeResponseFormatsTable(TypedDict):
    caption: Union[str, None]
    headers: Union[List[Union[str, None]], None]
    rows: List[List[Union[str, None]]]



class ScrapeResponseCapturedItemItem(TypedDict):
    url: str
    """URL of the response, after redirects. Values of parameters whose name suggests a credential are `[redacted]`."""
    method: str
    """Method of the request."""
    status: int
    """Status as the page sees it: 200 for one that the cache has answered after a 304."""
    contentType: str
    """As the response names it; empty if it does not."""
    json: NotRequired[Any]
    """The body, if it is JSON."""
    text: NotRequired[str]
    """The body, if it is another text."""
    base64: NotRequired[str]
    """Any other body."""
    truncated: NotRequired[bool]
    """True if the body is not whole, or missing: it was too large, or had not ended when the page was read."""



class ScrapeResponseWarning(TypedDict):
    field: NotRequired[str]
    """Dotted name of the field, or of the format, such as `formats.markdown`; absent when the warning is about the whole page."""
    code: Literal["SELECTOR_NO_MATCH", "NOT_JSON", "PATTERN_NO_MATCH", "VALUE_NOT_CONVERTED", "VALUE_AMBIGUOUS", "VALUE_NOT_EXACT", "CURRENCY_AMBIGUOUS", "RECORD_LEFT_OUT", "MAIN_NOT_FOUND", "HIDDEN_TEXT", "XML_NOT_WELL_FORMED", "SNAPSHOT_NOT_KEPT", "SCREENSHOT_NOT_TAKEN", "OVERLAY_NOT_DISMISSED", "FRAMES_LEFT_OUT", "COLLECTION_CUT", "PDF_CUT", "PDF_WITHOUT_TEXT", "PAGE_SUSPECT", "RENDER_REMEMBERED", "EXPECTATION_FAILED", "VALUE_NOT_ON_PAGE", "LLM_FAILED", "KEY_MISSING", "RECORD_TOO_LARGE", "DATASET_FULL"]
    """Kind of the remark; more kinds may be added."""
    message: str
    characters: NotRequired[int]
    """Number of characters of hidden text; only with HIDDEN_TEXT."""



class ScrapeResponseStepScreenshot(TypedDict):
    index: int
    """Position of the step in `actions`, from 0."""
    image: str
    """A JPEG."""



class Change(TypedDict):
    url: str
    """The page that has it; of what was removed, the page that had it."""
    path: str
    """Dotted name of the field, with the record of a list in brackets by its key: `books[Emma].price`. Empty for everything that a page has."""
    kind: Literal["added", "removed", "changed"]
    before: NotRequired[Any]
    """Absent when it was added."""
    after: NotRequired[Any]
    """Absent when it was removed."""
    isCut: NotRequired[Literal[True]]
    """A value is long: the part around the first difference is shown."""



class Job(TypedDict):
    id: str
    name: str
    hosts: NotRequired[List[str]]
    """Hosts of its URLs, of a crawl those of its start URLs; the first five."""
    status: Literal["pending", "running", "completed", "partial", "failed", "cancelled"]
    totalUrls: int
    """URLs of the job; of a crawl, those known so far."""
    completedUrls: int
    """URLs processed so far, failed ones included."""
    failedUrls: int
    """URLs that failed."""
    creditsUsed: int
    verdicts: NotRequired["JobVerdicts"]
    """Number of results by the kind of page that they come from (`metadata.verdict.page`); kinds without results are left out. URLs that failed have no verdict, and neither have results that older versions stored. Approximate while the job runs."""
    crawl: NotRequired["JobCrawl"]
    changes: NotRequired["JobChanges"]
    warnings: NotRequired[List["ScrapeResponseWarning"]]
    """Fields that did not meet their `expect` (EXPECTATION_FAILED), for which the job is `partial`, and texts that more than five different URLs showed (PAGE_SUSPECT)."""
    dataset: NotRequired["JobDataset"]
    """The dataset that the job writes to; `from` and `to` once it has finished, if the dataset has changed."""
    sink: NotRequired["SinkOptions"]
    scheduleId: NotRequired[str]
    """The schedule that started this job."""
    rerunOf: NotRequired[str]
    """The job that this one scrapes again."""
    extractOf: NotRequired[str]
    """The job whose snapshots this one extracts from, without fetching the pages."""
    createdAt: str
    startedAt: NotRequired[str]
    completedAt: NotRequired[str]
    """Time at which the job finished: its state and its counters do not change any more."""



class JobVerdicts(TypedDict):
    """Number of results by the kind of page that they come from (`metadata.verdict.page`); kinds without results are left out. URLs that failed have no verdict, and neither have results that older versions stored. Approximate while the job runs."""

    content: NotRequired[int]
    wall: NotRequired[int]
    login: NotRequired[int]
    consent: NotRequired[int]
    notFound: NotRequired[int]
    shell: NotRequired[int]
    empty: NotRequired[int]
    notice: NotRequired[int]



class JobCrawl(TypedDict):
    fetched: int
    """Pages that were fetched, failed ones included."""
    results: int
    """Pages with a result, failed ones included: the fetched ones but those that were only followed."""
    waiting: int
    """Pages that are known and wait."""
    running: int
    """Pages on a scraper."""
    depth: int
    """The greatest depth of a page that was fetched."""
    hosts: int
    """Hosts of the crawl."""
    notFound: int
    """Of the fetched ones, linked pages that answered 404 or 410; they do not count as failed."""
    skipped: "JobCrawlSkipped"
    """Pages without a result and without a charge, by reason."""
    dropped: "JobCrawlDropped"
    """Links that were not followed, by reason, each occurrence."""
    stoppedBy: NotRequired[Literal["limit", "credits", "duration"]]
    """The limit that ended the crawl before all known pages were fetched."""
    since: NotRequired[str]
    """The crawl that pages are compared with, if there is one."""
    changes: NotRequired["JobCrawlChanges"]
    warnings: NotRequired[List["JobCrawlWarning"]]



class JobCrawlSkipped(TypedDict):
    """Pages without a result and without a charge, by reason."""

    robots: int
    """robots.txt disallows them."""
    limit: int
    """A limit of the crawl was reached before; see `stoppedBy`."""
    redirect: int
    """They redirect to another URL, which is crawled if it is in scope."""
    notDocument: int
    """They are images, archives or other files without text."""
    duplicate: int
    """They have the text of the page that they name as their canonical one."""
    trap: int
    """Most pages with URLs like theirs had known texts; a warning names the pattern."""



class JobCrawlDropped(TypedDict):
    """Links that were not followed, by reason, each occurrence."""

    outOfScope: int
    """Links that leave the scope."""
    excluded: int
    """Links that `include` and `exclude` leave out."""
    depth: int
    """Links deeper than `maxDepth`."""
    nofollow: int
    """Links that the page asks not to follow."""
    trap: int
    """Links that look endless: too long, with repeating parts, or of a pattern that a warning names."""
    frontierFull: int
    """Links beyond what a crawl of this `limit` remembers."""



class JobCrawlChanges(TypedDict):
    new: int
    """Pages that the crawl before did not have."""
    changed: int
    """Pages with other content."""
    unchanged: int
    """Pages with the same content."""
    gone: int
    """Pages that answer 404 or 410 now."""
    unlinked: int
    """Of the changed and unchanged ones, pages that still answer, but that no link or sitemap leads to any more."""



class JobCrawlWarning(TypedDict):
    code: Literal["ROBOTS_UNREACHABLE", "CRAWL_DELAY_CAPPED", "SITEMAP_NOT_READ", "SITEMAP_TRUNCATED", "LINKS_TRUNCATED", "TOO_MANY_HOSTS", "FRONTIER_FULL", "ENDLESS_LINKS", "PATTERN_FULL", "PATTERN_CLOSED", "PATTERN_UNMATCHED"]
    message: str



class JobChanges(TypedDict):
    added: int
    """Records that no earlier run had."""
    removed: int
    """Records that are no longer there."""
    changed: int
    """Records with other values."""


JobDataset = TypedDict("JobDataset", {
    "name": str,
    "from": NotRequired[int],
    "to": NotRequired[int],
})


class PageSuccess(TypedDict):
    url: str
    """As given in the request."""
    request: NotRequired["PageSuccessRequest"]
    """Method and body of a job with `requests`, as they were given; absent of a GET. Values are shown as `[redacted]` as in `options`."""
    duplicateOf: NotRequired[int]
    """Index in `urls` of the earlier entry with the same URL, which was fetched for both and is charged once. The rest of the result is the same."""
    depth: NotRequired[int]
    """Number of links from a start URL. Only in crawls."""
    foundOn: NotRequired[str]
    """URL of the page or sitemap that the page was first found on. Only in crawls."""
    rule: NotRequired[int]
    """Index of the rule in `crawl.rules` that held for the page."""
    canonicalUrl: NotRequired[str]
    """URL that the page itself names as its canonical one. Only in crawls."""
    change: NotRequired[Literal["new", "changed", "unchanged", "gone"]]
    """Difference from the crawl before (`since`); missing if there is nothing to compare, as for a page that failed or is of another kind than before (`metadata.verdict`)."""
    unlinked: NotRequired[Literal[True]]
    """No link or sitemap leads to the page any more; the crawl before had it."""
    data: NotRequired[Dict[str, Any]]
    """One entry per key of `selectors`: a string or a value of the requested `type`, null without a match, an array with `::all`, records with `fields`."""
    formats: NotRequired["ScrapeResponseFormats"]
    """One entry per format of the request, by its name."""
    captured: NotRequired[Dict[str, List["ScrapeResponseCapturedItemItem"]]]
    """Responses of `capture`, by its names, in the order in which their requests were made."""
    metadata: "ScrapeMetadata"
    warnings: NotRequired[List["ScrapeResponseWarning"]]
    screenshotUrl: NotRequired[str]
    """Path of the screenshot, which needs the API key. Present when one was requested."""
    snapshotId: NotRequired[str]
    """The snapshot of the page, when `snapshot` was requested."""
    file: NotRequired["StoredFile"]



class PageSuccessRequest(TypedDict):
    """Method and body of a job with `requests`, as they were given; absent of a GET. Values are shown as `[redacted]` as in `options`."""

    method: NotRequired[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]]
    """Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body."""
    body: NotRequired[str]
    """Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`."""
    json: NotRequired[Any]
    """Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`."""
    form: NotRequired[Dict[str, Union[str, float, bool, List[Union[str, float, bool]]]]]
    """Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value."""



class PageFailure(TypedDict):
    url: str
    """As given in the request."""
    request: NotRequired["PageSuccessRequest"]
    """Method and body of a job with `requests`, as they were given; absent of a GET. Values are shown as `[redacted]` as in `options`."""
    duplicateOf: NotRequired[int]
    """Index in `urls` of the earlier entry with the same URL, which was fetched for both and is charged once. The rest of the result is the same."""
    depth: NotRequired[int]
    """Number of links from a start URL. Only in crawls."""
    foundOn: NotRequired[str]
    """URL of the page or sitemap that the page was first found on. Only in crawls."""
    rule: NotRequired[int]
    """Index of the rule in `crawl.rules` that held for the page."""
    canonicalUrl: NotRequired[str]
    """URL that the page itself names as its canonical one. Only in crawls."""
    change: NotRequired[Literal["new", "changed", "unchanged", "gone"]]
    """Difference from the crawl before (`since`); missing if there is nothing to compare, as for a page that failed or is of another kind than before (`metadata.verdict`)."""
    unlinked: NotRequired[Literal[True]]
    """No link or sitemap leads to the page any more; the crawl before had it."""
    data: None
    error: "PageFailureError"
    attempts: int
    """Number of attempts at the page."""



class PageFailureError(TypedDict):
    code: Literal["INVALID_URL", "INVALID_REQUEST", "INVALID_JSON", "INVALID_SELECTOR", "UNAUTHORIZED", "INSUFFICIENT_CREDITS", "FORBIDDEN", "BLOCKED", "ROBOTS_DENIED", "NOT_FOUND", "JOB_NOT_FOUND", "SCREENSHOT_NOT_FOUND", "TRACE_NOT_FOUND", "SNAPSHOT_NOT_FOUND", "FILE_NOT_FOUND", "SCHEDULE_NOT_FOUND", "DATASET_NOT_FOUND", "RECORD_NOT_FOUND", "KEY_NOT_FOUND", "SECRET_NOT_FOUND", "CHANNEL_NOT_FOUND", "RECIPE_NOT_FOUND", "PROFILE_NOT_FOUND", "DELIVERY_NOT_FOUND", "ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED", "TIMEOUT", "JOB_NOT_CANCELLABLE", "JOB_NOT_FINISHED", "SUGGESTION_OUTDATED", "NO_SUGGESTION", "NOTHING_TO_COMPARE", "DATASET_KEY_DIFFERS", "RECIPE_AMBIGUOUS", "REVISION_GONE", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "IDEMPOTENCY_CONFLICT", "UNSUPPORTED_CONTENT", "REQUIRED_FIELD_MISSING", "ACTION_FAILED", "LOGIN_REQUIRED", "PROFILE_EXPIRED", "RENDER_NEEDED", "RATE_LIMITED", "INTERNAL_ERROR", "UPSTREAM_ERROR", "OUTCOME_UNKNOWN", "PROXY_ERROR", "SEARCH_FAILED", "SEARCH_MISCONFIGURED", "MODEL_FAILED", "NOT_CONFIGURED", "SERVICE_UNAVAILABLE"]
    message: str
    suggestion: str
    source: Literal["api", "target"]
    details: NotRequired[List["PageFailureErrorDetail"]]
    retryAfterSeconds: NotRequired[float]
    targetStatusCode: NotRequired[int]
    """HTTP status that the target answered with, if it answered."""
    attempts: NotRequired[List["ScrapeMetadataAttempt"]]
    """Attempts at the target page, oldest first."""
    verdict: NotRequired[Literal["content", "wall", "login", "consent", "notFound", "shell", "empty", "notice"]]
    """Kind of the page that was read, if the error is about its content; see `metadata.verdict`."""



class PageFailureErrorDetail(TypedDict):
    path: str
    message: str


PageResult = Union["PageSuccess", "PageFailure"]
"""A failed URL has `data: null` and an `error`; a scraped one has `metadata`, with `data`, `formats` or both, or a `file`, never `error`."""


class JobWithResults(TypedDict):
    id: str
    name: str
    hosts: NotRequired[List[str]]
    """Hosts of its URLs, of a crawl those of its start URLs; the first five."""
    status: Literal["pending", "running", "completed", "partial", "failed", "cancelled"]
    totalUrls: int
    """URLs of the job; of a crawl, those known so far."""
    completedUrls: int
    """URLs processed so far, failed ones included."""
    failedUrls: int
    """URLs that failed."""
    creditsUsed: int
    verdicts: NotRequired["JobVerdicts"]
    """Number of results by the kind of page that they come from (`metadata.verdict.page`); kinds without results are left out. URLs that failed have no verdict, and neither have results that older versions stored. Approximate while the job runs."""
    crawl: NotRequired["JobCrawl"]
    changes: NotRequired["JobChanges"]
    warnings: NotRequired[List["ScrapeResponseWarning"]]
    """Fields that did not meet their `expect` (EXPECTATION_FAILED), for which the job is `partial`, and texts that more than five different URLs showed (PAGE_SUSPECT)."""
    dataset: NotRequired["JobDataset"]
    """The dataset that the job writes to; `from` and `to` once it has finished, if the dataset has changed."""
    sink: NotRequired["SinkOptions"]
    scheduleId: NotRequired[str]
    """The schedule that started this job."""
    rerunOf: NotRequired[str]
    """The job that this one scrapes again."""
    extractOf: NotRequired[str]
    """The job whose snapshots this one extracts from, without fetching the pages."""
    createdAt: str
    startedAt: NotRequired[str]
    completedAt: NotRequired[str]
    """Time at which the job finished: its state and its counters do not change any more."""
    options: "JobWithResultsOptions"
    """The options as they were given. The values of cookies, and of headers and fields of `json` and `form` whose name suggests a credential (such as `Authorization`, `X-Api-Key`, `password`), are shown as `[redacted]`, and so is a `body` with such a word in it."""
    results: List["PageResult"]
    resultsPagination: "JobWithResultsResultsPagination"



class JobWithResultsOptions(TypedDict):
    """The options as they were given. The values of cookies, and of headers and fields of `json` and `form` whose name suggests a credential (such as `Authorization`, `X-Api-Key`, `password`), are shown as `[redacted]`, and so is a `body` with such a word in it."""

    recipe: NotRequired[str]
    """A recipe of the account, whose options hold wherever the request has none of its own: by its id, by its id and a version (`rec_…@3`), or `auto` for the one whose `match` fits the URL best. All URLs of a job must have the same one. What is stored and shown is the version that was used, with its options."""
    selectors: NotRequired[Dict[str, "Selector"]]
    """Output field name to selector. At most 100 fields and 64 KiB, nested ones included."""
    formats: NotRequired[List[Union[Literal["markdown", "article", "metadata", "links", "images", "tables", "text", "html"], "JobWithResultsOptionsFormat1", "JobWithResultsOptionsFormat2"]]]
    """Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then."""
    extract: NotRequired["JobWithResultsOptionsExtract"]
    """Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page."""
    locale: NotRequired[str]
    """BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own."""
    method: NotRequired[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]]
    """Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body."""
    body: NotRequired[str]
    """Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`."""
    json: NotRequired[Any]
    """Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`."""
    form: NotRequired[Dict[str, Union[str, float, bool, List[Union[str, float, bool]]]]]
    """Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value."""
    repeatable: NotRequired[bool]
    """Whether the request may reach the site twice, as a search may. Otherwise no request but GET and HEAD is sent again once bytes of it were sent: not after a broken connection, an error of the site or a lost worker. Where it is not known what became of it, the error is OUTCOME_UNKNOWN. Default false."""
    render: NotRequired[Literal[True, False, "auto"]]
    """Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false."""
    antiBot: NotRequired[bool]
    """When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false."""
    proxy: NotRequired[str]
    """Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones."""
    actions: NotRequired[List["Action"]]
    """Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`."""
    waitFor: NotRequired[Union[str, int]]
    """A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`."""
    screenshot: NotRequired[Union[bool, "JobWithResultsOptionsScreenshot"]]
    """Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false."""
    overlays: NotRequired[Literal["keep", "hide", "accept", "reject"]]
    """What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep."""
    frames: NotRequired[bool]
    """Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false."""
    capture: NotRequired[Dict[str, "JobWithResultsOptionsCaptureItem"]]
    """Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`."""
    pdf: NotRequired["JobWithResultsOptionsPdf"]
    """How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages."""
    download: NotRequired[bool]
    """Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false."""
    onSuspect: NotRequired[Literal["keep", "fail"]]
    """What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep."""
    snapshot: NotRequired[bool]
    """Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false."""
    maxAge: NotRequired[int]
    """Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0."""
    freshContext: NotRequired[bool]
    """Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false."""
    cookies: NotRequired[List["Cookie"]]
    """Cookies to send where their domain and path allow. One without a domain goes to the origin of the URL alone, in a crawl to the origins of its start URLs."""
    headers: NotRequired[Dict[str, str]]
    """Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any."""
    profile: NotRequired[Union[str, "JobWithResultsOptionsProfile"]]
    """Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header."""
    maxCredits: NotRequired[int]
    """The most that the request may cost: a scrape, or a job or a run of a schedule with all its pages. Ways of `antiBot` and `render: "auto"` that cost more are left out. A job starts no page that might cost more than is left; pages that it does not start fail with INSUFFICIENT_CREDITS. A crawl has `crawl.maxCredits` instead."""
    timeout: NotRequired[int]
    """Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more."""
    crawl: NotRequired["JobWithResultsOptionsCrawl"]
    """Follows the links of the pages in `urls`, their sitemaps, and the links of what they lead to. Each page is fetched once."""



class JobWithResultsOptionsFormat1(TypedDict):
    type: Literal["markdown", "links", "images", "text", "html"]
    """Name of the format."""
    main: NotRequired[bool]
    """Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false."""
    include: NotRequired[str]
    """CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out."""
    exclude: NotRequired[str]
    """CSS selector list of elements to leave out, whatever else says."""
    hidden: NotRequired[Literal["keep", "drop", "mark"]]
    """What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep."""



class JobWithResultsOptionsFormat2(TypedDict):
    type: Literal["article"]
    hidden: NotRequired[Literal["keep", "drop", "mark"]]
    """What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep."""



class JobWithResultsOptionsExtract(TypedDict):
    """Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page."""

    schema: Dict[str, Any]
    """JSON schema of an object, in a subset: `properties`, `items`, the types object, array, string, number, integer and boolean, alone or with null, `enum`, `description`, and for strings the formats uri, date and date-time. At most 100 fields, 6 levels and 16 KiB. Other keywords are refused by their path."""
    prompt: NotRequired[str]
    """What the model is told besides the schema."""
    evidence: NotRequired[Literal["required", "report"]]
    """With `required`, a value that does not stand on the page is null, with the warning VALUE_NOT_ON_PAGE. With `report` it stays, and `metadata.llm.evidence` says `missing`. Default required."""
    maxCredits: NotRequired[int]
    """The most that the model may cost for a page. Default the operator's price of 110000 tokens, which is held before."""



class JobWithResultsOptionsScreenshot(TypedDict):
    fullPage: NotRequired[bool]
    """The whole page, however long, or only what the window shows first. Default true."""
    selector: NotRequired[str]
    """CSS selector: only the first element that it matches. Without a match there is no screenshot, and none is charged; a warning says so."""
    viewport: NotRequired["JobWithResultsOptionsScreenshotViewport"]
    """Window of the browser, in CSS pixels. The page loads in it, so that its data comes from the same layout. Default 1280 × 800; 390 × 844 at a scale of 2 with `mobile`."""
    mobile: NotRequired[bool]
    """Visit the page as Chrome on a phone with a touch screen does. Default false."""
    format: NotRequired[Literal["png", "jpeg", "webp"]]
    """Default png."""
    quality: NotRequired[int]
    """Of a JPEG or WebP image. Default 80."""



class JobWithResultsOptionsScreenshotViewport(TypedDict):
    """Window of the browser, in CSS pixels. The page loads in it, so that its data comes from the same layout. Default 1280 × 800; 390 × 844 at a scale of 2 with `mobile`."""

    width: int
    height: int
    scale: NotRequired[float]
    """Pixels of the image for each CSS pixel. Default 1."""



class JobWithResultsOptionsCaptureItem(TypedDict):
    url: Union[str, "JobWithResultsOptionsCaptureItemUrl"]
    """A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL."""
    method: NotRequired[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]]
    """Only requests with this method. Default: any."""
    types: NotRequired[List[Literal["xhr", "fetch", "eventsource", "document", "script", "other"]]]
    """Kinds of requests. Default xhr and fetch, by which scripts load data."""
    wait: NotRequired[int]
    """Number of responses to wait for; without them the page fails with a TIMEOUT that names this. Default 0: those that came until the page was read."""
    limit: NotRequired[int]
    """Number of responses that are kept, the first ones. Default 20."""



class JobWithResultsOptionsCaptureItemUrl(TypedDict):
    regex: str



class JobWithResultsOptionsPdf(TypedDict):
    """How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages."""

    maxPages: NotRequired[int]
    """Pages to read; a longer PDF has the warning PDF_CUT. Default 100."""



class JobWithResultsOptionsProfile(TypedDict):
    id: str
    save: NotRequired[bool]
    """Store what the page leaves in the session. Default true."""



class JobWithResultsOptionsCrawl(TypedDict):
    """Follows the links of the pages in `urls`, their sitemaps, and the links of what they lead to. Each page is fetched once."""

    limit: NotRequired[int]
    """Most pages with a result, failed ones included; never exceeded. Default 1000; the operator may set a maximum."""
    maxDepth: NotRequired[int]
    """Most links between a start URL and a page. Pages of a sitemap have depth 1. Default 10."""
    scope: NotRequired[Literal["path", "host", "domain", "any"]]
    """Where links lead to: below the `path` of a start URL, on its `host` (or the one that it redirects to), on its registrable `domain`, or on `any` host. Default host."""
    maxHosts: NotRequired[int]
    """Most hosts of a crawl whose scope is `any` or `domain`. Default 100."""
    include: NotRequired[List[Union[str, "JobWithResultsOptionsCaptureItemUrl"]]]
    """Only URLs that match one of these are crawled. The start URLs are followed in any case, and have a result only if one of these or a rule matches them."""
    exclude: NotRequired[List[Union[str, "JobWithResultsOptionsCaptureItemUrl"]]]
    """URLs that match one of these are not crawled, whatever `include` says."""
    rules: NotRequired[List["JobWithResultsOptionsCrawlRule"]]
    """The first rule whose `match` fits the URL of a page holds for it."""
    ignoreQuery: NotRequired[Union[bool, List[str]]]
    """Query parameters that make no other page: `true` for all of them, or names, in which `*` stands for any characters. Parameters of campaigns and session ids never do. Default false."""
    sitemap: NotRequired[Literal["skip", "include", "only"]]
    """Whether pages are taken from the sitemaps that robots.txt names, else from /sitemap.xml; with `only`, links are not followed. Default include."""
    robots: NotRequired[Literal["obey", "ignore"]]
    """Whether robots.txt (RFC 9309), `nofollow` and `Crawl-delay` are obeyed. The operator may forbid `ignore`. Default obey."""
    delay: NotRequired[int]
    """Milliseconds between the end of a page and the start of the next one of the same host, which then has one page in flight. A longer `Crawl-delay` is obeyed up to 30 seconds. Default 0."""
    concurrency: NotRequired[int]
    """Most pages of one host in flight at once; a crawl begins with two, and takes back some where the host answers 429, 503 or too late. Default 4."""
    maxCredits: NotRequired[int]
    """Ends the crawl before it costs more. Running pages count with the most they may cost."""
    maxDuration: NotRequired[int]
    """Milliseconds after which no further page is started."""
    maxPerPattern: NotRequired[int]
    """Most pages with URLs of one pattern, such as `shop.example/p/{number}`, against endless calendars and lists. Default a quarter of `limit`, at least 100, for pages that neither `include`, a rule nor a sitemap names."""
    since: NotRequired[str]
    """Id of a finished crawl of this account that the pages are compared with: results have `change`, and pages that have not changed cost nothing where the site says so (304). Only in jobs."""
    changes: NotRequired[bool]
    """Compares each run with the run before, as `since` does. Only in schedules. Default false."""



class JobWithResultsOptionsCrawlRule(TypedDict):
    match: Union[str, "JobWithResultsOptionsCaptureItemUrl"]
    """A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL."""
    selectors: NotRequired[Dict[str, "Selector"]]
    """Output field name to selector. At most 100 fields and 64 KiB, nested ones included."""
    formats: NotRequired[List[Union[Literal["markdown", "article", "metadata", "links", "images", "tables", "text", "html"], "JobWithResultsOptionsFormat1", "JobWithResultsOptionsFormat2"]]]
    """Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then."""
    actions: NotRequired[List["Action"]]
    """Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`."""
    follow: NotRequired[Union[bool, List[str]]]
    """Whether links of the page are followed: `true`, `false`, or CSS selectors of the links, or of elements that contain them. Default true."""
    next: NotRequired[str]
    """CSS selector of the link to the next page of a list, which is as deep as the page itself."""
    keep: NotRequired[bool]
    """`false`: the page is fetched and charged for its links, and has no result. Default true."""



class JobWithResultsResultsPagination(TypedDict):
    limit: int
    offset: int
    total: int
    hasMore: bool



class JobUrl(TypedDict):
    """A failed URL has its `error`; a URL that waits for another attempt has the one of its last attempt."""

    index: NotRequired[int]
    """Position in `urls` of the request, or in the order in which a crawl found the URL."""
    url: str
    """As given in the request, or as a crawl found it."""
    request: NotRequired["PageSuccessRequest"]
    """Method and body of a job with `requests`, as they were given; absent of a GET. Values are shown as `[redacted]` as in `options`."""
    state: Literal["waiting", "running", "completed", "failed", "skipped", "cancelled", "unknown"]
    """`waiting` to be sent to a scraper, for the first time or for another attempt; `running` on one; `skipped` by a crawl, without a result. `unknown` is a URL that was asked for with `url` and is not a page of the crawl."""
    attempts: int
    """Number of attempts so far."""
    duplicateOf: NotRequired[int]
    """Index of the earlier entry with the same URL, which is fetched for both."""
    depth: NotRequired[int]
    """Number of links from a start URL. Only in crawls."""
    foundOn: NotRequired[str]
    """URL of the page or sitemap that the page was first found on. Only in crawls."""
    rule: NotRequired[int]
    """Index of the rule in `crawl.rules` that held for the page."""
    verdict: NotRequired[Literal["content", "wall", "login", "consent", "notFound", "shell", "empty", "notice"]]
    """Kind of page that the result comes from; absent without a result, and of older versions."""
    change: NotRequired[Literal["new", "changed", "unchanged", "gone"]]
    """Difference from the crawl before (`since`); missing if there is nothing to compare, as for a page that failed or is of another kind than before (`metadata.verdict`)."""
    unlinked: NotRequired[Literal[True]]
    """No link or sitemap leads to the page any more; the crawl before had it."""
    skipped: NotRequired[Literal["robots", "limit", "redirect", "notDocument", "duplicate", "trap"]]
    """Reason why a page of a crawl was skipped."""
    dropped: NotRequired[Literal["outOfScope", "excluded", "depth", "nofollow", "trap", "frontierFull"]]
    """Reason why the crawl does not follow links to an unknown URL."""
    message: NotRequired[str]
    """Explains why a URL is unknown or was skipped."""
    error: NotRequired["PageFailureError"]



class SearchRequest(TypedDict):
    query: str
    """The words to search for."""
    limit: NotRequired[int]
    """Most results that are returned. Default 10."""
    time: NotRequired[Literal["day", "week", "month", "year"]]
    """Only results of the last day, week, month or year, from engines that know."""
    lang: NotRequired[str]
    """Language of the results. Default that of SearXNG."""
    site: NotRequired[str]
    """Only results of this host and its subdomains."""
    scrape: NotRequired["SearchRequestScrape"]
    """Scrape the results, with these options of a scrape: up to 10 while you wait, more as a job. Not among them are method and body, cookies and a profile, and no header or step may hold a secret: the search engines choose the sites."""
    maxCredits: NotRequired[int]
    """The most that all pages together may cost: each gets what it needs at least, then the first results what dearer ways would cost. Pages for which nothing is left fail with INSUFFICIENT_CREDITS. Only with `scrape`."""



class SearchRequestScrape(TypedDict):
    """Scrape the results, with these options of a scrape: up to 10 while you wait, more as a job. Not among them are method and body, cookies and a profile, and no header or step may hold a secret: the search engines choose the sites."""

    recipe: NotRequired[str]
    """A recipe of the account, whose options hold wherever the request has none of its own: by its id, by its id and a version (`rec_…@3`), or `auto` for the one whose `match` fits the URL best. All URLs of a job must have the same one. What is stored and shown is the version that was used, with its options."""
    selectors: NotRequired[Dict[str, "Selector"]]
    """Output field name to selector. At most 100 fields and 64 KiB, nested ones included."""
    formats: NotRequired[List[Union[Literal["markdown", "article", "metadata", "links", "images", "tables", "text", "html"], "JobWithResultsOptionsFormat1", "JobWithResultsOptionsFormat2"]]]
    """Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then."""
    extract: NotRequired["JobWithResultsOptionsExtract"]
    """Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page."""
    locale: NotRequired[str]
    """BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own."""
    render: NotRequired[Literal[True, False, "auto"]]
    """Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false."""
    antiBot: NotRequired[bool]
    """When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false."""
    proxy: NotRequired[str]
    """Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones."""
    actions: NotRequired[List["Action"]]
    """Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`."""
    waitFor: NotRequired[Union[str, int]]
    """A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`."""
    screenshot: NotRequired[Union[bool, "JobWithResultsOptionsScreenshot"]]
    """Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false."""
    overlays: NotRequired[Literal["keep", "hide", "accept", "reject"]]
    """What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep."""
    frames: NotRequired[bool]
    """Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false."""
    capture: NotRequired[Dict[str, "JobWithResultsOptionsCaptureItem"]]
    """Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`."""
    pdf: NotRequired["JobWithResultsOptionsPdf"]
    """How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages."""
    download: NotRequired[bool]
    """Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false."""
    onSuspect: NotRequired[Literal["keep", "fail"]]
    """What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep."""
    snapshot: NotRequired[bool]
    """Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false."""
    maxAge: NotRequired[int]
    """Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0."""
    freshContext: NotRequired[bool]
    """Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false."""
    headers: NotRequired[Dict[str, str]]
    """Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any."""
    timeout: NotRequired[int]
    """Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more."""



class SearchResult(TypedDict):
    """With `scrape` while you wait: the `page` as a scrape answers it, or the `error`."""

    url: str
    title: str
    snippet: str
    """Text from the page, as the search engine shows it; may be empty."""
    publishedAt: NotRequired[str]
    """Date of the page, if the search engine knows it."""
    page: NotRequired["ScrapeResponse"]
    error: NotRequired["PageFailureError"]



class SearchResponse(TypedDict):
    results: List["SearchResult"]
    """The best first."""
    warnings: List["SearchResponseWarning"]
    job: NotRequired["Job"]
    metadata: "SearchResponseMetadata"
    requestId: str
    """The `X-Request-Id` of the response."""



class SearchResponseWarning(TypedDict):
    code: Literal["ENGINE_UNRESPONSIVE", "RESULTS_LEFT_OUT", "RESULTS_INCOMPLETE"]
    """ENGINE_UNRESPONSIVE: an engine of SearXNG did not answer; RESULTS_LEFT_OUT: results that cannot be scraped, or are there twice; RESULTS_INCOMPLETE: further results could not be read."""
    message: str



class SearchResponseMetadata(TypedDict):
    query: str
    duration: int
    """Milliseconds from the request to the response."""
    credits: int
    """Credits charged for the pages of the response; the search itself costs none."""



class SchedulePatch(TypedDict):
    url: NotRequired[str]
    """The page, or the start of a crawl: an absolute http or https URL. Either `url` or `urls`."""
    urls: NotRequired[List[str]]
    """The pages, or the starts of a crawl: each run is a job of them. Either `url` or `urls`."""
    cron: NotRequired[str]
    """Minute, hour, day of the month, month, day of the week: `*`, values, lists, ranges, steps, names; 0 and 7 are Sunday."""
    name: NotRequired[Union[str, None]]
    timezone: NotRequired[Union[str, None]]
    overlap: NotRequired[Union[Literal["skip", "allow"], None]]
    crawl: NotRequired[Union["JobWithResultsOptionsCrawl", None]]
    recipe: NotRequired[Union[str, None]]
    selectors: NotRequired[Union[Dict[str, "Selector"], None]]
    formats: NotRequired[Union[List[Union[Literal["markdown", "article", "metadata", "links", "images", "tables", "text", "html"], "JobWithResultsOptionsFormat1", "JobWithResultsOptionsFormat2"]], None]]
    extract: NotRequired[Union["JobWithResultsOptionsExtract", None]]
    locale: NotRequired[Union[str, None]]
    method: NotRequired[Union[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"], None]]
    body: NotRequired[Union[str, None]]
    json: NotRequired[Union[Any, None]]
    form: NotRequired[Union[Dict[str, Union[str, float, bool, List[Union[str, float, bool]]]], None]]
    repeatable: NotRequired[Union[bool, None]]
    render: NotRequired[Union[Literal[True, False, "auto"], None]]
    antiBot: NotRequired[Union[bool, None]]
    proxy: NotRequired[Union[str, None]]
    actions: NotRequired[Union[List["Action"], None]]
    waitFor: NotRequired[Union[Union[str, int], None]]
    screenshot: NotRequired[Union[Union[bool, "JobWithResultsOptionsScreenshot"], None]]
    overlays: NotRequired[Union[Literal["keep", "hide", "accept", "reject"], None]]
    frames: NotRequired[Union[bool, None]]
    capture: NotRequired[Union[Dict[str, "JobWithResultsOptionsCaptureItem"], None]]
    pdf: NotRequired[Union["JobWithResultsOptionsPdf", None]]
    download: NotRequired[Union[bool, None]]
    onSuspect: NotRequired[Union[Literal["keep", "fail"], None]]
    snapshot: NotRequired[Union[bool, None]]
    maxAge: NotRequired[Union[int, None]]
    freshContext: NotRequired[Union[bool, None]]
    cookies: NotRequired[Union[List["Cookie"], None]]
    headers: NotRequired[Union[Dict[str, str], None]]
    profile: NotRequired[Union[Union[str, "JobWithResultsOptionsProfile"], None]]
    maxCredits: NotRequired[Union[int, None]]
    timeout: NotRequired[Union[int, None]]
    dataset: NotRequired[Union["DatasetOptions", None]]
    sink: NotRequired[Union["SinkOptions", None]]
    webhook: NotRequired[Union["Webhook", None]]
    notify: NotRequired[Union[List["Rule"], None]]



class Schedule(TypedDict):
    id: str
    name: str
    """Default "Untitled schedule"."""
    url: NotRequired[str]
    """The page, or the start of a crawl: an absolute http or https URL. Either `url` or `urls`."""
    urls: NotRequired[List[str]]
    """The pages, or the starts of a crawl: each run is a job of them. Either `url` or `urls`."""
    cron: str
    """Minute, hour, day of the month, month, day of the week: `*`, values, lists, ranges, steps, names; 0 and 7 are Sunday."""
    timezone: str
    """IANA name of the time zone of `cron`. Default UTC."""
    overlap: Literal["skip", "allow"]
    """`skip` leaves a run out while the one before has not finished; `allow` starts it. Default skip."""
    crawl: NotRequired["JobWithResultsOptionsCrawl"]
    """Follows the links of the pages in `urls`, their sitemaps, and the links of what they lead to. Each page is fetched once."""
    recipe: NotRequired[str]
    """A recipe of the account, whose options hold wherever the request has none of its own: by its id, by its id and a version (`rec_…@3`), or `auto` for the one whose `match` fits the URL best. All URLs of a job must have the same one. What is stored and shown is the version that was used, with its options."""
    selectors: Union[Dict[str, "Selector"], None]
    formats: NotRequired[List[Union[Literal["markdown", "article", "metadata", "links", "images", "tables", "text", "html"], "JobWithResultsOptionsFormat1", "JobWithResultsOptionsFormat2"]]]
    """Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then."""
    extract: NotRequired["JobWithResultsOptionsExtract"]
    """Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page."""
    locale: NotRequired[str]
    """BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own."""
    method: NotRequired[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]]
    """Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body."""
    body: NotRequired[str]
    """Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`."""
    json: NotRequired[Any]
    """Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`."""
    form: NotRequired[Dict[str, Union[str, float, bool, List[Union[str, float, bool]]]]]
    """Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value."""
    repeatable: NotRequired[bool]
    """Whether the request may reach the site twice, as a search may. Otherwise no request but GET and HEAD is sent again once bytes of it were sent: not after a broken connection, an error of the site or a lost worker. Where it is not known what became of it, the error is OUTCOME_UNKNOWN. Default false."""
    render: NotRequired[Literal[True, False, "auto"]]
    """Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false."""
    antiBot: NotRequired[bool]
    """When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false."""
    proxy: NotRequired[str]
    """Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones."""
    actions: NotRequired[List["Action"]]
    """Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`."""
    waitFor: NotRequired[Union[str, int]]
    """A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`."""
    screenshot: NotRequired[Union[bool, "JobWithResultsOptionsScreenshot"]]
    """Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false."""
    overlays: NotRequired[Literal["keep", "hide", "accept", "reject"]]
    """What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep."""
    frames: NotRequired[bool]
    """Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false."""
    capture: NotRequired[Dict[str, "JobWithResultsOptionsCaptureItem"]]
    """Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`."""
    pdf: NotRequired["JobWithResultsOptionsPdf"]
    """How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages."""
    download: NotRequired[bool]
    """Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false."""
    onSuspect: NotRequired[Literal["keep", "fail"]]
    """What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep."""
    snapshot: NotRequired[bool]
    """Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false."""
    maxAge: NotRequired[int]
    """Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0."""
    freshContext: NotRequired[bool]
    """Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false."""
    cookies: NotRequired[List["Cookie"]]
    """Cookies to send where their domain and path allow. One without a domain goes to the origin of the URL alone, in a crawl to the origins of its start URLs."""
    headers: NotRequired[Dict[str, str]]
    """Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any."""
    profile: NotRequired[Union[str, "JobWithResultsOptionsProfile"]]
    """Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header."""
    maxCredits: NotRequired[int]
    """The most that the request may cost: a scrape, or a job or a run of a schedule with all its pages. Ways of `antiBot` and `render: "auto"` that cost more are left out. A job starts no page that might cost more than is left; pages that it does not start fail with INSUFFICIENT_CREDITS. A crawl has `crawl.maxCredits` instead."""
    timeout: NotRequired[int]
    """Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more."""
    dataset: NotRequired["DatasetOptions"]
    sink: NotRequired["SinkOptions"]
    webhook: Union["Webhook", None]
    notify: NotRequired[List["Rule"]]
    """Rules that tell people by channels when a record begins to meet a condition. Only pages of the verdict `content`, and fields that have not fallen, are judged."""
    status: Literal["active", "paused"]
    health: Literal["ok", "drifting", "broken"]
    """`drifting` when a field has returned less than half of what it used to in two runs in a row, `broken` when such a field returned nothing in the last run, else `ok`. Only pages of the verdict `content` count. `GET /v1/schedules/{id}/health` has the fields."""
    nextRunAt: Union[str, None]
    lastRunAt: Union[str, None]
    lastJobId: Union[str, None]
    lastStatus: Union[Literal["pending", "running", "completed", "partial", "failed", "cancelled", "refused"], None]
    lastError: Union["PageFailureError", None]
    lastChanges: Union["JobCrawlChanges", None]
    """The changes that the last finished run of a crawl with `changes` found."""
    runCount: int
    """Number of runs that were started."""
    skippedCount: int
    """Number of runs left out because the one before had not finished (see `overlap`)."""
    lastSkippedAt: Union[str, None]
    createdAt: str
    updatedAt: str
    """Time of the last change of settings or status."""



class ScheduleHealth(TypedDict):
    scheduleId: str
    health: Literal["ok", "drifting", "broken"]
    """`drifting` when a field has returned less than half of what it used to in two runs in a row, `broken` when such a field returned nothing in the last run, else `ok`. Only pages of the verdict `content` count. `GET /v1/schedules/{id}/health` has the fields."""
    runs: int
    """Runs that the medians are made of, up to 20."""
    lastJobId: Union[str, None]
    fields: List["ScheduleHealthField"]
    """Those that have fallen come first."""
    pages: List["ScheduleHealthPage"]
    """Up to three pages as they were and as they are, as snapshots."""
    suggestedFor: str
    """Names the selectors and pages that the suggestions are made of, for `POST …/health/accept`."""



class ScheduleHealthField(TypedDict):
    path: str
    """Dotted name of the field: `price`, `books.price`; of a rule of a crawl, `rules.1.price`."""
    health: Literal["ok", "drifting", "broken"]
    before: Union["ScheduleHealthFieldBefore", None]
    """Medians over the runs before, up to 20; null while there are fewer than three."""
    now: Union["ScheduleHealthFieldBefore", None]
    """The last run whose pages were content."""
    fallen: NotRequired["ScheduleHealthFieldFallen"]
    suggestion: NotRequired["ScheduleHealthFieldSuggestion"]
    note: NotRequired[str]
    """Reason why there is no suggestion, and what to do."""



class ScheduleHealthFieldBefore(TypedDict):
    fill: Union[float, None]
    count: Union[float, None]
    conversion: Union[float, None]
    shape: Union[float, None]



class ScheduleHealthFieldFallen(TypedDict):
    path: str
    """Dotted name of the field: `price`, `books.price`; of a rule of a crawl, `rules.1.price`."""
    measure: Literal["fill", "count", "conversion", "shape"]
    """The measure that fell."""
    before: float
    """Median of the runs before, or the bound of `expect`."""
    now: float
    jobId: str
    """The run in which it was found."""
    at: str



class ScheduleHealthFieldSuggestion(TypedDict):
    selector: Union[str, "ScheduleHealthFieldSuggestionSelector"]
    """The selector to use instead."""
    isVerified: bool
    """True if it was run over the last good and the first bad page: the good page gave the values that the old selector gave, and the bad page the same values where they are still there, and values of the same shape elsewhere."""
    before: List[Any]
    """First values that it returns for the last good page."""
    now: List[Any]
    """First values that it returns for the first bad page."""
    reasons: List[str]


ScheduleHealthFieldSuggestionSelector = TypedDict("ScheduleHealthFieldSuggestionSelector", {
    "selector": NotRequired[str],
    "all": NotRequired[bool],
    "absolute": NotRequired[bool],
    "fields": NotRequired[Dict[str, "Selector"]],
    "whitespace": NotRequired[Literal["collapse", "keep"]],
    "exclude": NotRequired[str],
    "json": NotRequired[str],
    "from": NotRequired[str],
    "pattern": NotRequired[str],
    "type": NotRequired[Literal["string", "number", "integer", "price", "boolean", "date", "datetime", "url", "json", "table", "rows", "markdown", "count"]],
    "default": NotRequired[Any],
    "required": NotRequired[bool],
    "locale": NotRequired[str],
    "currency": NotRequired[str],
    "format": NotRequired[str],
    "timezone": NotRequired[str],
    "key": NotRequired[str],
    "expect": NotRequired["ScheduleHealthFieldSuggestionSelectorExpect"],
})


class ScheduleHealthFieldSuggestionSelectorExpect(TypedDict):
    """Bounds of its own: a job in which the field returns less is `partial`, with the warning EXPECTATION_FAILED. For the health of a schedule they replace what was usual. Only pages of the verdict `content` count."""

    fill: NotRequired[float]
    """Least share of the pages, or of the records around the field, that have a value."""
    min: NotRequired[int]
    """Least number of values or records on a page, on average over the pages."""



class ScheduleHealthPage(TypedDict):
    url: str
    good: Union[str, None]
    goodAt: Union[str, None]
    bad: Union[str, None]
    badAt: Union[str, None]



class ScheduleFeed(TypedDict):
    token: str
    """Opens the feeds of this schedule, and nothing else, without an API key."""
    atomUrl: str
    """Path of the Atom feed with the token; a reader takes it behind the address of the service."""
    jsonUrl: str
    """The same as JSON Feed."""
    createdAt: str
    """Time at which the token was made."""



class PageDiff(TypedDict):
    url: str
    added: int
    """Lines that only the run after has."""
    removed: int
    """Lines that only the run before has."""
    text: Union[str, None]
    """Unified text of the difference; null where the page is too large, or too different."""
    isCut: NotRequired[Literal[True]]
    """Long lines are cut, or later parts of the difference left out."""


ScheduleDiff = TypedDict("ScheduleDiff", {
    "from": "ScheduleDiffFrom",
    "to": "ScheduleDiffTo",
    "pages": List["PageDiff"],
    "unchanged": int,
    "notCompared": int,
    "omitted": int,
})


class ScheduleDiffFrom(TypedDict):
    jobId: str
    """The run before."""
    at: Union[str, None]



class ScheduleDiffTo(TypedDict):
    jobId: str
    """The run after."""
    at: Union[str, None]



class Run(TypedDict):
    id: str
    name: str
    hosts: NotRequired[List[str]]
    """Hosts of its URLs, of a crawl those of its start URLs; the first five."""
    status: Literal["pending", "running", "completed", "partial", "failed", "cancelled"]
    totalUrls: int
    """URLs of the job; of a crawl, those known so far."""
    completedUrls: int
    """URLs processed so far, failed ones included."""
    failedUrls: int
    """URLs that failed."""
    creditsUsed: int
    verdicts: NotRequired["JobVerdicts"]
    """Number of results by the kind of page that they come from (`metadata.verdict.page`); kinds without results are left out. URLs that failed have no verdict, and neither have results that older versions stored. Approximate while the job runs."""
    crawl: NotRequired["JobCrawl"]
    changes: NotRequired["JobChanges"]
    warnings: NotRequired[List["ScrapeResponseWarning"]]
    """Fields that did not meet their `expect` (EXPECTATION_FAILED), for which the job is `partial`, and texts that more than five different URLs showed (PAGE_SUSPECT)."""
    dataset: NotRequired["JobDataset"]
    """The dataset that the job writes to; `from` and `to` once it has finished, if the dataset has changed."""
    sink: NotRequired["SinkOptions"]
    scheduleId: NotRequired[str]
    """The schedule that started this job."""
    rerunOf: NotRequired[str]
    """The job that this one scrapes again."""
    extractOf: NotRequired[str]
    """The job whose snapshots this one extracts from, without fetching the pages."""
    createdAt: str
    startedAt: NotRequired[str]
    completedAt: NotRequired[str]
    """Time at which the job finished: its state and its counters do not change any more."""
    changed: Union[bool, None]
    """True when the run found a difference: a value or record that the runs before had differently, or a page that nothing leads to any more. Null when there is nothing to compare."""



class Sink(TypedDict):
    name: str
    """For `sink.name` of jobs, crawls and schedules."""



class Dataset(TypedDict):
    name: str
    key: List[str]
    """The fields of the key; none if it is the URL of the page."""
    records: int
    """Records that are there."""
    gone: int
    """Records that were there and are gone."""
    bytes: int
    """Size of all records as JSON."""
    revision: int
    """Revision of the last change: the end of the feed. It never falls, not even when the dataset is deleted and created again."""
    columns: List[str]
    """Dotted paths of the values that records have had, in the order in which they came up: the columns of its CSV and Parquet."""
    createdAt: str
    changedAt: Union[str, None]



class DatasetRecord(TypedDict):
    revision: int
    op: Literal["upsert", "gone"]
    """`upsert`: the record is there as shown. `gone`: it is not there any more; `record` is what it was last."""
    record: Dict[str, Any]
    """One entry per key of `selectors`: a string or a value of the requested `type`, null without a match, an array with `::all`, records with `fields`."""
    url: str
    """The page that it was found on."""
    jobId: str
    """The job that made the change."""
    changedAt: str
    """Time of the change."""
    key: str
    """The value of the key as text; of several fields, a JSON array of their texts."""
    firstSeen: str
    lastSeen: str
    """Time at which it was last found; within a day, if it did not change."""



class RecordVersion(TypedDict):
    revision: int
    op: Literal["upsert", "gone"]
    """`upsert`: the record is there as shown. `gone`: it is not there any more; `record` is what it was last."""
    record: Dict[str, Any]
    """One entry per key of `selectors`: a string or a value of the requested `type`, null without a match, an array with `::all`, records with `fields`."""
    url: str
    """The page that it was found on."""
    jobId: str
    """The job that made the change."""
    changedAt: str
    """Time of the change."""



class Recipe(TypedDict):
    id: str
    version: int
    """Counts the changes; `rec_…@3` names the third."""
    name: str
    """Unique among the recipes of the account."""
    match: List[str]
    """Globs of the URLs that the recipe is for, compared with the whole URL: `*` stands for any characters but `/`, `**` for any at all. `"recipe": "auto"` takes the recipe whose pattern has the most characters beside them. Default none: the recipe is used by its id alone."""
    createdAt: str
    updatedAt: str
    """Time at which the version was made."""
    options: "RecipeOptions"
    """Options of scrapes, jobs and schedules about how pages are fetched and read. Those of one request are not among them: its method and body, its cookies, and what it may cost. Headers must not be secret: a profile keeps sessions."""
    tests: List["RecipeTest"]
    tested: NotRequired["RecipeTested"]
    """Outcome of the last run of all its tests; absent if none has run since it was changed."""



class RecipeOptions(TypedDict):
    """Options of scrapes, jobs and schedules about how pages are fetched and read. Those of one request are not among them: its method and body, its cookies, and what it may cost. Headers must not be secret: a profile keeps sessions."""

    selectors: NotRequired[Dict[str, "Selector"]]
    """Output field name to selector. At most 100 fields and 64 KiB, nested ones included."""
    formats: NotRequired[List[Union[Literal["markdown", "article", "metadata", "links", "images", "tables", "text", "html"], "JobWithResultsOptionsFormat1", "JobWithResultsOptionsFormat2"]]]
    """Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then."""
    extract: NotRequired["JobWithResultsOptionsExtract"]
    """Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page."""
    locale: NotRequired[str]
    """BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own."""
    render: NotRequired[Literal[True, False, "auto"]]
    """Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false."""
    antiBot: NotRequired[bool]
    """When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false."""
    proxy: NotRequired[str]
    """Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones."""
    actions: NotRequired[List["Action"]]
    """Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`."""
    waitFor: NotRequired[Union[str, int]]
    """A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`."""
    screenshot: NotRequired[Union[bool, "JobWithResultsOptionsScreenshot"]]
    """Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false."""
    overlays: NotRequired[Literal["keep", "hide", "accept", "reject"]]
    """What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep."""
    frames: NotRequired[bool]
    """Read the documents of frames with the page: each follows its `iframe` as `<div data-frame="URL">`. At most 20 frames of 2 MiB each, those in frames counted. Implies `render`. Default false."""
    capture: NotRequired[Dict[str, "JobWithResultsOptionsCaptureItem"]]
    """Keep the responses of requests that the page makes, such as the JSON that its scripts load, by names of your choice: they are returned under `captured`, and selectors read them with `from`. At most 1 MiB of each, and 5 MiB in all. Implies `render`."""
    pdf: NotRequired["JobWithResultsOptionsPdf"]
    """How a PDF is read, should the URL lead to one. From a PDF come the formats markdown, text, links, metadata, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages."""
    download: NotRequired[bool]
    """Keep the response, of any type, as a file instead of reading it: the result has a `file`, for `GET /v1/files/{id}`. A crawl still reads its pages, and keeps the other files that it finds, PDFs included. Cannot be combined with rendering. Default false."""
    onSuspect: NotRequired[Literal["keep", "fail"]]
    """What becomes of a page that was observed not to be what was asked for: `keep` returns it with its `verdict` and the warning PAGE_SUSPECT; with `fail` a captcha is BLOCKED, a login LOGIN_REQUIRED, an error page NOT_FOUND and a shell RENDER_NEEDED, and costs nothing. A guess never fails a page. Default keep."""
    snapshot: NotRequired[bool]
    """Keep the page for a day, to extract from it again without fetching it: the result has a `snapshotId`. Default false."""
    maxAge: NotRequired[int]
    """Milliseconds: a page that the account has fetched at most so long ago with the same request and `maxAge` is extracted again instead of fetched, costs nothing, and has `metadata.cache`. Pages of crawls are always fetched, and so is a page with `actions`, `capture`, `download`, `profile` or `screenshot`. 0 neither takes nor keeps pages. Default 0."""
    freshContext: NotRequired[bool]
    """Render in a browser context that no page has used. Otherwise a page may get one that an earlier page of the same account has used, cleaned of cookies, storage and cache; never with `cookies` or `proxy`. Does not imply `render` and costs nothing. Default false."""
    headers: NotRequired[Dict[str, str]]
    """Headers to send to the target. Those whose name says that they are secret, such as `Authorization`, `Cookie` and `X-Api-Key`, go to the origin of the URL alone, in a crawl to the origins of its start URLs; redirects do not take them elsewhere. robots.txt and sitemaps are fetched without any."""
    profile: NotRequired[Union[str, "JobWithResultsOptionsProfile"]]
    """Id of a profile: the page is fetched with its session and through its proxy, and must pass its `check`; where it does not, the service signs in once more. `{"id", "save": false}` leaves the stored session as it is. Not with `cookies`, `proxy`, `antiBot`, or an `Authorization` or `Cookie` header."""
    timeout: NotRequired[int]
    """Milliseconds for everything: queueing, fetching, retries, rendering, extraction. Default 30000; 60000 where a browser may be used: with `render`, `actions`, `waitFor`, `screenshot`, `antiBot`, `frames`, `capture`, or an answer to `overlays`; with `extract` 60000 more."""



class RecipeTest(TypedDict):
    name: str
    """Unique among the tests of the recipe."""
    kind: NotRequired[Literal["html", "xml", "json", "text"]]
    """Kind of the document. Default html."""
    url: NotRequired[str]
    """The address of the page, with http or https, to which its links are relative. It is not fetched."""
    encoding: NotRequired[str]
    """Encoding in which the page was sent, which its links keep. Default utf-8."""
    expect: Dict[str, Any]
    """The values that the page has, by their paths in `data`: `price.amount`, `books.0.title`, `books.length`; those of formats by `formats.markdown`. Each must be equal, whatever the order of the fields in it."""
    verdict: NotRequired[Literal["content", "wall", "login", "consent", "notFound", "shell", "empty", "notice"]]
    """The kind of page that it must be taken for. Without it, any will do."""
    page: str
    """SHA-256 of the text of the page, for `GET /v1/recipes/pages/{sha256}`."""
    bytes: int
    """Size of the page in UTF-8."""



class RecipeTested(TypedDict):
    """Outcome of the last run of all its tests; absent if none has run since it was changed."""

    passed: int
    failed: int
    at: str



class RecipeSummary(TypedDict):
    id: str
    version: int
    """Counts the changes; `rec_…@3` names the third."""
    name: str
    """Unique among the recipes of the account."""
    match: List[str]
    """Globs of the URLs that the recipe is for, compared with the whole URL: `*` stands for any characters but `/`, `**` for any at all. `"recipe": "auto"` takes the recipe whose pattern has the most characters beside them. Default none: the recipe is used by its id alone."""
    createdAt: str
    updatedAt: str
    """Time at which the version was made."""
    tests: int
    """Number of tests."""
    tested: NotRequired["RecipeTested"]
    """Outcome of the last run of all its tests; absent if none has run since it was changed."""



class RecipePage(TypedDict):
    sha256: str
    bytes: int
    """Size in UTF-8."""



class TestResult(TypedDict):
    name: str
    passed: bool
    verdict: NotRequired[Literal["content", "wall", "login", "consent", "notFound", "shell", "empty", "notice"]]
    """The kind of page that it was taken for."""
    differences: List["Difference"]
    error: NotRequired["PageFailureError"]
    duration: int
    """Milliseconds that the test took."""



class Difference(TypedDict):
    path: str
    """Path of the value, or `verdict`."""
    expected: str
    """The expected value as JSON, its beginning if it is long."""
    actual: NotRequired[str]
    """The value as JSON, its beginning if it is long; absent if the selector finds no value."""



class Profile(TypedDict):
    id: str
    name: str
    status: Literal["ready", "signing-in", "failed", "expired"]
    """`ready`: signed in. `signing-in`: a login is under way, and pages wait for it. `failed`: the login failed, and is not tried again by itself. `expired`: signed out."""
    login: NotRequired["ProfileLogin"]
    """How to sign in: the `actions` are done on the page at `url`, and the page that they lead to must pass `check`, as every page that is scraped must. Without `actions` a session is renewed by uploading another `storageState`."""
    proxy: Union[str, None]
    ttl: Union[int, None]
    signedInAt: Union[str, None]
    """Start of the present session, or of the last one."""
    expiresAt: Union[str, None]
    """End of the session by `ttl`."""
    lastError: NotRequired["ProfileLastError"]
    """Error of the last login."""
    logins: int
    """Number of sessions so far: logins, and states that were uploaded."""
    createdAt: str
    updatedAt: str



class ProfileLogin(TypedDict):
    """How to sign in: the `actions` are done on the page at `url`, and the page that they lead to must pass `check`, as every page that is scraped must. Without `actions` a session is renewed by uploading another `storageState`."""

    url: str
    """The page with the form."""
    actions: NotRequired[List["Action"]]
    """Steps in the rendered page before it is read, in order: `click`, `fill`, `press`, `waitFor`, `select`, `check`, `uncheck`, `hover`, `scroll`, `collect`, and `repeat` around others; at most 50, those in `repeat` counted. Each waits up to 10 seconds for its element. One that cannot be done fails the page with ACTION_FAILED unless it is `optional`. Implies `render`."""
    check: Union["ProfileLoginCheck1", "ProfileLoginCheck2", "ProfileLoginCheck3"]
    """Sign of a page that is signed in, looked for on every page: a selector that matches (`present`) or does not (`absent`), or a pattern of the final URL (`url`)."""



class ProfileLoginCheck1(TypedDict):
    present: str
    """A CSS selector that matches something on every page."""



class ProfileLoginCheck2(TypedDict):
    absent: str
    """A CSS selector that matches nothing on any page."""



class ProfileLoginCheck3(TypedDict):
    url: str
    """A pattern of path and query, or of the whole URL if it begins with http, that each final URL matches."""



class ProfileLastError(TypedDict):
    """Error of the last login."""

    code: Literal["INVALID_URL", "INVALID_REQUEST", "INVALID_JSON", "INVALID_SELECTOR", "UNAUTHORIZED", "INSUFFICIENT_CREDITS", "FORBIDDEN", "BLOCKED", "ROBOTS_DENIED", "NOT_FOUND", "JOB_NOT_FOUND", "SCREENSHOT_NOT_FOUND", "TRACE_NOT_FOUND", "SNAPSHOT_NOT_FOUND", "FILE_NOT_FOUND", "SCHEDULE_NOT_FOUND", "DATASET_NOT_FOUND", "RECORD_NOT_FOUND", "KEY_NOT_FOUND", "SECRET_NOT_FOUND", "CHANNEL_NOT_FOUND", "RECIPE_NOT_FOUND", "PROFILE_NOT_FOUND", "DELIVERY_NOT_FOUND", "ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED", "TIMEOUT", "JOB_NOT_CANCELLABLE", "JOB_NOT_FINISHED", "SUGGESTION_OUTDATED", "NO_SUGGESTION", "NOTHING_TO_COMPARE", "DATASET_KEY_DIFFERS", "RECIPE_AMBIGUOUS", "REVISION_GONE", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "IDEMPOTENCY_CONFLICT", "UNSUPPORTED_CONTENT", "REQUIRED_FIELD_MISSING", "ACTION_FAILED", "LOGIN_REQUIRED", "PROFILE_EXPIRED", "RENDER_NEEDED", "RATE_LIMITED", "INTERNAL_ERROR", "UPSTREAM_ERROR", "OUTCOME_UNKNOWN", "PROXY_ERROR", "SEARCH_FAILED", "SEARCH_MISCONFIGURED", "MODEL_FAILED", "NOT_CONFIGURED", "SERVICE_UNAVAILABLE"]
    message: str



class Delivery(TypedDict):
    id: str
    eventId: str
    """The `webhook-id`, the same for every attempt."""
    type: Literal["job.started", "job.pages", "job.completed", "job.partial", "job.failed", "job.cancelled", "job.changed", "dataset.changed", "schedule.changed", "schedule.drift", "schedule.recovered", "profile.expired", "profile.failed", "webhook.test", "rule.matched", "channel.test", "sink.write"]
    jobId: NotRequired[str]
    scheduleId: NotRequired[str]
    channelId: NotRequired[str]
    """The channel of a message."""
    batch: NotRequired[int]
    """The batch of results that a `job.pages` carries."""
    url: str
    """The endpoint; of a channel, its address as it is shown; of a sink, its name and the folder, as in `sink://lake/jobs/2026-11-28/job_01jd8x0000000000000000000/`."""
    status: Literal["pending", "delivered", "failed", "gone"]
    attempts: List["DeliveryAttempt"]
    """The latest attempts, oldest first."""
    attemptCount: int
    nextAttemptAt: Union[str, None]
    reason: NotRequired[str]
    """Reason why there are no more attempts."""
    createdAt: str
    endedAt: Union[str, None]



class DeliveryAttempt(TypedDict):
    at: str
    durationMs: int
    statusCode: NotRequired[int]
    """HTTP status of the endpoint, if it answered; of an email, the reply code of its server."""
    error: NotRequired[str]
    """Reason why the attempt failed; absent when it succeeded."""
    response: NotRequired[str]
    """Beginning of the response body of a failed attempt."""



class FieldFall(TypedDict):
    path: str
    """Dotted name of the field: `price`, `books.price`; of a rule of a crawl, `rules.1.price`."""
    measure: Literal["fill", "count", "conversion", "shape"]
    """The measure that fell."""
    before: float
    """Median of the runs before, or the bound of `expect`."""
    now: float



class OmittedResult(TypedDict):
    """A result that is larger than an event may be; `resultsUrl` has it."""

    url: str
    resultTruncated: Literal[True]
    resultsUrl: str



class EventJob(TypedDict):
    """A job with its results."""

    id: str
    name: str
    hosts: NotRequired[List[str]]
    """Hosts of its URLs, of a crawl those of its start URLs; the first five."""
    status: Literal["pending", "running", "completed", "partial", "failed", "cancelled"]
    totalUrls: int
    """URLs of the job; of a crawl, those known so far."""
    completedUrls: int
    """URLs processed so far, failed ones included."""
    failedUrls: int
    """URLs that failed."""
    creditsUsed: int
    verdicts: NotRequired["JobVerdicts"]
    """Number of results by the kind of page that they come from (`metadata.verdict.page`); kinds without results are left out. URLs that failed have no verdict, and neither have results that older versions stored. Approximate while the job runs."""
    crawl: NotRequired["JobCrawl"]
    changes: NotRequired["JobChanges"]
    warnings: NotRequired[List["ScrapeResponseWarning"]]
    """Fields that did not meet their `expect` (EXPECTATION_FAILED), for which the job is `partial`, and texts that more than five different URLs showed (PAGE_SUSPECT)."""
    dataset: NotRequired["JobDataset"]
    """The dataset that the job writes to; `from` and `to` once it has finished, if the dataset has changed."""
    sink: NotRequired["SinkOptions"]
    scheduleId: NotRequired[str]
    """The schedule that started this job."""
    rerunOf: NotRequired[str]
    """The job that this one scrapes again."""
    extractOf: NotRequired[str]
    """The job whose snapshots this one extracts from, without fetching the pages."""
    createdAt: str
    startedAt: NotRequired[str]
    completedAt: NotRequired[str]
    """Time at which the job finished: its state and its counters do not change any more."""
    results: List[Union["PageResult", "OmittedResult"]]
    """In the order of the URLs of the job."""
    resultsTruncated: NotRequired[Literal[True]]
    """The results are larger than an event may be; `resultsUrl` has all of them."""
    resultsUrl: NotRequired[str]



class MatchedRecord(TypedDict):
    """A record that a rule tells of."""

    record: str
    """Text that it is matched by; of a page, its URL."""
    url: str
    isRemoved: NotRequired[Literal[True]]
    values: List["MatchedRecordValue"]



class MatchedRecordValue(TypedDict):
    """A value of the record."""

    field: str
    before: NotRequired[Union[str, float, bool, None]]
    after: NotRequired[Union[str, float, bool, None]]



class JobEvent(TypedDict):
    """A job was started or has finished."""

    id: str
    """The `webhook-id`: the same for every attempt, so that a repeated event can be recognized."""
    type: Literal["job.started", "job.completed", "job.partial", "job.failed", "job.cancelled"]
    timestamp: str
    data: "JobEventData"
    """The job."""



class JobEventData(TypedDict):
    """The job."""

    job: "EventJob"
    batches: NotRequired[int]
    """Number of batches that the results were sent in; of a finished job whose webhook names `job.pages`."""
    metadata: NotRequired[Dict[str, str]]
    """As given with the webhook; absent if none was given."""



class JobPagesEvent(TypedDict):
    """A job has further results."""

    id: str
    """The `webhook-id`: the same for every attempt, so that a repeated event can be recognized."""
    type: Literal["job.pages"]
    timestamp: str
    data: "JobPagesEventData"
    """The job with the results of one batch."""



class JobPagesEventData(TypedDict):
    """The job with the results of one batch."""

    batch: "JobPagesEventDataBatch"
    """The batch that the results are."""
    job: "EventJob"
    metadata: NotRequired[Dict[str, str]]
    """As given with the webhook; absent if none was given."""



class JobPagesEventDataBatch(TypedDict):
    """The batch that the results are."""

    number: int
    """From 1 without gaps, in the order of the results."""
    part: int
    """A large batch comes in parts, each an event of its own."""
    isLastPart: bool



class ChangesEvent(TypedDict):
    """A crawl, or a run of a schedule, has found a difference."""

    id: str
    """The `webhook-id`: the same for every attempt, so that a repeated event can be recognized."""
    type: Literal["job.changed", "schedule.changed"]
    timestamp: str
    data: "ChangesEventData"
    """The job and what it found changed."""



class ChangesEventData(TypedDict):
    """The job and what it found changed."""

    job: "Job"
    changes: List["Change"]
    changesTruncated: NotRequired[Literal[True]]
    """There are more changes; `changesUrl` has all of them."""
    changesUrl: str
    metadata: NotRequired[Dict[str, str]]
    """As given with the webhook; absent if none was given."""



class DatasetEvent(TypedDict):
    """A job has ended that changed its dataset."""

    id: str
    """The `webhook-id`: the same for every attempt, so that a repeated event can be recognized."""
    type: Literal["dataset.changed"]
    timestamp: str
    data: "DatasetEventData"
    """The job and its dataset."""



class DatasetEventData(TypedDict):
    """The job and its dataset."""

    job: "Job"
    dataset: "DatasetEventDataDataset"
    """The revisions after `from` up to `to` are new; `recordsUrl` has their records."""
    metadata: NotRequired[Dict[str, str]]
    """As given with the webhook; absent if none was given."""


DatasetEventDataDataset = TypedDict("DatasetEventDataDataset", {
    "name": str,
    "from": int,
    "to": int,
    "recordsUrl": str,
})


class HealthEvent(TypedDict):
    """Fields of a schedule return less than half of what they used to, or are back."""

    id: str
    """The `webhook-id`: the same for every attempt, so that a repeated event can be recognized."""
    type: Literal["schedule.drift", "schedule.recovered"]
    timestamp: str
    data: "HealthEventData"
    """The run, the health of its schedule, and the fields that fell or recovered."""



class HealthEventData(TypedDict):
    """The run, the health of its schedule, and the fields that fell or recovered."""

    job: "Job"
    health: Literal["ok", "drifting", "broken"]
    """`drifting` when a field has returned less than half of what it used to in two runs in a row, `broken` when such a field returned nothing in the last run, else `ok`. Only pages of the verdict `content` count. `GET /v1/schedules/{id}/health` has the fields."""
    fields: List["FieldFall"]
    healthUrl: str
    metadata: NotRequired[Dict[str, str]]
    """As given with the webhook; absent if none was given."""



class ProfileEvent(TypedDict):
    """A job has ended because its profile is signed out, or could not be signed in."""

    id: str
    """The `webhook-id`: the same for every attempt, so that a repeated event can be recognized."""
    type: Literal["profile.expired", "profile.failed"]
    timestamp: str
    data: "ProfileEventData"
    """The job and its profile."""



class ProfileEventData(TypedDict):
    """The job and its profile."""

    job: "Job"
    profile: "ProfileEventDataProfile"
    """The profile."""
    metadata: NotRequired[Dict[str, str]]
    """As given with the webhook; absent if none was given."""



class ProfileEventDataProfile(TypedDict):
    """The profile."""

    id: str
    name: str
    status: Literal["ready", "signing-in", "failed", "expired"]
    """`ready`: signed in. `signing-in`: a login is under way, and pages wait for it. `failed`: the login failed, and is not tried again by itself. `expired`: signed out."""
    lastError: NotRequired["ProfileLastError"]
    """Error of the last login."""



class WebhookTestEvent(TypedDict):
    """Someone tests the endpoint."""

    id: str
    """The `webhook-id`: the same for every attempt, so that a repeated event can be recognized."""
    type: Literal["webhook.test"]
    timestamp: str
    data: "WebhookTestEventData"
    """A text."""



class WebhookTestEventData(TypedDict):
    """A text."""

    message: str



class RuleEvent(TypedDict):
    """A rule of a schedule has become true; sent to channels."""

    id: str
    """The `webhook-id`: the same for every attempt, so that a repeated event can be recognized."""
    type: Literal["rule.matched"]
    timestamp: str
    data: "RuleEventData"
    """A message for people, and the records that it tells of."""



class RuleEventData(TypedDict):
    """A message for people, and the records that it tells of."""

    title: str
    """One line for people."""
    text: str
    """A line for each record."""
    link: NotRequired[str]
    """The run in the console."""
    rule: str
    """Name of the rule."""
    schedule: "RuleEventDataSchedule"
    """The schedule of the rule."""
    jobId: str
    """The run."""
    records: NotRequired[List["MatchedRecord"]]
    """Absent if they are too large for a message."""
    more: NotRequired[int]
    """Number of further records."""



class RuleEventDataSchedule(TypedDict):
    """The schedule of the rule."""

    id: str
    name: str



class ChannelTestEvent(TypedDict):
    """Someone tests a channel."""

    id: str
    """The `webhook-id`: the same for every attempt, so that a repeated event can be recognized."""
    type: Literal["channel.test"]
    timestamp: str
    data: "ChannelTestEventData"
    """A message for people."""



class ChannelTestEventData(TypedDict):
    """A message for people."""

    title: str
    text: str


WebhookEvent = Union["JobEvent", "JobPagesEvent", "ChangesEvent", "DatasetEvent", "HealthEvent", "ProfileEvent", "WebhookTestEvent", "RuleEvent", "ChannelTestEvent"]
"""Body of a webhook; what `data` holds follows from `type`."""


class CreateChannelRequest(TypedDict):
    type: Literal["webhook", "email", "slack", "discord", "teams", "telegram", "ntfy", "apprise"]
    """Which of the other fields it has follows from it."""
    name: str
    """Name by which people know the channel."""
    url: NotRequired[str]
    """Of `webhook`: the endpoint. Of `slack`, `discord` and `teams`: the address of an incoming webhook."""
    to: NotRequired[List[str]]
    """Of `email`: the recipients."""
    token: NotRequired[str]
    """Of `telegram`: the token of the bot. Of `ntfy`, optional: an access token."""
    chat: NotRequired[str]
    """Of `telegram`: the chat."""
    topic: NotRequired[str]
    """Of `ntfy`: the topic."""
    server: NotRequired[str]
    """Of `ntfy` and `telegram`, optional: a server of your own. Default https://ntfy.sh and https://api.telegram.org."""
    key: NotRequired[str]
    """Of `apprise`: the key of a configuration that the operator's Apprise keeps."""
    tag: NotRequired[str]
    """Of `apprise`, optional: the tags of that configuration to notify."""



class Channel(TypedDict):
    id: str
    type: Literal["webhook", "email", "slack", "discord", "teams", "telegram", "ntfy", "apprise"]
    """Which of the other fields it has follows from it."""
    name: str
    """Name by which people know the channel."""
    address: str
    """Where it leads; parts that hold a secret are cut."""
    status: Literal["active", "gone"]
    """`gone` when the endpoint answered 410 Gone: nothing is sent until the address is set again, or a test succeeds."""
    createdAt: str
    updatedAt: str
    """Time at which it was last changed."""



class Key(TypedDict):
    id: str
    name: str
    prefix: str
    """Beginning of the key, to tell keys apart."""
    scopes: List[Literal["scrape", "jobs", "schedules", "profiles", "webhooks", "usage", "admin"]]
    createdAt: str
    expiresAt: Union[str, None]
    revokedAt: Union[str, None]
    lastUsedAt: Union[str, None]
    """Time of the latest request with the key, or with a session of it; some seconds late."""



class NewKey(TypedDict):
    id: str
    name: str
    prefix: str
    """Beginning of the key, to tell keys apart."""
    scopes: List[Literal["scrape", "jobs", "schedules", "profiles", "webhooks", "usage", "admin"]]
    createdAt: str
    expiresAt: Union[str, None]
    revokedAt: Union[str, None]
    lastUsedAt: Union[str, None]
    """Time of the latest request with the key, or with a session of it; some seconds late."""
    key: str
    """The key itself; shown once."""



class Secret(TypedDict):
    name: str
    origins: NotRequired[List[str]]
    """Origins of the pages in whose fields the secret may be written. Without them, it is that of the URL that is scraped."""
    createdAt: str
    updatedAt: str
    """Time at which the value was last set."""


Usage = TypedDict("Usage", {
    "from": str,
    "to": str,
    "used": int,
    "reserved": int,
    "remaining": Union[int, None],
    "byDay": List["UsageByDayItem"],
    "byOperation": Dict[str, "UsageByOperationItem"],
})


class UsageByDayItem(TypedDict):
    day: str
    credits: int
    requests: int



class UsageByOperationItem(TypedDict):
    credits: int
    requests: int



class Trace(TypedDict):
    requestId: NotRequired[str]
    """For scrapes: as `X-Request-Id` named it."""
    jobId: NotRequired[str]
    index: NotRequired[int]
    """Position of the URL in the job, from 0."""
    url: str
    state: str
    """`success` or the error code; of pages of jobs that have not finished, their state such as `waiting`."""
    message: NotRequired[str]
    """The message of the error."""
    durationMs: NotRequired[int]
    """For scrapes: from the arrival of the request to the end of the work. What its attempts did not take, it waited."""
    attempts: List["TraceAttempt"]
    """Oldest first."""
    curl: str
    """A command that requests the page as Gleaner did, without its secrets: cookies, credentials and proxies have to be filled in."""



class TraceAttempt(TypedDict):
    engine: Literal["http", "browser"]
    proxy: NotRequired[str]
    """The proxy, by its country and its place in the pool."""
    statusCode: NotRequired[int]
    outcome: str
    """`success`, or the error code that ended the attempt."""
    durationMs: int
    round: NotRequired[int]
    """For pages of jobs: number of the attempt of the job, from 1."""
    rung: NotRequired[str]
    """With `antiBot`: the rung of the ladder."""
    startedAt: NotRequired[str]
    stages: NotRequired["TraceAttemptStages"]
    actions: NotRequired[List["TraceAttemptAction"]]
    """The steps of `actions`, in order."""



class TraceAttemptStages(TypedDict):
    browser: NotRequired[float]
    """Waiting for a free browser."""
    prepare: NotRequired[float]
    """Preparing a browser tab: cookies, headers, disguise."""
    load: NotRequired[float]
    """Loading the page in the browser, until the document begins to arrive."""
    dns: NotRequired[float]
    """Resolving the host name."""
    connect: NotRequired[float]
    """Opening the connection."""
    proxy: NotRequired[float]
    """Waiting for the proxy to connect."""
    tls: NotRequired[float]
    """Negotiating TLS."""
    firstByte: NotRequired[float]
    """Waiting for the first byte of the response."""
    body: NotRequired[float]
    """Reading the body."""
    backoff: NotRequired[float]
    """Waiting before another request."""
    settle: NotRequired[float]
    """Waiting until the page in the browser has settled."""
    check: NotRequired[float]
    """Waiting for the site's own check of the browser."""
    overlays: NotRequired[float]
    """Dismissing the layers that ask for consent."""
    actions: NotRequired[float]
    """Doing the steps of `actions`."""
    waitFor: NotRequired[float]
    """Waiting for what `waitFor` names."""
    snapshot: NotRequired[float]
    """Reading the page out of the browser."""
    screenshot: NotRequired[float]
    """Taking the screenshot."""
    queue: NotRequired[float]
    """Waiting for a turn to read the page."""
    parse: NotRequired[float]
    """Parsing the page."""
    extract: NotRequired[float]
    """Extracting the values."""
    model: NotRequired[float]
    """Waiting for the model of the option `extract`, and checking its answer."""
    calibrate: NotRequired[float]
    """Comparing the page with the answer to a path that does not exist."""



class TraceAttemptAction(TypedDict):
    index: int
    """Position of the step in `actions`, from 0."""
    durationMs: int
    rounds: NotRequired[int]
    """Of `repeat`: how often its steps were done."""
    url: NotRequired[str]
    """The URL of the page after the step, if it led to another one."""
    step: str
    """The verb and its selector or key."""
    outcome: Literal["done", "skipped", "failed"]



class ErrorResponse(TypedDict):
    error: "ErrorResponseError"



class ErrorResponseError(TypedDict):
    code: Literal["INVALID_URL", "INVALID_REQUEST", "INVALID_JSON", "INVALID_SELECTOR", "UNAUTHORIZED", "INSUFFICIENT_CREDITS", "FORBIDDEN", "BLOCKED", "ROBOTS_DENIED", "NOT_FOUND", "JOB_NOT_FOUND", "SCREENSHOT_NOT_FOUND", "TRACE_NOT_FOUND", "SNAPSHOT_NOT_FOUND", "FILE_NOT_FOUND", "SCHEDULE_NOT_FOUND", "DATASET_NOT_FOUND", "RECORD_NOT_FOUND", "KEY_NOT_FOUND", "SECRET_NOT_FOUND", "CHANNEL_NOT_FOUND", "RECIPE_NOT_FOUND", "PROFILE_NOT_FOUND", "DELIVERY_NOT_FOUND", "ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED", "TIMEOUT", "JOB_NOT_CANCELLABLE", "JOB_NOT_FINISHED", "SUGGESTION_OUTDATED", "NO_SUGGESTION", "NOTHING_TO_COMPARE", "DATASET_KEY_DIFFERS", "RECIPE_AMBIGUOUS", "REVISION_GONE", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "IDEMPOTENCY_CONFLICT", "UNSUPPORTED_CONTENT", "REQUIRED_FIELD_MISSING", "ACTION_FAILED", "LOGIN_REQUIRED", "PROFILE_EXPIRED", "RENDER_NEEDED", "RATE_LIMITED", "INTERNAL_ERROR", "UPSTREAM_ERROR", "OUTCOME_UNKNOWN", "PROXY_ERROR", "SEARCH_FAILED", "SEARCH_MISCONFIGURED", "MODEL_FAILED", "NOT_CONFIGURED", "SERVICE_UNAVAILABLE"]
    message: str
    """The problem, and the field or resource concerned."""
    suggestion: str
    """The next step to take."""
    details: NotRequired[List["ErrorResponseErrorDetail"]]
    """The first 100 errors; where there are more, a last entry has their number."""
    source: Literal["api", "target"]
    """Origin of the error: this service, or the target page."""
    targetStatusCode: NotRequired[int]
    """HTTP status that the target answered with, if it answered."""
    attempts: NotRequired[List["ScrapeMetadataAttempt"]]
    """Attempts at the target page, oldest first; present when a scrape failed."""
    verdict: NotRequired[Literal["content", "wall", "login", "consent", "notFound", "shell", "empty", "notice"]]
    """Kind of the page that was read, if the error is about its content; see `metadata.verdict`."""
    stepScreenshots: NotRequired[List["ScrapeResponseStepScreenshot"]]
    """With `stepScreenshots`: the window after the steps of `actions`, 640 pixels wide. None of a document into which a secret was written."""
    requestId: str



class ErrorResponseErrorDetail(TypedDict):
    path: str
    """Dotted path in the body or query; empty for the whole."""
    message: str


PageKind = Literal["content", "wall", "login", "consent", "notFound", "shell", "empty", "notice"]
"""`content` unless something speaks against it. The other kinds are what sites send instead: a captcha (`wall`), a `login`, a page that asks for `consent`, an error page with a status of success (`notFound`), a page that scripts have yet to fill (`shell`), nothing (`empty`), or a `notice` such as one of maintenance."""

PageChange = Literal["new", "changed", "unchanged", "gone"]
"""Difference from the crawl before (`since`); missing if there is nothing to compare, as for a page that failed or is of another kind than before (`metadata.verdict`)."""

EventName = Literal["job.started", "job.pages", "job.completed", "job.partial", "job.failed", "job.cancelled", "job.changed", "dataset.changed", "schedule.changed", "schedule.drift", "schedule.recovered", "profile.expired", "profile.failed"]

ErrorCode = Literal["INVALID_URL", "INVALID_REQUEST", "INVALID_JSON", "INVALID_SELECTOR", "UNAUTHORIZED", "INSUFFICIENT_CREDITS", "FORBIDDEN", "BLOCKED", "ROBOTS_DENIED", "NOT_FOUND", "JOB_NOT_FOUND", "SCREENSHOT_NOT_FOUND", "TRACE_NOT_FOUND", "SNAPSHOT_NOT_FOUND", "FILE_NOT_FOUND", "SCHEDULE_NOT_FOUND", "DATASET_NOT_FOUND", "RECORD_NOT_FOUND", "KEY_NOT_FOUND", "SECRET_NOT_FOUND", "CHANNEL_NOT_FOUND", "RECIPE_NOT_FOUND", "PROFILE_NOT_FOUND", "DELIVERY_NOT_FOUND", "ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED", "TIMEOUT", "JOB_NOT_CANCELLABLE", "JOB_NOT_FINISHED", "SUGGESTION_OUTDATED", "NO_SUGGESTION", "NOTHING_TO_COMPARE", "DATASET_KEY_DIFFERS", "RECIPE_AMBIGUOUS", "REVISION_GONE", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "IDEMPOTENCY_CONFLICT", "UNSUPPORTED_CONTENT", "REQUIRED_FIELD_MISSING", "ACTION_FAILED", "LOGIN_REQUIRED", "PROFILE_EXPIRED", "RENDER_NEEDED", "RATE_LIMITED", "INTERNAL_ERROR", "UPSTREAM_ERROR", "OUTCOME_UNKNOWN", "PROXY_ERROR", "SEARCH_FAILED", "SEARCH_MISCONFIGURED", "MODEL_FAILED", "NOT_CONFIGURED", "SERVICE_UNAVAILABLE"]


class ExtractResult(TypedDict):
    data: NotRequired[Dict[str, Any]]
    """One entry per key of `selectors`: a string or a value of the requested `type`, null without a match, an array with `::all`, records with `fields`."""
    formats: NotRequired["ScrapeResponseFormats"]
    """One entry per format of the request, by its name."""
    metadata: "Metadata"
    warnings: NotRequired[List["ScrapeResponseWarning"]]
    requestId: str
    """The `X-Request-Id` of the response."""



class Metadata(TypedDict):
    url: NotRequired[str]
    """The `url` of the request."""
    timestamp: str
    """Time at which the page was read."""
    duration: int
    """Milliseconds that reading the page took."""
    credits: Literal[0]
    """Nothing is fetched, so nothing is charged."""
    verdict: "Verdict"



class MapResult(TypedDict):
    urls: List["Url"]
    """The start page, then what was found, in the order in which it was found; with `search`, the best first."""
    sources: List["Source"]
    """Everything that was read, in order."""
    complete: bool
    """True if everything was read that the options ask for and robots.txt allows, and nothing was left out."""
    stoppedBy: NotRequired[Literal["limit", "timeout", "maxCredits", "pages", "sitemaps", "busy"]]
    """The bound that ended it: `limit`, `timeout` and `maxCredits` of the request; 500 `pages` or 200 `sitemaps`; or the site is `busy` and answers 429, 503 or too late."""
    reason: NotRequired[str]
    """Present when nothing but the start page was found: why."""
    metadata: "MapResultMetadata"
    requestId: str
    """The `X-Request-Id` of the response."""



class Url(TypedDict):
    url: str
    foundOn: NotRequired[str]
    """The page or sitemap that names it; absent for the start page."""
    lastModified: NotRequired[str]
    """Time of the last change, from the sitemap."""
    text: NotRequired[str]
    """Text of a link to it, or the title of the page if it was read."""



class Source(TypedDict):
    kind: Literal["robots", "sitemap", "page"]
    url: str
    found: int
    """Different URLs in it that belong to the map; of a robots.txt, the sitemaps that it names."""
    outOfScope: NotRequired[int]
    """Links that `scope` leaves out."""
    excluded: NotRequired[int]
    """Links that `include` or `exclude` leave out."""
    nofollow: NotRequired[int]
    """Links that the page asks not to follow."""
    trap: NotRequired[int]
    """Links that look endless."""
    verdict: NotRequired[Literal["content", "wall", "login", "consent", "notFound", "shell", "empty", "notice"]]
    """What the page is instead of what was asked for."""
    redirectsTo: NotRequired[str]
    """The page at which it was read instead."""
    cutBecause: NotRequired[str]
    """Why some of its URLs are missing."""
    error: NotRequired["ProfileLastError"]
    """Why it was not read."""



class MapResultMetadata(TypedDict):
    url: str
    """The requested URL."""
    duration: int
    """Milliseconds from the request to the response."""
    credits: int
    """Credits charged: one for each page that was read."""



class GetTraceResult(TypedDict):
    trace: "Trace"



class ExtractSnapshotResult(TypedDict):
    data: NotRequired[Dict[str, Any]]
    """One entry per key of `selectors`: a string or a value of the requested `type`, null without a match, an array with `::all`, records with `fields`."""
    formats: NotRequired["ScrapeResponseFormats"]
    """One entry per format of the request, by its name."""
    matches: Dict[str, List[int]]
    """For each field by its dotted name, all elements that its selector matches, by their places in document order."""
    warnings: NotRequired[List["ScrapeResponseWarning"]]



class SuggestSelectorsResult(TypedDict):
    candidates: List["Candidate"]
    """The most robust first; none for a schema."""
    proposal: NotRequired["Proposal"]
    """For a schema: selectors that give the values that the model has found, and their data."""



class Candidate(TypedDict):
    kind: Literal["one", "list", "field"]
    selector: str
    """CSS without a suffix; for fields, relative to the record."""
    take: str
    """`text` or `attr(<name>)`."""
    matches: int
    """Number of elements that match; for fields, of records with one."""
    values: List[str]
    """First values, shortened."""
    score: float
    """From 0 to 1: expected to go on matching the same elements."""
    reasons: List[str]
    stableOn: NotRequired[str]
    """Share of the other snapshots, as in `4 of 5`."""
    columns: NotRequired[List["CandidateColumn"]]



class CandidateColumn(TypedDict):
    name: str
    selector: str
    """CSS relative to the record."""
    take: str
    filled: float
    """Share of the records that have a value, from 0 to 1."""
    distinct: int
    """Number of different values."""
    values: List[str]
    isPicked: bool
    """True if the field takes the picked element."""



class Proposal(TypedDict):
    """For a schema: selectors that give the values that the model has found, and their data."""

    selectors: Dict[str, "Selector"]
    """Output field name to selector. At most 100 fields and 64 KiB, nested ones included."""
    data: Dict[str, Any]
    """One entry per key of `selectors`: a string or a value of the requested `type`, null without a match, an array with `::all`, records with `fields`."""
    unsolved: List["ProposalUnsolvedItem"]
    """Fields of the schema without a selector, each with the reason."""
    stableOn: NotRequired[Dict[str, str]]
    """For each field, the share of the snapshots `alsoOn` on which it has a value, as in `4 of 5`."""
    llm: "ScrapeMetadataLlm"
    """The model that has found the fields of `extract`."""
    credits: int
    """What the model has cost."""



class ProposalUnsolvedItem(TypedDict):
    field: str
    message: str



class CreateJobResult(TypedDict):
    job: "Job"



class ListJobsResult(TypedDict):
    jobs: List["Job"]
    pagination: "Pagination"



class Pagination(TypedDict):
    limit: int
    offset: int
    total: int
    """Number of all entries."""
    hasMore: bool



class ListSinksResult(TypedDict):
    sinks: List["Sink"]



class GetJobResult(TypedDict):
    job: "JobWithResults"



class CancelJobResult(TypedDict):
    job: "Job"


GetJobResultsResult = List["PageResult"]


class GetJobChangesResult(TypedDict):
    comparedWith: Union[str, None]
    """Id of the run before; null when there is nothing to compare: of the first run, while the job runs, and of jobs that are neither runs nor crawls with `since`."""
    matchedBy: Dict[str, str]
    """For each list of records, the field by which records were matched: the `key` of its selector, or one that was found."""
    counts: "JobChanges"
    omitted: int
    """Number of further changes, which are not kept because there are too many."""
    notCompared: int
    """Number of pages that are of another kind than before, such as a login instead of content. They say nothing, and the run before stays what they are compared with."""
    changes: List["Change"]
    pagination: "Pagination"


GetJobUrlsResult = List["JobUrl"]


class GetJobTraceResult(TypedDict):
    trace: "Trace"



class RerunJobResult(TypedDict):
    job: "Job"



class ExtractJobResult(TypedDict):
    job: "Job"



class ListDatasetsResult(TypedDict):
    datasets: List["Dataset"]



class GetDatasetResult(TypedDict):
    dataset: "Dataset"



class ListRecordsResult(TypedDict):
    records: List["DatasetRecord"]
    next: int
    """Give it as `since` to read on."""
    hasMore: bool
    """True if there are more already."""



class GetRecordHistoryResult(TypedDict):
    key: str
    history: List["RecordVersion"]



class CreateScheduleResult(TypedDict):
    schedule: "Schedule"



class ListSchedulesResult(TypedDict):
    schedules: List["Schedule"]
    pagination: "Pagination"



class PreviewScheduleResult(TypedDict):
    preview: "Preview"



class Preview(TypedDict):
    timezone: str
    """The time zone as IANA spells it."""
    runs: List[str]
    """The next times, the nearest first."""



class GetScheduleResult(TypedDict):
    schedule: "Schedule"



class UpdateScheduleResult(TypedDict):
    schedule: "Schedule"



class GetScheduleHealthResult(TypedDict):
    health: "ScheduleHealth"



class AcceptSuggestionsResult(TypedDict):
    schedule: "Schedule"
    accepted: List[str]
    """Paths of the fields whose selectors were replaced."""
    recipe: NotRequired["AcceptSuggestionsResultRecipe"]
    """Present if the fallen selectors are those of the recipe of the schedule."""



class AcceptSuggestionsResultRecipe(TypedDict):
    """Present if the fallen selectors are those of the recipe of the schedule."""

    version: str
    """The version of the recipe: with the repair, or as it was."""
    isNew: bool
    """True if the repair has become a version; false if tests are red with it."""
    red: List[str]
    """Names of the tests that are red with the repair."""



class PauseScheduleResult(TypedDict):
    schedule: "Schedule"



class ResumeScheduleResult(TypedDict):
    schedule: "Schedule"



class RunScheduleResult(TypedDict):
    job: "Job"



class ListScheduleRulesResult(TypedDict):
    rules: List["ListScheduleRulesResultRule"]
    records: int
    """Number of records and pages that are watched."""
    omitted: int
    """Number of further ones in the last run, which are not watched because there are too many."""



class ListScheduleRulesResultRule(TypedDict):
    name: str
    told: int
    """Records that it has told of."""
    waiting: NotRequired[int]
    """Records that wait for the end of its `digest`."""
    lastToldAt: Union[str, None]
    lastJobId: Union[str, None]
    lastTitle: Union[str, None]



class ListScheduleRunsResult(TypedDict):
    runs: List["Run"]
    pagination: "Pagination"



class ListScheduleChangesResult(TypedDict):
    changes: List["ListScheduleChangesResultChange"]
    pagination: "Pagination"



class ListScheduleChangesResultChange(TypedDict):
    jobId: str
    at: str
    """Time at which the run started."""
    comparedWith: Union[str, None]
    """Id of the run before; null when there is nothing to compare: of the first run, while the job runs, and of jobs that are neither runs nor crawls with `since`."""
    matchedBy: Dict[str, str]
    """For each list of records, the field by which records were matched: the `key` of its selector, or one that was found."""
    counts: "JobChanges"
    omitted: int
    """Number of further changes, which are not kept because there are too many."""
    notCompared: int
    """Number of pages that are of another kind than before, such as a login instead of content. They say nothing, and the run before stays what they are compared with."""
    changes: List["Change"]
    """The first changes, up to 100 and 128 KiB."""
    changesUrl: NotRequired[str]
    """Path of all changes, when there are more."""



class GetScheduleDiffResult(TypedDict):
    diff: "ScheduleDiff"



class GetScheduleFeedResult(TypedDict):
    feed: "ScheduleFeed"



class RotateScheduleFeedResult(TypedDict):
    feed: "ScheduleFeed"



class CreateRecipeResult(TypedDict):
    recipe: "Recipe"



class ListRecipesResult(TypedDict):
    recipes: List["RecipeSummary"]



class TryRecipeResult(TypedDict):
    passed: int
    """Number of tests that passed."""
    failed: int
    results: List["TestResult"]
    """In the order of the tests."""



class AddRecipePageResult(TypedDict):
    page: "RecipePage"



class GetRecipeResult(TypedDict):
    recipe: "Recipe"



class UpdateRecipeResult(TypedDict):
    recipe: "Recipe"



class TestRecipeResult(TypedDict):
    recipe: str
    passed: int
    """Number of tests that passed."""
    failed: int
    results: List["TestResult"]
    """In the order of the tests."""



class RecordTestResult(TypedDict):
    recipe: "Recipe"
    result: "TestResult"



class CreateProfileResult(TypedDict):
    profile: "Profile"



class ListProfilesResult(TypedDict):
    profiles: List["Profile"]
    pagination: "Pagination"



class GetProfileResult(TypedDict):
    profile: "Profile"



class UpdateProfileResult(TypedDict):
    profile: "Profile"



class LoginProfileResult(TypedDict):
    profile: "Profile"



class GetProfileStateResult(TypedDict):
    storageState: "StorageState"



class GetWebhookSecretResult(TypedDict):
    secret: str
    """Secret in the form of Standard Webhooks."""
    createdAt: str
    previousValidUntil: Union[str, None]



class RotateWebhookSecretResult(TypedDict):
    secret: str
    """Secret in the form of Standard Webhooks."""
    createdAt: str
    previousValidUntil: Union[str, None]



class ListWebhookDeliveriesResult(TypedDict):
    deliveries: List["Delivery"]
    pagination: "Pagination"



class RedeliverWebhookResult(TypedDict):
    delivery: "Delivery"



class TestWebhookResult(TypedDict):
    delivery: "Delivery"



class CreateChannelResult(TypedDict):
    channel: "Channel"



class ListChannelsResult(TypedDict):
    channels: List["Channel"]



class GetChannelResult(TypedDict):
    channel: "Channel"



class UpdateChannelResult(TypedDict):
    channel: "Channel"



class TestChannelResult(TypedDict):
    delivery: "Delivery"



class CreateKeyResult(TypedDict):
    key: "NewKey"



class ListKeysResult(TypedDict):
    keys: List["Key"]
    pagination: "Pagination"



class GetCurrentKeyResult(TypedDict):
    key: "Key"



class RevokeKeyResult(TypedDict):
    key: "Key"



class PutSecretResult(TypedDict):
    secret: "Secret"



class ListSecretsResult(TypedDict):
    secrets: List["Secret"]



class GetUsageResult(TypedDict):
    usage: "Usage"



class EstimateResult(TypedDict):
    estimate: "Estimate"



class Estimate(TypedDict):
    of: Literal["scrape", "map", "job", "crawl", "schedule"]
    """What the body creates. Figures of a schedule are those of one run."""
    credits: "EstimateCredits"
    pages: "EstimatePages"
    """Number of pages that are fetched if none fails; equal URLs are fetched once."""
    runsPerDay: NotRequired[float]
    """Runs of a schedule in a day, at the pace of its next 20. Left out for others."""
    problems: List["EstimateProblem"]
    """What would make the request fail, now or later, although its body is valid."""
    look: NotRequired["EstimateLook"]
    """Present with `look=true`."""



class EstimateCredits(TypedDict):
    worst: int
    """The most that it can cost."""
    expected: NotRequired[int]
    """The cost if every page succeeds and comes in the first way that is tried: without a step of `antiBot`, and not rendered with `render: "auto"`. With `look`, the cost if all pages are like those that were looked at. Left out without `look` for crawls, and for maps that read more than the start page: the number of their pages is not known."""
    basis: Literal["options", "urls", "limit", "maxCredits"]
    """What `worst` rests on: the `options` of one page, or of a map; these for all different `urls`; for the `limit` of a crawl; or `maxCredits`."""



class EstimatePages(TypedDict):
    """Number of pages that are fetched if none fails; equal URLs are fetched once."""

    atLeast: int
    atMost: int



class EstimateProblem(TypedDict):
    code: Literal["INVALID_URL", "INVALID_REQUEST", "INVALID_JSON", "INVALID_SELECTOR", "UNAUTHORIZED", "INSUFFICIENT_CREDITS", "FORBIDDEN", "BLOCKED", "ROBOTS_DENIED", "NOT_FOUND", "JOB_NOT_FOUND", "SCREENSHOT_NOT_FOUND", "TRACE_NOT_FOUND", "SNAPSHOT_NOT_FOUND", "FILE_NOT_FOUND", "SCHEDULE_NOT_FOUND", "DATASET_NOT_FOUND", "RECORD_NOT_FOUND", "KEY_NOT_FOUND", "SECRET_NOT_FOUND", "CHANNEL_NOT_FOUND", "RECIPE_NOT_FOUND", "PROFILE_NOT_FOUND", "DELIVERY_NOT_FOUND", "ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED", "TIMEOUT", "JOB_NOT_CANCELLABLE", "JOB_NOT_FINISHED", "SUGGESTION_OUTDATED", "NO_SUGGESTION", "NOTHING_TO_COMPARE", "DATASET_KEY_DIFFERS", "RECIPE_AMBIGUOUS", "REVISION_GONE", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "IDEMPOTENCY_CONFLICT", "UNSUPPORTED_CONTENT", "REQUIRED_FIELD_MISSING", "ACTION_FAILED", "LOGIN_REQUIRED", "PROFILE_EXPIRED", "RENDER_NEEDED", "RATE_LIMITED", "INTERNAL_ERROR", "UPSTREAM_ERROR", "OUTCOME_UNKNOWN", "PROXY_ERROR", "SEARCH_FAILED", "SEARCH_MISCONFIGURED", "MODEL_FAILED", "NOT_CONFIGURED", "SERVICE_UNAVAILABLE"]
    message: str
    suggestion: str



class EstimateLook(TypedDict):
    """Present with `look=true`."""

    sources: List["Source"]
    """Everything that was read, as in `POST /v1/map`; a page without `verdict` is content."""
    urls: NotRequired[int]
    """Of a crawl: different URLs of it that its start pages and sitemaps name, counted up to 1000 for each start page."""
    complete: bool
    """False if some of it could not be read, or took too long."""



class GetSystemResult(TypedDict):
    system: "System"



class System(TypedDict):
    version: str
    services: List["SystemService"]
    queues: List["SystemQueue"]
    instances: List["SystemInstance"]
    """Processes, by service; a new one appears within seconds."""
    pausedHosts: List["SystemPausedHost"]
    """Hosts that answered 429 or 503: pages of jobs wait for them. The longest pauses come first."""



class SystemService(TypedDict):
    name: str
    purpose: str
    """Work that the processes take."""
    processes: int
    """Processes that take this work now."""



class SystemQueue(TypedDict):
    name: str
    messages: int
    """Messages that wait, those for a later time included."""
    consumers: int



class SystemInstance(TypedDict):
    id: str
    """Of this run of the process."""
    service: str
    name: str
    """`INSTANCE`, or host name and process id."""
    version: str
    startedAt: str
    seenAt: str
    """Time of its last heartbeat. A process that stops is removed at once, one that was killed after a minute."""
    browsers: NotRequired[List["SystemInstanceBrowser"]]
    """Of scrapers that render pages: browsers that run."""
    chromium: NotRequired["SystemInstanceChromium"]
    """Of scrapers that render pages: their browser and its age."""



class SystemInstanceBrowser(TypedDict):
    kind: Literal["plain", "visual", "disguised"]
    """`plain` reads pages, `visual` draws them for screenshots, `disguised` looks like a browser of a person."""
    version: str
    tabs: int
    """Tabs that pages are rendered in."""
    memoryBytes: int
    """Anonymous memory of all its processes, as last measured while a tab was in use."""



class SystemInstanceChromium(TypedDict):
    """Of scrapers that render pages: their browser and its age."""

    version: str
    releasedAt: str
    """Release of the package that brings it, or the date of the file that CHROMIUM_PATH names."""



class SystemPausedHost(TypedDict):
    host: str
    until: str
    """Time at which the next page may be sent."""



class GetLivenessResult(TypedDict):
    status: Literal["alive"]



class GetReadinessResult(TypedDict):
    status: Literal["ready"]

