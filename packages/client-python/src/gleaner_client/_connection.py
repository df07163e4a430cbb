"""One request over one connection: http.client over sockets that keep the bound of the call."""

from __future__ import annotations

import http.client
import io
import queue
import socket
import ssl
import threading
from base64 import b64encode
from typing import Any, BinaryIO, Iterator, List, Mapping, NamedTuple, Optional, Tuple, cast

from ._bound import Bound
from ._error import GleanerError

_CHUNK_BYTES = 64 * 1024
_MAX_PROXY_HEAD_BYTES = 16 * 1024


class Origin(NamedTuple):
    """Scheme, host and port of a service or a proxy, and the credentials of a proxy."""

    scheme: str
    host: str
    port: int
    authorization: Optional[str] = None

    @property
    def netloc(self) -> str:
        """Host and port as in a URL."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


_PORTS: Mapping[str, int] = {"http": 80, "https": 443}


def basic_authorization(username: str, password: str) -> str:
    """Returns the header value of a name and a password."""
    return "Basic " + b64encode(f"{username}:{password}".encode()).decode("ascii")


class Request(NamedTuple):
    """Everything that is sent once."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: Optional[bytes]


class NotConnected(OSError):
    """No connection was made: the service cannot have seen the request."""


class Response:
    """A response whose body is still to be read."""

    def __init__(self, raw: http.client.HTTPResponse, sock: _BoundSocket, bound: Bound) -> None:
        self._raw = raw
        self._socket = sock
        self.bound = bound
        self.status = raw.status
        self.headers: Mapping[str, str] = cast("Mapping[str, str]", raw.headers)

    def chunks(self) -> Iterator[bytes]:
        """Yields the parts of the body as they arrive, each wait within the bound, and closes the connection."""
        try:
            while True:
                self.bound.restart()
                chunk = self._read_some()
                if not chunk:
                    return
                yield chunk
        finally:
            self.close()

    def read(self, max_bytes: int) -> bytes:
        """Returns the whole body within the bound; raises ValueError when it is longer than this."""
        parts: List[bytes] = []
        length = 0
        try:
            while True:
                chunk = self._read_some()
                if not chunk:
                    return b"".join(parts)
                parts.append(chunk)
                length += len(chunk)
                if length > max_bytes:
                    raise ValueError(f"The body is longer than {max_bytes} bytes.")
        finally:
            self.close()

    def close(self) -> None:
        """Closes the connection."""
        try:
            self._raw.close()
        finally:
            self._socket.end()

    def _read_some(self) -> bytes:
        chunk = self._raw.read1(_CHUNK_BYTES)
        # http.client reports a body that is cut short only where it is chunked.
        if not chunk and self._raw.length:
            raise http.client.IncompleteRead(b"", self._raw.length)
        return chunk


def send(
    origin: Origin, request: Request, bound: Bound, proxy: Optional[Origin], tls: Optional[ssl.SSLContext]
) -> Response:
    """Sends a request and returns the response as soon as its headers are there. Follows no redirects."""
    sock = _BoundSocket(_connect(proxy or origin, bound), bound)
    try:
        target = request.target
        headers = dict(request.headers)
        if proxy is not None and origin.scheme == "https":
            _open_tunnel(sock, origin, proxy)
        elif proxy is not None:
            target = f"http://{origin.netloc}{target}"
            if proxy.authorization is not None:
                headers["proxy-authorization"] = proxy.authorization
        if origin.scheme == "https":
            sock.start_tls(tls or ssl.create_default_context(), origin.host)
        connection = http.client.HTTPConnection(origin.host, origin.port)
        connection.auto_open = 0
        connection.sock = cast("Any", sock)
        connection.request(request.method, target, request.body, {"host": origin.netloc, **headers})
        return Response(connection.getresponse(), sock, bound)
    except BaseException:
        sock.end()
        raise


