"""The asynchronous client."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Optional, Type

from ._bridge import Bridge
from ._caller import Settings
from ._generated.asynchronous import (
    AsyncChannels,
    AsyncDatasets,
    AsyncFiles,
    AsyncGleanerMethods,
    AsyncJobs,
    AsyncKeys,
    AsyncProfiles,
    AsyncRecipes,
    AsyncSchedules,
    AsyncSecrets,
    AsyncSnapshots,
    AsyncWebhooks,
)
from ._gleaner import Gleaner

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncGleaner(AsyncGleanerMethods):
    """A client of one Gleaner service for asyncio; use it in `async with`. Its calls run in threads of its own."""

    def __init__(
        self, url: str, api_key: Optional[str] = None, *, max_threads: int = 64, **settings: Unpack[Settings]
    ) -> None:
        """Raises INVALID_OPTION when the address or the key cannot be one. Nothing is sent.

        At most `max_threads` calls and streams wait for the service at once; others wait for them.
        """
        gleaner = Gleaner(url, api_key, **settings)
        bridge = Bridge(max_threads)
        super().__init__(bridge, gleaner)
        self.jobs = AsyncJobs(bridge, gleaner.jobs)
        self.schedules = AsyncSchedules(bridge, gleaner.schedules)
        self.datasets = AsyncDatasets(bridge, gleaner.datasets)
        self.recipes = AsyncRecipes(bridge, gleaner.recipes)
        self.profiles = AsyncProfiles(bridge, gleaner.profiles)
        self.webhooks = AsyncWebhooks(bridge, gleaner.webhooks)
        self.channels = AsyncChannels(bridge, gleaner.channels)
        self.keys = AsyncKeys(bridge, gleaner.keys)
        self.secrets = AsyncSecrets(bridge, gleaner.secrets)
        self.snapshots = AsyncSnapshots(bridge, gleaner.snapshots)
        self.files = AsyncFiles(bridge, gleaner.files)

    async def __aenter__(self) -> AsyncGleaner:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of the threads."""
        self._bridge.close()
