"""A server that sends scripted bytes, however malformed."""

from __future__ import annotations

import socket
import ssl
import threading
from typing import Any, Callable, List, Optional


class RawServer:
    """Reads the head of each request, then calls `answer` with the connection; the bytes that came are in `received`."""

    def __init__(self, answer: Callable[[socket.socket], None], tls: Optional[ssl.SSLContext] = None) -> None:
        self.received: List[bytes] = []
        self._answer = answer
        self._tls = tls
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.url = f"{'http' if tls is None else 'https'}://127.0.0.1:{self.port}"
        self._open: List[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> RawServer:
        return self

    def __exit__(self, *_: Any) -> None:
        self._listener.close()
        for connection in self._open:
            connection.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
                self._open.append(connection)
            head = b""
            while b"\r\n\r\n" not in head:
                data = connection.recv(65536)
                if not data:
                    return
                head += data
            self.received.append(head)
            self._answer(connection)
        except OSError:
            pass


def respond(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """Returns a response with a length."""
    lines = [f"HTTP/1.1 {status}", f"content-length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body
