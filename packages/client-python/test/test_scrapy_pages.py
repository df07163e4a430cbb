"""Requests and responses of the download handler; `npm run check:scrapy` runs it in Scrapy itself."""

from __future__ import annotations

import unittest
from typing import Any, Dict, List, Optional, Tuple, cast

from gleaner_client import GleanerError
from gleaner_client._scrapy_pages import (
    HTML,
    PageRequest,
    may_retry,
    options_of,
    patience_of,
    response_of,
    response_of_error,
    scrape_of,
)
from gleaner_client.types import ScrapeRequest, ScrapeResponse

USUAL = {"user-agent": "Scrapy/2.8", "accept-language": "en"}


def page(
    method: str = "GET",
    headers: Optional[List[Tuple[str, str]]] = None,
    body: bytes = b"",
    timeout: Optional[float] = None,
) -> PageRequest:
    return PageRequest("https://a.test/", method, headers or [], body, timeout)


def scrape(request: Optional[PageRequest] = None, **options: Any) -> Dict[str, Any]:
    return cast("Dict[str, Any]", scrape_of(request or page(), options, USUAL))


class OptionsTest(unittest.TestCase):
    def test_are_those_of_the_request_over_those_of_the_settings(self) -> None:
        defaults = {"render": True, "onSuspect": "fail"}
        self.assertEqual(options_of(True, defaults), defaults)
        self.assertEqual(
            options_of({"render": None, "antiBot": True}, defaults), {"onSuspect": "fail", "antiBot": True}
        )
        for given in (None, False):
            self.assertIsNone(options_of(given, defaults))

    def test_are_refused_where_the_request_says_it_already(self) -> None:
        for given, part in (
            ({"url": "https://b.test/"}, "cannot have 'url'"),
            ({"headers": {}}, "cannot have 'headers'"),
            ({"json": 1}, "cannot have 'json'"),
            ("render", "must be True or a dictionary"),
        ):
            with self.assertRaises(GleanerError) as caught:
                options_of(given, {})
            self.assertEqual(caught.exception.code, "INVALID_OPTION")
            self.assertIn(part, caught.exception.message)


class ScrapeTest(unittest.TestCase):
    def test_asks_for_the_html_beside_what_the_options_ask_for(self) -> None:
        self.assertEqual(scrape(), {"url": "https://a.test/", "formats": ["html"]})
        self.assertEqual(scrape(formats=["markdown"])["formats"], ["markdown", "html"])
        part = {"type": "html", "include": "main"}
        self.assertEqual(scrape(formats=[part])["formats"], [part])
        self.assertNotIn("formats", scrape(download=True))

    def test_has_method_body_and_headers_of_the_request(self) -> None:
        headers = [
            *(
                ("User-Agent", "Scrapy/2.8"),
                ("Accept-Language", "de"),
                ("Accept-Encoding", "gzip"),
                ("Host", "b"),
            ),
            *(("X-A", "1"), ("X-A", "2"), ("Cookie", "a=1"), ("Cookie", "b=2")),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ]
        self.assertEqual(
            scrape(page("POST", headers, "q=ä".encode())),
            {
                "url": "https://a.test/",
                "method": "POST",
                "body": "q=ä",
                "headers": {
                    "accept-language": "de",
                    "x-a": "1, 2",
                    "cookie": "a=1; b=2",
                    "content-type": "application/x-www-form-urlencoded",
                },
                "formats": ["html"],
            },
        )
        with self.assertRaisesRegex(GleanerError, "UTF-8"):
            scrape(page("POST", body=b"\xff"))

    def test_leaves_the_cookies_to_a_profile(self) -> None:
        self.assertNotIn("headers", scrape(page(headers=[("Cookie", "a=1")]), profile="prof_1"))

    def test_has_the_time_of_the_request_within_what_the_service_takes(self) -> None:
        for seconds, milliseconds in ((15.5, 15_500), (180, 120_000), (0.01, 1000)):
            self.assertEqual(scrape(page(timeout=seconds))["timeout"], milliseconds)
        self.assertEqual(scrape(page(timeout=180), timeout=5000)["timeout"], 5000)
        self.assertEqual(patience_of(cast(ScrapeRequest, {"timeout": 5000})), 35)


class ResponseTest(unittest.TestCase):
    def test_is_the_page_with_its_status_and_its_last_url(self) -> None:
        metadata = {"finalUrl": "https://a.test/b", "statusCode": 203, "verdict": {"page": "content"}}
        scraped = {"formats": {"html": "<p>ü", "links": []}, "metadata": metadata, "warnings": []}
        given = response_of(cast(ScrapeResponse, scraped))
        self.assertEqual(given[:4], ("https://a.test/b", 203, HTML, "<p>ü".encode()))
        self.assertEqual(given.result, {"formats": {"links": []}, "metadata": metadata, "warnings": []})
        self.assertIn("html", scraped["formats"])

    def test_is_the_file_of_a_download_with_its_type(self) -> None:
        scraped = {
            "file": {"id": "fil_1", "contentType": "image/png"},
            "metadata": {"finalUrl": "https://a.test/", "statusCode": 200},
        }
        given = response_of(cast(ScrapeResponse, scraped), b"\x89PNG")
        self.assertEqual((given.content_type, given.body), ("image/png", b"\x89PNG"))


class ErrorTest(unittest.TestCase):
    def test_is_a_response_with_the_status_of_the_page(self) -> None:
        error = GleanerError(
            "Gone.", code="NOT_FOUND", source="target", target_status_code=410, verdict="error"
        )
        given = response_of_error(error, "https://a.test/")
        assert given is not None
        self.assertEqual(given[:4], ("https://a.test/", 410, HTML, b""))
        self.assertEqual(given.result["error"]["code"], "NOT_FOUND")
        self.assertEqual(given.result["metadata"], {"attempts": [], "verdict": {"page": "error"}})

    def test_is_no_response_where_the_page_answered_that_all_is_well(self) -> None:
        for source, status in (("target", 200), ("target", None), ("api", 404)):
            error = GleanerError("A wall.", code="BLOCKED", source=source, target_status_code=status)
            self.assertIsNone(response_of_error(error, "https://a.test/"))

    def test_may_pass_as_the_table_of_errors_says(self) -> None:
        get = cast(ScrapeRequest, {"url": "https://a.test/"})
        post = cast(ScrapeRequest, {"url": "https://a.test/", "method": "POST"})
        for code, source, is_sent, expected in (
            ("TIMEOUT", "target", True, (True, True)),
            ("SERVICE_UNAVAILABLE", "api", True, (True, True)),
            ("OUTCOME_UNKNOWN", "target", True, (False, False)),
            ("INVALID_REQUEST", "api", True, (False, False)),
            ("CONNECTION_FAILED", "client", False, (True, True)),
            # It may have arrived.
            ("CONNECTION_FAILED", "client", True, (True, False)),
            ("CLIENT_TIMEOUT", "client", True, (True, False)),
            ("INVALID_OPTION", "client", True, (False, False)),
        ):
            error = GleanerError("It failed.", code=code, source=source)
            error.was_sent = is_sent
            self.assertEqual((may_retry(error, get), may_retry(error, post)), expected, code)
