"""Client of the Gleaner web data extraction service. Standard library only."""

from ._async_gleaner import AsyncGleaner
from ._bridge import AsyncListing
from ._caller import CallOptions, CreateOptions, Settings
from ._error import GleanerError
from ._gleaner import Gleaner
from ._listing import Listing, Page
from ._version import VERSION as __version__
from ._watch import WatchOptions
from ._webhook import verify_webhook

__all__ = [
    "AsyncGleaner",
    "AsyncListing",
    "CallOptions",
    "CreateOptions",
    "Gleaner",
    "GleanerError",
    "Listing",
    "Page",
    "Settings",
    "WatchOptions",
    "__version__",
    "verify_webhook",
]
