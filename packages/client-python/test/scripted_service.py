"""A service that sends scripted answers and records the requests."""

from __future__ import annotations

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, Optional


class ScriptedService:
    """Answers requests on loopback with the answers in their order; see `Answer` in packages/client/test/cases.test.ts."""

    def __init__(self, answers: List[Dict[str, Any]], names: Optional[Dict[str, str]] = None) -> None:
        self.received: List[Dict[str, Any]] = []
        self._answers = answers
        self._names = names or {}
        self._lock = threading.Lock()
        self._is_closing = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self) -> None:
                self.raw_requestline = self.rfile.readline(65537)
                if not self.raw_requestline or not self.parse_request():
                    self.close_connection = True
                    return
                service._answer(self)
                self.close_connection = True

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()

    def __enter__(self) -> ScriptedService:
        return self

    def __exit__(self, *_: Any) -> None:
        self._is_closing.set()
        self._server.shutdown()
        self._server.server_close()

    def fill(self, text: str) -> str:
        """Replaces the names of other services by their addresses."""
        for name, value in self._names.items():
            text = text.replace("{" + name + "}", value)
        return text

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        with self._lock:
            index = len(self.received)
            one = {"method": handler.command, "path": handler.path, "headers": headers, "body": body}
            self.received.append(one)
        self._send(handler, self._answers[index] if index < len(self._answers) else {"end": "break"})

    def _send(self, handler: BaseHTTPRequestHandler, answer: Dict[str, Any]) -> None:
        end = answer.get("end")
        body = body_of(answer)
        if body or "text" in answer or end is None:
            handler.send_response_only(answer.get("status", 200))
            headers = {"content-type": "application/json"} if {"json", "error"} & answer.keys() else {}
            for name, value in {**headers, **answer.get("headers", {})}.items():
                handler.send_header(name, self.fill(value))
            handler.send_header("connection", "close")
            if answer.get("status") != 204:
                handler.send_header("transfer-encoding", "chunked")
            handler.end_headers()
        pieces = [bytes([byte]) for byte in body] if answer.get("byByte") else [body] if body else []
        for piece in pieces:
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        if end == "hang":
            self._is_closing.wait(60)
        elif end is None and answer.get("status") != 204:
            handler.wfile.write(b"0\r\n\r\n")


def body_of(answer: Dict[str, Any]) -> bytes:
    """Returns the bytes of the body of an answer."""
    if "json" in answer:
        return json.dumps(answer["json"]).encode()
    if "error" in answer:
        code = answer["error"]["code"]
        usual = {"source": "api", "message": f"{code} happened.", "suggestion": "Wait.", "requestId": "req_1"}
        return json.dumps({"success": False, "error": {**usual, **answer["error"]}}).encode()
    lines = [
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in answer.get("lines", [])
    ]
    events = [
        f"event: {each['event']}\nid: {each['id']}\ndata: {json.dumps(each['data'])}\n\n"
        for each in answer.get("events", [])
    ]
    return "".join([*lines, *events, answer.get("text", "")]).encode()


def free_port() -> int:
    """Returns a port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
