"""Secrets that steps of `actions` write into fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from .._caller import Caller, CallOptions, Input

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import PutSecretBody, Secret


class Secrets:
    """Secrets that steps of `actions` write into fields. All calls need an admin key."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def put(self, name: str, body: PutSecretBody, **options: Unpack[CallOptions]) -> Secret:
        """Stores a secret, or replaces its value."""
        return self._caller.call("putSecret", Input(path={"name": name}, body=body), **options)["secret"]

    def list(self, **options: Unpack[CallOptions]) -> List[Secret]:
        """Lists the secrets, without their values."""
        return self._caller.call("listSecrets", **options)["secrets"]

    def delete(self, name: str, **options: Unpack[CallOptions]) -> None:
        """Deletes a secret."""
        self._caller.call("deleteSecret", Input(path={"name": name}), **options)
