"""Channels by which rules of schedules tell people."""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from .._caller import Caller, CallOptions, Input

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import Channel, CreateChannelRequest, Delivery, UpdateChannelBody


class Channels:
    """Channels by which rules of schedules tell people: email, chats, and endpoints of your own."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: CreateChannelRequest, **options: Unpack[CallOptions]) -> Channel:
        """Creates a channel."""
        return self._caller.call("createChannel", Input(body=body), **options)["channel"]

    def list(self, **options: Unpack[CallOptions]) -> List[Channel]:
        """Lists the channels by name; their addresses are cut where they hold a secret."""
        return self._caller.call("listChannels", **options)["channels"]

    def get(self, id: str, **options: Unpack[CallOptions]) -> Channel:
        """Returns a channel."""
        return self._caller.call("getChannel", Input(path={"id": id}), **options)["channel"]

    def update(self, id: str, body: UpdateChannelBody, **options: Unpack[CallOptions]) -> Channel:
        """Changes the name or the address of a channel."""
        return self._caller.call("updateChannel", Input(path={"id": id}, body=body), **options)["channel"]

    def delete(self, id: str, **options: Unpack[CallOptions]) -> None:
        """Deletes a channel."""
        self._caller.call("deleteChannel", Input(path={"id": id}), **options)

    def test(self, id: str, **options: Unpack[CallOptions]) -> Delivery:
        """Sends a test message to a channel and returns its delivery."""
        return self._caller.call("testChannel", Input(path={"id": id}), **options)["delivery"]
