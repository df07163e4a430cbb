"""The bound on every wait of a call."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from contextvars import ContextVar
from typing import Optional

from ._error import GleanerError


class Cancelled(Exception):
    """Ends a call in the thread that makes it; the caller has gone."""


class Cancellation:
    """Ends a call from another thread, as the asynchronous client does when its task is cancelled."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self.socket: Optional[socket.socket] = None

    def cancel(self) -> None:
        """Ends the wait that the call is in."""
        self._event.set()
        current = self.socket
        if current is not None:
            with suppress(OSError):
                current.shutdown(socket.SHUT_RDWR)

    def check(self) -> None:
        """Raises `Cancelled` when the call has been cancelled."""
        if self._event.is_set():
            raise Cancelled

    def sleep(self, seconds: float) -> None:
        """Returns after this time, and raises `Cancelled` before it when the call is cancelled."""
        self._event.wait(seconds)
        self.check()


_CURRENT: ContextVar[Optional[Cancellation]] = ContextVar("gleaner_cancellation", default=None)


def set_cancellation(cancellation: Cancellation) -> None:
    """Makes the calls of this context end with the cancellation."""
    _CURRENT.set(cancellation)


def current_cancellation() -> Cancellation:
    """Returns the cancellation of this context."""
    return _CURRENT.get() or Cancellation()


class Bound:
    """Ends a call when its time has run out or it is cancelled."""

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self.cancellation = current_cancellation()
        self._ends_at = 0.0
        self.restart()

    def restart(self) -> None:
        """Starts the time again, as for the next part of a stream."""
        self._ends_at = time.monotonic() + self.timeout

    @property
    def left(self) -> float:
        """Seconds that are left; negative after the end."""
        return self._ends_at - time.monotonic()

    def remaining(self) -> float:
        """Returns the seconds that are left for a wait; raises CLIENT_TIMEOUT when there are none."""
        self.cancellation.check()
        seconds = self.left
        if seconds <= 0:
            raise self.timed_out()
        return seconds

    def sleep(self, seconds: float) -> None:
        """Waits within the bound."""
        self.cancellation.sleep(min(seconds, max(0.0, self.left)))
        self.remaining()

    def timed_out(self) -> GleanerError:
        """Returns the error of a call whose time has run out."""
        return GleanerError(
            f"The service did not answer within {self.timeout:g} s.",
            code="CLIENT_TIMEOUT",
            suggestion="Raise timeout, or check how busy the service is.",
        )
