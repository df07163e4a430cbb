"""Types of requests, responses and webhooks. They are dictionaries at run time, with the names of the REST API."""

# ruff: noqa: F403

from __future__ import annotations

from ._generated.openapi import *
