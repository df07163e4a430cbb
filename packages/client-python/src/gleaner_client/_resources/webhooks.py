"""Webhooks: the signing secret and the deliveries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from .._caller import Caller, CallOptions, Input
from .._listing import Listing

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import Delivery, GetWebhookSecretResult, ListWebhookDeliveriesQuery


class Webhooks:
    """Webhooks: the signing secret and the deliveries."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def secret(self, **options: Unpack[CallOptions]) -> GetWebhookSecretResult:
        """Returns the secret that signs deliveries."""
        return self._caller.call_for_payload("getWebhookSecret", **options)

    def rotate_secret(self, **options: Unpack[CallOptions]) -> GetWebhookSecretResult:
        """Replaces the secret; for a time, deliveries are signed with both."""
        return self._caller.call_for_payload("rotateWebhookSecret", **options)

    def deliveries(
        self, query: Optional[ListWebhookDeliveriesQuery] = None, **options: Unpack[CallOptions]
    ) -> Listing[Delivery]:
        """Lists deliveries with their attempts, newest first."""
        return Listing(self._caller, "listWebhookDeliveries", "deliveries", query, options)

    def redeliver(self, id: str, **options: Unpack[CallOptions]) -> Delivery:
        """Sends a delivery again."""
        return self._caller.call("redeliverWebhook", Input(path={"id": id}), **options)["delivery"]

    def test(self, url: str, **options: Unpack[CallOptions]) -> Delivery:
        """Sends a signed test event to a URL and returns its delivery."""
        return self._caller.call("testWebhook", Input(body={"url": url}), **options)["delivery"]
