"""The asynchronous client: cancellation, many calls at once, streams."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
import unittest
from typing import Any, Dict, List

from gleaner_client import AsyncGleaner, Gleaner

from .raw_server import RawServer, respond
from .scripted_service import ScriptedService

USAGE: Dict[str, Any] = {"json": {"success": True, "usage": {"remaining": None}}}


class AsyncTest(unittest.TestCase):
    def test_a_task_that_is_cancelled_ends_its_connection(self) -> None:
        ended: List[bytes] = []
        asked = threading.Event()

        def answer(connection: Any) -> None:
            asked.set()
            ended.append(connection.recv(1))

        async def main(url: str) -> None:
            async with AsyncGleaner(url) as gleaner:
                call = asyncio.ensure_future(gleaner.usage())
                while not asked.is_set():
                    await asyncio.sleep(0.005)
                call.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await call
                while not ended:
                    await asyncio.sleep(0.005)

        with RawServer(answer) as server:
            asyncio.run(asyncio.wait_for(main(server.url), 30))
        self.assertEqual(ended, [b""])

    def test_a_task_that_is_cancelled_between_retries_sends_nothing_more(self) -> None:
        busy = {"status": 429, "error": {"code": "RATE_LIMITED"}, "headers": {"retry-after": "60"}}

        async def main(service: ScriptedService) -> None:
            async with AsyncGleaner(service.url) as gleaner:
                call = asyncio.ensure_future(gleaner.usage())
                while not service.received:
                    await asyncio.sleep(0.005)
                call.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await call

        with ScriptedService([busy, USAGE]) as service:
            asyncio.run(main(service))
            # The thread that slept ends at once, not when the service would take the next request.
            while any(thread.name.startswith("gleaner_") for thread in threading.enumerate()):
                time.sleep(0.005)
            self.assertEqual(len(service.received), 1)

    def test_a_reader_that_stops_closes_the_connection(self) -> None:
        ended: List[bytes] = []

        def answer(connection: Any) -> None:
            connection.sendall(b'HTTP/1.1 200 OK\r\n\r\n{"index": 0}\n')
            ended.append(connection.recv(1))

        async def main(url: str) -> None:
            async with AsyncGleaner(url) as gleaner:
                urls = gleaner.jobs.urls("job_1")
                async for item in urls:
                    self.assertEqual(item, {"index": 0})
                    break
                await urls.aclose()  # type: ignore[attr-defined]
                while not ended:
                    await asyncio.sleep(0.005)

        with RawServer(answer) as server:
            asyncio.run(asyncio.wait_for(main(server.url), 30))
        self.assertEqual(ended, [b""])

    def test_calls_run_at_once(self) -> None:
        together = threading.Barrier(20, timeout=30)

        def answer(connection: Any) -> None:
            together.wait()
            connection.sendall(respond(b'{"success": true, "usage": {}}'))

        async def main(url: str) -> List[Any]:
            async with AsyncGleaner(url) as gleaner:
                return await asyncio.gather(*(gleaner.usage() for _ in range(20)))

        with RawServer(answer) as server:
            self.assertEqual(asyncio.run(main(server.url)), [{}] * 20)

    def test_every_method_is_that_of_the_client_and_has_its_parameters(self) -> None:
        gleaner, asynchronous = Gleaner("http://127.0.0.1:9"), AsyncGleaner("http://127.0.0.1:9")
        resources = [name for name in vars(gleaner) if not name.startswith("_")]
        self.assertIn("channels", resources)
        for name in ("", *resources):
            one, other = (getattr(each, name) if name else each for each in (gleaner, asynchronous))
            methods = {
                key for key, value in inspect.getmembers(one, inspect.ismethod) if not key.startswith("_")
            }
            twins = {
                key for key, value in inspect.getmembers(other, inspect.ismethod) if not key.startswith("_")
            }
            self.assertEqual(methods, twins - {"close"})
            for method in methods:
                parameters = [inspect.signature(getattr(each, method)).parameters for each in (one, other)]
                self.assertEqual(*parameters)
        asynchronous.close()
