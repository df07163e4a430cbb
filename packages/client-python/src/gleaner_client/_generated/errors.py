"""Codes of errors after which the same request may succeed later.

Written by `npm run docs` from the table of errors; a test compares them. Do not edit.
"""

from __future__ import annotations

RETRYABLE_CODES = frozenset(
    [
        "BLOCKED",
        "TIMEOUT",
        "ACTION_FAILED",
        "RATE_LIMITED",
        "INTERNAL_ERROR",
        "UPSTREAM_ERROR",
        "PROXY_ERROR",
        "SEARCH_FAILED",
        "MODEL_FAILED",
        "SERVICE_UNAVAILABLE",
    ]
)
