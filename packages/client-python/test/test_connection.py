"""Bounds on a service that does not behave, proxies and TLS."""

from __future__ import annotations

import os
import selectors
import socket
import ssl
import time
import unittest
from pathlib import Path
from typing import Any, Callable
from unittest.mock import patch

from gleaner_client import Gleaner, GleanerError

from .raw_server import RawServer, respond
from .scripted_service import ScriptedService

CERTIFICATE = str(Path(__file__).with_name("loopback.pem"))
"""A certificate of 127.0.0.1 for a hundred years, and its key, which is good for nothing else."""
USAGE = b'{"success": true, "usage": {"remaining": null}}'


class ConnectionTest(unittest.TestCase):
    def fails(self, code: str, call: Callable[[], Any]) -> GleanerError:
        with self.assertRaises(GleanerError) as caught:
            call()
        self.assertEqual(caught.exception.code, code, caught.exception)
        return caught.exception

    def test_a_name_with_a_unit_is_refused_with_the_name_without_it(self) -> None:
        gleaner = Gleaner("http://127.0.0.1:9")
        old: dict[str, Any] = {"timeout_ms": 400}
        first: dict[str, Any] = {"first_event_ms": 400}
        for call, name in (
            (lambda: Gleaner("http://127.0.0.1:9", **old), "timeout"),
            (lambda: gleaner.usage(**old), "timeout"),
            (lambda: gleaner.jobs.watch("job_1", **first), "first_event"),
        ):
            with self.assertRaises(TypeError) as caught:
                call()
            self.assertIn(f"it is called {name!r}, in seconds", str(caught.exception))

    def test_a_head_that_arrives_byte_by_byte_does_not_extend_the_bound(self) -> None:
        def drip(connection: socket.socket) -> None:
            connection.sendall(b"HTTP/1.1 200 OK\r\n")
            while True:
                connection.sendall(b"x")
                time.sleep(0.05)

        with RawServer(drip) as server:
            self.fails("CLIENT_TIMEOUT", lambda: Gleaner(server.url, timeout=0.4).usage())

    def test_a_body_that_arrives_byte_by_byte_does_not_extend_the_bound(self) -> None:
        def drip(connection: socket.socket) -> None:
            connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
            while True:
                connection.sendall(b" ")
                time.sleep(0.05)

        with RawServer(drip) as server:
            self.fails("CLIENT_TIMEOUT", lambda: Gleaner(server.url, timeout=0.4).usage())

    def test_trailers_without_end_do_not_extend_the_bound(self) -> None:
        def drip(connection: socket.socket) -> None:
            connection.sendall(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n")
            while True:
                connection.sendall(b"a: b\r\n")
                time.sleep(0.05)

        with RawServer(drip) as server:
            self.fails("CLIENT_TIMEOUT", lambda: Gleaner(server.url, timeout=0.4).usage())

    def test_an_endless_error_is_not_read_to_its_end(self) -> None:
        def flood(connection: socket.socket) -> None:
            connection.sendall(b"HTTP/1.1 500 Oops\r\n\r\n")
            while True:
                connection.sendall(b"x" * 65536)

        with RawServer(flood) as server:
            error = self.fails("CONNECTION_FAILED", lambda: Gleaner(server.url, max_retries=0).usage())
            self.assertIn("longer than", error.message)

    def test_an_endless_answer_is_not_read_to_its_end(self) -> None:
        def flood(connection: socket.socket) -> None:
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                connection.sendall(b"x" * 65536)

        with RawServer(flood) as server, patch("gleaner_client._caller._MAX_BODY_BYTES", 1024 * 1024):
            error = self.fails("CONNECTION_FAILED", lambda: Gleaner(server.url, max_retries=0).usage())
            self.assertIn("longer than", error.message)

    def test_an_endless_line_is_not_kept(self) -> None:
        def flood(connection: socket.socket) -> None:
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                connection.sendall(b"x" * 65536)

        with RawServer(flood) as server, patch("gleaner_client._lines._MAX_LINE_BYTES", 1024 * 1024):
            self.fails("STREAM_CUT", lambda: list(Gleaner(server.url).jobs.urls("job_1")))

    def test_what_is_not_http_is_a_failed_connection(self) -> None:
        for answer in (
            b"SSH-2.0-OpenSSH_9.2\r\n",
            b"HTTP/1.1 20O OK\r\n\r\n",
            b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200,
        ):
            with (
                self.subTest(answer=answer[:20]),
                RawServer(
                    lambda connection, answer=answer: (connection.sendall(answer), connection.close())
                ) as server,
            ):
                gleaner = Gleaner(server.url, max_retries=0)
                self.fails("CONNECTION_FAILED", gleaner.usage)

    def test_json_that_is_nested_too_deep_is_not_an_answer(self) -> None:
        deep = b"[" * 200_000
        with RawServer(lambda connection: connection.sendall(respond(deep))) as server:
            self.fails("INVALID_RESPONSE", lambda: Gleaner(server.url).usage())
            self.fails("STREAM_CUT", lambda: list(Gleaner(server.url).jobs.urls("job_1")))

    def test_a_body_that_is_shorter_than_it_says_is_cut(self) -> None:
        cut = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n" + b'{"index": 0}\n'

        def answer(connection: socket.socket) -> None:
            connection.sendall(cut)
            connection.close()

        with RawServer(answer) as server:
            urls = Gleaner(server.url).jobs.urls("job_1")
            self.assertEqual(next(urls), {"index": 0})
            self.fails("STREAM_CUT", lambda: next(urls))

    def test_a_reader_that_stops_closes_the_connection(self) -> None:
        ended = []

        def answer(connection: socket.socket) -> None:
            connection.sendall(b'HTTP/1.1 200 OK\r\n\r\n{"index": 0}\n')
            ended.append(connection.recv(1))

        with RawServer(answer) as server:
            for _ in Gleaner(server.url).jobs.urls("job_1"):
                break
            deadline = time.monotonic() + 30
            while not ended and time.monotonic() < deadline:
                time.sleep(0.01)
        self.assertEqual(ended, [b""])

    def test_bodies_and_headers_that_cannot_be_sent_are_refused(self) -> None:
        gleaner = Gleaner("http://127.0.0.1:9")
        for body in ({"url": object()}, {"url": float("nan")}):
            self.fails("INVALID_OPTION", lambda body=body: gleaner.scrape(body))  # type: ignore[arg-type]
        injected = {"idempotency_key": "a\r\nx: y"}
        self.fails("INVALID_OPTION", lambda: gleaner.jobs.create({"urls": []}, **injected))  # type: ignore[arg-type]
        self.fails("INVALID_OPTION", lambda: Gleaner("http://127.0.0.1:9", headers={"a b": "c"}))
        self.fails("INVALID_OPTION", lambda: Gleaner("http://127.0.0.1:9", proxy="socks5://127.0.0.1:9"))
        with self.assertRaises(TypeError):
            gleaner.usage(wait=3)  # type: ignore[call-arg]

    def test_a_lone_surrogate_is_sent_as_json_escapes_it(self) -> None:
        with ScriptedService([{"json": {"success": True, "data": {}}}]) as service:
            Gleaner(service.url).scrape({"url": "https://a.test/\ud800"})
            self.assertEqual(service.received[0]["body"], rb'{"url":"https://a.test/\ud800"}')

    def test_proxies_of_the_environment_are_ignored(self) -> None:
        with RawServer(lambda connection: connection.sendall(respond(USAGE))) as server:
            environment = dict.fromkeys(("http_proxy", "HTTP_PROXY", "all_proxy"), "http://127.0.0.1:9")
            with patch.dict(os.environ, environment):
                self.assertEqual(Gleaner(server.url).usage(), {"remaining": None})

    def test_a_proxy_that_is_asked_for_gets_the_request(self) -> None:
        with RawServer(lambda connection: connection.sendall(respond(USAGE))) as proxy:
            gleaner = Gleaner(
                "http://gleaner.test/api", "gl_1", proxy=f"http://me:p%40ss@127.0.0.1:{proxy.port}"
            )
            self.assertEqual(gleaner.usage(), {"remaining": None})
            head = proxy.received[0].decode()
            self.assertTrue(head.startswith("GET http://gleaner.test/api/v1/usage HTTP/1.1\r\n"), head)
            self.assertIn("\r\nhost: gleaner.test\r\n", head)
            self.assertIn("\r\nproxy-authorization: Basic bWU6cEBzcw==\r\n", head)

    def test_a_proxy_sees_nothing_of_a_request_over_tls(self) -> None:
        with RawServer(lambda connection: connection.sendall(b"HTTP/1.1 407 Who\r\n\r\n")) as proxy:
            gleaner = Gleaner(
                "https://gleaner.test", "gl_secret", proxy=f"http://127.0.0.1:{proxy.port}", max_retries=0
            )
            error = self.fails("CONNECTION_FAILED", gleaner.usage)
            self.assertIn("407", error.message)
            self.assertTrue(proxy.received[0].startswith(b"CONNECT gleaner.test:443 HTTP/1.1\r\n"))
            self.assertNotIn(b"gl_secret", proxy.received[0])


class TlsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(CERTIFICATE)

    def test_a_certificate_that_is_not_trusted_gets_no_request(self) -> None:
        with RawServer(lambda connection: connection.sendall(respond(USAGE)), self.context) as server:
            with self.assertRaises(GleanerError) as caught:
                Gleaner(server.url, "gl_secret", max_retries=0).usage()
            self.assertEqual(caught.exception.code, "CONNECTION_FAILED")
            self.assertIn("CERTIFICATE_VERIFY_FAILED", caught.exception.message)
            self.assertEqual(server.received, [])

    def test_a_certificate_of_ones_own_can_be_trusted(self) -> None:
        trusted = ssl.create_default_context(cafile=CERTIFICATE)
        with RawServer(lambda connection: connection.sendall(respond(USAGE)), self.context) as server:
            self.assertEqual(Gleaner(server.url, ssl_context=trusted).usage(), {"remaining": None})
            self.assertIn(b"GET /v1/usage HTTP/1.1", server.received[0])

    def test_tls_goes_through_a_proxy_that_is_asked_for(self) -> None:
        trusted = ssl.create_default_context(cafile=CERTIFICATE)
        with RawServer(lambda connection: connection.sendall(respond(USAGE)), self.context) as server:

            def tunnel(connection: socket.socket) -> None:
                connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
                with socket.create_connection(("127.0.0.1", server.port)) as far:
                    relay(connection, far)

            with RawServer(tunnel) as proxy:
                gleaner = Gleaner(server.url, proxy=proxy.url, ssl_context=trusted)
                self.assertEqual(gleaner.usage(), {"remaining": None})


def relay(near: socket.socket, far: socket.socket) -> None:
    """Copies bytes both ways until one side ends."""
    with selectors.DefaultSelector() as selector:
        for one, other in ((near, far), (far, near)):
            selector.register(one, selectors.EVENT_READ, other)
        while True:
            for key, _ in selector.select():
                data = key.fileobj.recv(65536)  # type: ignore[union-attr]
                if not data:
                    return
                key.data.sendall(data)
