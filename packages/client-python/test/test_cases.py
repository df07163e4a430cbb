"""The cases that both clients pass: packages/client/test/cases.json, with the synchronous and the asynchronous client."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import unittest
from pathlib import Path
from typing import Any, Dict, List, Optional

from gleaner_client import AsyncGleaner, Gleaner, GleanerError, verify_webhook
from gleaner_client._caller import decide_retry

from .scripted_service import ScriptedService, free_port

CASES: Dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "client" / "test" / "cases.json").read_text(encoding="utf-8")
)
SNAKE = re.compile(r"(?<=[a-z])([A-Z])")


def snake(name: str) -> str:
    """Returns the name that a method, an option or a field has in Python."""
    return SNAKE.sub(lambda match: "_" + match[1].lower(), name)


def seconds(fields: Dict[str, Any]) -> Dict[str, Any]:
    """Returns fields by their names in Python, which has times in seconds where the cases have milliseconds."""
    return {
        snake(name[:-2] if name.endswith("Ms") else name): value / 1000
        if name.endswith("Ms") and value is not None
        else value
        for name, value in fields.items()
    }


class Outcome:
    """Result of a call."""

    def __init__(self) -> None:
        self.yielded: List[Any] = []
        self.returned: Any = None
        self.error: Optional[GleanerError] = None
        self.away: List[str] = []


def options_of(case: Dict[str, Any], outcome: Outcome) -> Dict[str, Any]:
    options = seconds(case.get("options", {}))
    if "away" in case:
        options["on_away"] = lambda error: outcome.away.append(error.code)
    return options


def settings_of(case: Dict[str, Any], url: str) -> Dict[str, Any]:
    settings = seconds(case.get("client", {}))
    path = settings.pop("path", "")
    return {"url": url + path, **settings}


def method_of(client: Any, case: Dict[str, Any]) -> Any:
    for name in case["call"].split("."):
        client = getattr(client, snake(name))
    return client


def call(case: Dict[str, Any], url: str) -> Outcome:
    outcome = Outcome()
    try:
        client = Gleaner(**settings_of(case, url))
        result = method_of(client, case)(*case["arguments"], **options_of(case, outcome))
        if "yields" in case:
            for item in result:
                outcome.yielded.append(item)
        elif "page" in case:
            outcome.returned = vars(result.page())
        elif "bytes" in case:
            outcome.returned = result if isinstance(result, bytes) else b"".join(result)
        else:
            outcome.returned = result
    except GleanerError as error:
        outcome.error = error
    return outcome


async def call_async(case: Dict[str, Any], url: str) -> Outcome:
    outcome = Outcome()
    try:
        async with AsyncGleaner(**settings_of(case, url)) as client:
            result = method_of(client, case)(*case["arguments"], **options_of(case, outcome))
            if "yields" in case:
                async for item in result:
                    outcome.yielded.append(item)
            elif "page" in case:
                outcome.returned = vars(await result.page())
            elif inspect.isawaitable(result):
                outcome.returned = await result
            else:
                outcome.returned = b"".join([chunk async for chunk in result])
    except GleanerError as error:
        outcome.error = error
    return outcome


class CallCases(unittest.TestCase):
    """Calls of the synchronous client."""

    def perform(self, case: Dict[str, Any], url: str) -> Outcome:
        return call(case, url)

    def check(self, case: Dict[str, Any]) -> None:
        answers = case["answers"]
        with ScriptedService([]) as other, ScriptedService(answers or [], {"other": other.url}) as service:
            outcome = self.perform(
                case, f"http://127.0.0.1:{free_port()}" if answers is None else service.url
            )
            self.assert_error(case, outcome.error, service)
            if "yields" in case:
                self.assert_like(outcome.yielded, case["yields"])
            for field in ("returns", "page"):
                if field in case:
                    self.assert_like(outcome.returned, case[field])
            if "bytes" in case:
                self.assertEqual(outcome.returned, case["bytes"].encode())
            self.assertEqual(outcome.away, case.get("away", []))
            self.assertEqual(other.received, [])
            self.assert_requests(case, service.received)

    def assert_error(
        self, case: Dict[str, Any], error: Optional[GleanerError], service: ScriptedService
    ) -> None:
        if "fails" not in case:
            if error is not None:
                raise error
            return
        self.assertIsNotNone(error)
        for field, value in seconds(case["fails"]).items():
            self.assertEqual((field, getattr(error, field)), (field, value))
        self.assertIn(service.fill(case.get("says", "")), error.message if error else "")

    def assert_requests(self, case: Dict[str, Any], received: List[Dict[str, Any]]) -> None:
        if "requests" not in case:
            return
        self.assertEqual(len(received), len(case["requests"]), received)
        for request, expected in zip(received, case["requests"]):
            for field in ("method", "path"):
                self.assertEqual(request[field], expected.get(field, request[field]))
            for name, value in expected.get("headers", {}).items():
                self.assertEqual((name, request["headers"].get(name)), (name, value))
            if "json" in expected:
                self.assertEqual(json.loads(request["body"]), expected["json"])
        if "same" in case:
            values = {request["headers"].get(case["same"]) for request in received}
            self.assertEqual(len(values), 1)
            self.assertRegex(values.pop() or "", r"^[\w-]{36}$")

    def assert_like(self, value: Any, expected: Any) -> None:
        """Fails unless the value has at least the fields that are expected."""
        if isinstance(expected, dict):
            for name, each in expected.items():
                self.assert_like(value[name], each)
        elif isinstance(expected, list):
            self.assertEqual(len(value), len(expected), value)
            for one, other in zip(value, expected):
                self.assert_like(one, other)
        else:
            self.assertEqual(value, expected)


class AsyncCallCases(CallCases):
    """The same calls of the asynchronous client."""

    def perform(self, case: Dict[str, Any], url: str) -> Outcome:
        return asyncio.run(call_async(case, url))


class RetryCases(unittest.TestCase):
    """Decisions whether a call is repeated."""

    def check(self, case: Dict[str, Any]) -> None:
        fields = seconds(case["error"])
        was_sent = fields.pop("was_sent", True)
        error = GleanerError("x", **fields)
        error.was_sent = was_sent
        attempt = {
            **CASES["retryDefaults"],
            **{name: each for name, each in case.items() if name not in SPECIAL},
        }
        delay = decide_retry(error, **seconds(attempt))
        self.assertEqual(None if delay is None else round(delay * 1000, 6), case["delayMs"])


SPECIAL = {"name", "error", "delayMs"}


class WebhookCases(unittest.TestCase):
    """Signatures of webhooks."""

    def check(self, case: Dict[str, Any]) -> None:
        options = seconds({name: case[name] for name in ("nowMs", "toleranceSeconds") if name in case})
        for body in (case["body"], case["body"].encode()):
            try:
                event = verify_webhook(body, case["headers"], case["secrets"], **options)
                self.assertEqual(event["type"], case.get("type"))
                self.assertEqual(event, json.loads(case["body"]))
            except GleanerError as error:
                self.assertEqual(error.code, case.get("fails"), error)


def add_tests(suite: type, cases: List[Dict[str, Any]]) -> None:
    """Adds a test for each case, so that it counts as one and can be run alone."""
    for case in cases:
        name = "test_" + re.sub(r"\W+", "_", case["name"])
        assert not hasattr(suite, name), name
        setattr(suite, name, lambda self, case=case: self.check(case))


add_tests(CallCases, CASES["calls"])
add_tests(RetryCases, CASES["retries"])
add_tests(WebhookCases, CASES["webhooks"])
