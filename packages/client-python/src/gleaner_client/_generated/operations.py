"""Method and path of every operation, and whether it takes an Idempotency-Key.

Written by `npm run docs` from the OpenAPI document; a test compares them. Do not edit.
"""

from __future__ import annotations

from typing import Dict, NamedTuple


class Operation(NamedTuple):
    """Method and path of an operation."""

    method: str
    path: str
    is_keyed: bool


OPERATIONS: Dict[str, Operation] = {
    "scrape": Operation("POST", "/v1/scrape", False),
    "extract": Operation("POST", "/v1/extract", False),
    "map": Operation("POST", "/v1/map", False),
    "getTrace": Operation("GET", "/v1/scrapes/{requestId}/trace", False),
    "extractSnapshot": Operation("POST", "/v1/snapshots/{id}/extract", False),
    "suggestSelectors": Operation("POST", "/v1/snapshots/{id}/suggest", False),
    "viewSnapshot": Operation("GET", "/v1/snapshots/{id}/view", False),
    "getFile": Operation("GET", "/v1/files/{id}", False),
    "createJob": Operation("POST", "/v1/jobs", True),
    "listJobs": Operation("GET", "/v1/jobs", False),
    "getJob": Operation("GET", "/v1/jobs/{id}", False),
    "cancelJob": Operation("DELETE", "/v1/jobs/{id}", False),
    "getJobResults": Operation("GET", "/v1/jobs/{id}/results", False),
    "getJobChanges": Operation("GET", "/v1/jobs/{id}/changes", False),
    "getJobUrls": Operation("GET", "/v1/jobs/{id}/urls", False),
    "getJobScreenshot": Operation("GET", "/v1/jobs/{id}/results/{index}/screenshot", False),
    "getJobTrace": Operation("GET", "/v1/jobs/{id}/results/{index}/trace", False),
    "getJobEvents": Operation("GET", "/v1/jobs/{id}/events", False),
    "rerunJob": Operation("POST", "/v1/jobs/{id}/rerun", True),
    "extractJob": Operation("POST", "/v1/jobs/{id}/extract", True),
    "listDatasets": Operation("GET", "/v1/datasets", False),
    "getDataset": Operation("GET", "/v1/datasets/{name}", False),
    "deleteDataset": Operation("DELETE", "/v1/datasets/{name}", False),
    "listRecords": Operation("GET", "/v1/datasets/{name}/records", False),
    "getRecordHistory": Operation("GET", "/v1/datasets/{name}/records/{key}/history", False),
    "createSchedule": Operation("POST", "/v1/schedules", False),
    "listSchedules": Operation("GET", "/v1/schedules", False),
    "previewSchedule": Operation("GET", "/v1/schedules/preview", False),
    "getSchedule": Operation("GET", "/v1/schedules/{id}", False),
    "updateSchedule": Operation("PATCH", "/v1/schedules/{id}", False),
    "deleteSchedule": Operation("DELETE", "/v1/schedules/{id}", False),
    "getScheduleHealth": Operation("GET", "/v1/schedules/{id}/health", False),
    "acceptSuggestions": Operation("POST", "/v1/schedules/{id}/health/accept", False),
    "pauseSchedule": Operation("POST", "/v1/schedules/{id}/pause", False),
    "resumeSchedule": Operation("POST", "/v1/schedules/{id}/resume", False),
    "runSchedule": Operation("POST", "/v1/schedules/{id}/run", True),
    "listScheduleRules": Operation("GET", "/v1/schedules/{id}/rules", False),
    "listScheduleRuns": Operation("GET", "/v1/schedules/{id}/runs", False),
    "listScheduleChanges": Operation("GET", "/v1/schedules/{id}/changes", False),
    "createProfile": Operation("POST", "/v1/profiles", False),
    "listProfiles": Operation("GET", "/v1/profiles", False),
    "getProfile": Operation("GET", "/v1/profiles/{id}", False),
    "updateProfile": Operation("PATCH", "/v1/profiles/{id}", False),
    "deleteProfile": Operation("DELETE", "/v1/profiles/{id}", False),
    "loginProfile": Operation("POST", "/v1/profiles/{id}/login", False),
    "getProfileState": Operation("GET", "/v1/profiles/{id}/state", False),
    "getWebhookSecret": Operation("GET", "/v1/webhooks/secret", False),
    "rotateWebhookSecret": Operation("POST", "/v1/webhooks/secret/rotate", False),
    "listWebhookDeliveries": Operation("GET", "/v1/webhooks/deliveries", False),
    "redeliverWebhook": Operation("POST", "/v1/webhooks/deliveries/{id}/redeliver", False),
    "testWebhook": Operation("POST", "/v1/webhooks/test", False),
    "createChannel": Operation("POST", "/v1/channels", False),
    "listChannels": Operation("GET", "/v1/channels", False),
    "getChannel": Operation("GET", "/v1/channels/{id}", False),
    "updateChannel": Operation("PATCH", "/v1/channels/{id}", False),
    "deleteChannel": Operation("DELETE", "/v1/channels/{id}", False),
    "testChannel": Operation("POST", "/v1/channels/{id}/test", False),
    "createKey": Operation("POST", "/v1/keys", False),
    "listKeys": Operation("GET", "/v1/keys", False),
    "getCurrentKey": Operation("GET", "/v1/keys/current", False),
    "revokeKey": Operation("DELETE", "/v1/keys/{id}", False),
    "putSecret": Operation("PUT", "/v1/secrets/{name}", False),
    "deleteSecret": Operation("DELETE", "/v1/secrets/{name}", False),
    "listSecrets": Operation("GET", "/v1/secrets", False),
    "getUsage": Operation("GET", "/v1/usage", False),
    "estimate": Operation("POST", "/v1/estimate", False),
    "getSystem": Operation("GET", "/v1/system", False),
    "getLiveness": Operation("GET", "/livez", False),
    "getReadiness": Operation("GET", "/readyz", False),
}