class _BoundSocket:
    """The part of a socket that http.client uses; no wait is longer than the bound."""

    def __init__(self, raw: socket.socket, bound: Bound) -> None:
        self._raw = raw
        self._bound = bound
        bound.cancellation.socket = raw

    def start_tls(self, context: ssl.SSLContext, host: str) -> None:
        """Speaks TLS from here on."""
        self._raw.settimeout(self._bound.remaining())
        self._raw = context.wrap_socket(self._raw, server_hostname=host)
        self._bound.cancellation.socket = self._raw

    def sendall(self, data: bytes) -> None:
        """Sends all of it within the bound."""
        self._raw.settimeout(self._bound.remaining())
        self._raw.sendall(data)

    def recv_into(self, buffer: Any) -> int:
        """Receives once within the bound."""
        self._raw.settimeout(self._bound.remaining())
        return self._raw.recv_into(buffer)

    def makefile(self, *_args: Any, **_options: Any) -> BinaryIO:
        """Returns the reader that http.client asks for."""
        return cast("BinaryIO", io.BufferedReader(_Reader(self), _CHUNK_BYTES))

    def close(self) -> None:
        """Does nothing: http.client closes its socket before the body has been read. `end` closes it."""

    def end(self) -> None:
        """Closes the socket."""
        if self._bound.cancellation.socket is self._raw:
            self._bound.cancellation.socket = None
        self._raw.close()


class _Reader(io.RawIOBase):
    def __init__(self, sock: _BoundSocket) -> None:
        super().__init__()
        self._socket = sock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._socket.recv_into(buffer)


_Address = Tuple[Any, ...]


def _connect(origin: Origin, bound: Bound) -> socket.socket:
    """Connects to the first address that answers; every address gets an equal share of the time that is left."""
    try:
        addresses = _resolve(origin, bound)
    except OSError as error:
        raise NotConnected(*error.args) from error
    last: OSError = NotConnected(f"{origin.host} has no address")
    for index, (family, kind, protocol, address) in enumerate(addresses):
        bound.cancellation.check()
        raw = socket.socket(family, kind, protocol)
        try:
            bound.cancellation.socket = raw
            raw.settimeout(bound.remaining() / (len(addresses) - index))
            raw.connect(address)
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return raw
        except OSError as error:
            raw.close()
            last = error
        except BaseException:
            raw.close()
            raise
    raise NotConnected(*last.args) from last


def _resolve(origin: Origin, bound: Bound) -> List[Tuple[int, int, int, _Address]]:
    """Resolves a name. The resolver of the system knows no timeout, so that it runs in a thread of its own."""
    results: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def resolve() -> None:
        try:
            results.put(socket.getaddrinfo(origin.host, origin.port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            results.put(error)

    threading.Thread(target=resolve, name="gleaner-resolve", daemon=True).start()
    try:
        found = results.get(timeout=bound.remaining())
    except queue.Empty:
        raise bound.timed_out() from None
    if isinstance(found, UnicodeError):
        raise socket.gaierror(socket.EAI_NONAME, f"{origin.host} is not a valid name") from found
    if isinstance(found, OSError):
        raise found
    return [(family, kind, protocol, address) for family, kind, protocol, _name, address in found]


def _open_tunnel(sock: _BoundSocket, origin: Origin, proxy: Origin) -> None:
    """Asks a proxy for a connection to the service, to which TLS is spoken."""
    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    lines = [f"CONNECT {host}:{origin.port} HTTP/1.1", f"Host: {host}:{origin.port}"]
    if proxy.authorization is not None:
        lines.append(f"Proxy-Authorization: {proxy.authorization}")
    sock.sendall("\r\n".join([*lines, "", ""]).encode("ascii"))
    head = bytearray()
    byte = bytearray(1)
    while not head.endswith(b"\r\n\r\n"):
        if sock.recv_into(byte) == 0 or len(head) > _MAX_PROXY_HEAD_BYTES:
            raise NotConnected("the proxy closed the connection")
        head += byte
    status = head.split(b"\r\n", 1)[0].decode("latin-1")
    if status.split(" ")[1:2] != ["200"]:
        raise GleanerError(
            f"The proxy {proxy.netloc} did not connect to {origin.netloc}: {status}.",
            code="CONNECTION_FAILED",
            suggestion="Check the address and the credentials of the proxy.",
        )
