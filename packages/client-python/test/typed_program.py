"""A program without type errors, and its mistakes, found by a strict type checker: `npm run typecheck` reads this file."""

from __future__ import annotations

from typing import List, Optional

from gleaner_client import AsyncGleaner, Gleaner, GleanerError, verify_webhook
from gleaner_client.types import Job, ScrapeRequest

gleaner = Gleaner("http://127.0.0.1:8080", "gl_1", timeout=5)
selectors = {"title": "h1", "tags": ".tag::all"}
urls = ["https://a.test/"]


def titles() -> List[object]:
    request: ScrapeRequest = {
        "url": "https://a.test/",
        "selectors": {"price": {"selector": ".p", "type": "price"}},
    }
    page = gleaner.scrape(request, max_retries=0)
    length: int = len(page["metadata"]["finalUrl"])
    job: Job = gleaner.jobs.create({"urls": urls, "selectors": selectors}, idempotency_key=f"books-{length}")
    found: List[object] = [failed["id"] for failed in gleaner.jobs.list({"status": "failed"})]
    for result in gleaner.jobs.results(job["id"], verdict=["content"]):
        found.append(result["error"]["code"] if "error" in result else result.get("data"))
    return found


def mistakes() -> None:
    gleaner.scrape({"url": "https://a.test/", "selector": {}})  # pyright: ignore[reportArgumentType]
    gleaner.usage(wait=3)  # pyright: ignore[reportCallIssue]
    gleaner.jobs.list({"status": "gone"})  # pyright: ignore[reportArgumentType]
    try:
        gleaner.ready()
    except GleanerError as error:
        error.code = "NOT_A_CODE"  # pyright: ignore[reportAttributeAccessIssue]


async def status_of(id: str) -> Optional[str]:
    async with AsyncGleaner("http://127.0.0.1:8080") as client:
        async for job in client.jobs.watch(id, poll=0.1):
            return job["status"]
    return None


def job_of(body: bytes, signature: str) -> Optional[str]:
    event = verify_webhook(body, {"webhook-signature": signature}, "whsec_…")
    if event["type"] == "dataset.changed":
        return event["data"]["dataset"]["name"]
    return event["data"]["job"]["id"] if event["type"] == "job.completed" else None
