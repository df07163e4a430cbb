"""Profiles: sessions that are signed in once and used by many pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from .._caller import Caller, CallOptions, Input
from .._listing import Listing

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import CreateProfileBody, ListProfilesQuery, Profile, StorageState, UpdateProfileBody


class Profiles:
    """Profiles: sessions that are signed in once and used by many pages."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: CreateProfileBody, **options: Unpack[CallOptions]) -> Profile:
        """Creates a profile; its login, if it has one, begins at once."""
        return self._caller.call("createProfile", Input(body=body), **options)["profile"]

    def list(
        self, query: Optional[ListProfilesQuery] = None, **options: Unpack[CallOptions]
    ) -> Listing[Profile]:
        """Lists profiles, newest first."""
        return Listing(self._caller, "listProfiles", "profiles", query, options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> Profile:
        """Returns a profile."""
        return self._caller.call("getProfile", Input(path={"id": id}), **options)["profile"]

    def update(self, id: str, body: UpdateProfileBody, **options: Unpack[CallOptions]) -> Profile:
        """Changes a profile, or uploads a new state."""
        return self._caller.call("updateProfile", Input(path={"id": id}, body=body), **options)["profile"]

    def delete(self, id: str, **options: Unpack[CallOptions]) -> None:
        """Deletes a profile with its state."""
        self._caller.call("deleteProfile", Input(path={"id": id}), **options)

    def login(self, id: str, **options: Unpack[CallOptions]) -> Profile:
        """Begins a login; `status` of the profile tells when it is done."""
        return self._caller.call("loginProfile", Input(path={"id": id}), **options)["profile"]

    def state(self, id: str, **options: Unpack[CallOptions]) -> StorageState:
        """Returns the state of a profile as Playwright's `storageState`; needs an admin key."""
        return self._caller.call("getProfileState", Input(path={"id": id}), **options)["storageState"]
