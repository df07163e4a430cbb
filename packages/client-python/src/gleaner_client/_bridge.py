"""Runs the calls of the client in threads, for the asynchronous client."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context, copy_context
from functools import partial
from typing import Any, AsyncIterator, Callable, Dict, Generic, Iterator, List, TypeVar, cast

from ._bound import Cancellation, set_cancellation
from ._lines import Values
from ._listing import Item, Listing, Page

Result = TypeVar("Result")


class Bridge:
    """Runs calls in threads of its own. A task that is cancelled ends its call at the next wait for the network."""

    def __init__(self, max_threads: int) -> None:
        self._executor = ThreadPoolExecutor(max_threads, thread_name_prefix="gleaner")

    async def call(self, function: Callable[..., Result], *args: Any, **options: Any) -> Result:
        """Returns the result of a call."""
        cancellation = Cancellation()
        try:
            return await self._run(_context_of(cancellation), partial(function, *args, **_with_loop(options)))
        except asyncio.CancelledError:
            cancellation.cancel()
            raise

    async def iterate(
        self, function: Callable[..., Iterator[Item]], *args: Any, **options: Any
    ) -> AsyncIterator[Item]:
        """Yields what the iterator of a call yields; it waits while the reader works."""
        cancellation = Cancellation()
        context = _context_of(cancellation)
        iterator = function(*args, **_with_loop(options))
        try:
            while True:
                items = await self._run(context, partial(_next_of, iterator))
                if not items:
                    return
                for item in items:
                    yield item
        finally:
            # A thread that still waits in the iterator ends it by itself.
            cancellation.cancel()
            with suppress(ValueError):
                cast("Any", iterator).close()

    def close(self) -> None:
        """Ends the threads when their calls have ended."""
        self._executor.shutdown(wait=False)

    async def _run(self, context: Context, function: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._executor, context.run, function)


class AsyncListing(Generic[Item]):
    """A list that is read page by page: iterate over it for all entries, or ask for one `page`."""

    def __init__(self, bridge: Bridge, listing: Listing[Item]) -> None:
        self._bridge = bridge
        self._listing = listing

    async def page(self) -> Page[Item]:
        """Returns the page that `limit` and `offset` name; without them the first."""
        return await self._bridge.call(self._listing.page)

    def __aiter__(self) -> AsyncIterator[Item]:
        return self._bridge.iterate(self._listing.__iter__)


def _next_of(iterator: Iterator[Item]) -> List[Item]:
    """Returns the items that have arrived together, to ask a thread once for all of them; nothing at the end."""
    if isinstance(iterator, Values):
        return iterator.batch()
    for item in iterator:
        return [item]
    return []


def _context_of(cancellation: Cancellation) -> Context:
    context = copy_context()
    context.run(set_cancellation, cancellation)
    return context


def _with_loop(options: Dict[str, Any]) -> Dict[str, Any]:
    """Returns the options, `on_away` so that it is called in the loop instead of the thread."""
    on_away = options.get("on_away")
    if on_away is None:
        return options
    loop = asyncio.get_running_loop()
    return {**options, "on_away": lambda error: loop.call_soon_threadsafe(on_away, error)}  # pyright: ignore
