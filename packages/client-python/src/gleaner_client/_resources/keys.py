"""API keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from .._caller import Caller, CallOptions, Input
from .._listing import Listing

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import CreateKeyBody, Key, ListKeysQuery, NewKey


class Keys:
    """API keys. All calls but `current` need an admin key."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: Optional[CreateKeyBody] = None, **options: Unpack[CallOptions]) -> NewKey:
        """Creates a key. The key itself is only in this answer."""
        return self._caller.call("createKey", Input(body=body or {}), **options)["key"]

    def list(self, query: Optional[ListKeysQuery] = None, **options: Unpack[CallOptions]) -> Listing[Key]:
        """Lists keys, newest first."""
        return Listing(self._caller, "listKeys", "keys", query, options)

    def current(self, **options: Unpack[CallOptions]) -> Key:
        """Returns the key of this client with its scopes; any key may ask."""
        return self._caller.call("getCurrentKey", **options)["key"]

    def revoke(self, id: str, **options: Unpack[CallOptions]) -> Key:
        """Revokes a key."""
        return self._caller.call("revokeKey", Input(path={"id": id}), **options)["key"]
