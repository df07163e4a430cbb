"""Verifies webhooks (Standard Webhooks)."""

from __future__ import annotations

import hmac
import re
import time
from base64 import b64decode
from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Sequence, Union, cast

from ._error import GleanerError, invalid_option, read_json

if TYPE_CHECKING:
    from .types import WebhookEvent


_NAMES = ("webhook-id", "webhook-timestamp", "webhook-signature")


def verify_webhook(
    body: Union[str, bytes],
    headers: Mapping[str, Any],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = 300,
    now: Optional[float] = None,
) -> WebhookEvent:
    """Returns the event of a webhook if one of its signatures is that of one of the secrets.

    While a secret rotates, deliveries are signed with both. Raises INVALID_SIGNATURE for everything else. The body is as it
    arrived: parsed and written again, it has another signature. `headers` are those of any framework: names in any case,
    values as text or lists of text.
    """
    id, timestamp, signatures = (_read_header(headers, name) for name in _NAMES)
    if not id or not timestamp or not signatures:
        raise _invalid(f"The request lacks one of the headers {', '.join(_NAMES)}.")
    at = time.time() if now is None else now
    if not re.fullmatch(r"[0-9]{1,15}", timestamp) or abs(at - int(timestamp)) > tolerance_seconds:
        raise _invalid(f"The signature is from another time: webhook-timestamp is {timestamp}.")
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = b".".join([id.encode(errors="replace"), timestamp.encode(), content])
    given = [_decode(part[3:]) for part in signatures.split(" ") if part.startswith("v1,")]
    keys = [_read_secret(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    for key in keys:
        expected = hmac.digest(key, signed, "sha256")
        if any(signature is not None and hmac.compare_digest(signature, expected) for signature in given):
            return cast("WebhookEvent", read_json(content))
    raise _invalid("No signature is that of the secret.")


def _read_header(headers: Mapping[str, Any], name: str) -> Optional[str]:
    for each, value in headers.items():
        if each.lower() == name:
            return (
                ",".join(cast("List[str]", value)) if isinstance(value, (list, tuple)) else cast("str", value)
            )
    return None


def _read_secret(secret: str) -> bytes:
    text = secret.strip()
    key = _decode(text[6:] if text.startswith("whsec_") else text)
    if not key:
        error = invalid_option("The secret is not one of Standard Webhooks: whsec_… and base64.")
        error.suggestion = "Use the secret as GET /v1/webhooks/secret returns it."
        raise error
    return key


def _decode(text: str) -> Optional[bytes]:
    try:
        return b64decode(text + "=" * (-len(text) % 4), validate=True)
    except ValueError:
        return None


def _invalid(message: str) -> GleanerError:
    return GleanerError(
        message,
        code="INVALID_SIGNATURE",
        suggestion="Answer 400 and do not trust the request. Verify the raw body, with the secret of GET /v1/webhooks/secret.",
    )
