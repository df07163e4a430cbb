/**
 * Written by `npm run docs` from the OpenAPI document; a test compares them. Do not edit.
 */

/** Method and path of every operation; `isKeyed` operations take an Idempotency-Key. */
export const OPERATIONS = {
  scrape: { method: 'POST', path: '/v1/scrape' },
  createJob: { method: 'POST', path: '/v1/jobs', isKeyed: true },
  listJobs: { method: 'GET', path: '/v1/jobs' },
  getJob: { method: 'GET', path: '/v1/jobs/{id}' },
  cancelJob: { method: 'DELETE', path: '/v1/jobs/{id}' },
  getJobResults: { method: 'GET', path: '/v1/jobs/{id}/results' },
  getJobUrls: { method: 'GET', path: '/v1/jobs/{id}/urls' },
  getJobScreenshot: { method: 'GET', path: '/v1/jobs/{id}/results/{index}/screenshot' },
  getJobEvents: { method: 'GET', path: '/v1/jobs/{id}/events' },
  rerunJob: { method: 'POST', path: '/v1/jobs/{id}/rerun', isKeyed: true },
  createSchedule: { method: 'POST', path: '/v1/schedules' },
  listSchedules: { method: 'GET', path: '/v1/schedules' },
  previewSchedule: { method: 'GET', path: '/v1/schedules/preview' },
  getSchedule: { method: 'GET', path: '/v1/schedules/{id}' },
  updateSchedule: { method: 'PATCH', path: '/v1/schedules/{id}' },
  deleteSchedule: { method: 'DELETE', path: '/v1/schedules/{id}' },
  pauseSchedule: { method: 'POST', path: '/v1/schedules/{id}/pause' },
  resumeSchedule: { method: 'POST', path: '/v1/schedules/{id}/resume' },
  runSchedule: { method: 'POST', path: '/v1/schedules/{id}/run' },
  listScheduleRuns: { method: 'GET', path: '/v1/schedules/{id}/runs' },
  getWebhookSecret: { method: 'GET', path: '/v1/webhooks/secret' },
  rotateWebhookSecret: { method: 'POST', path: '/v1/webhooks/secret/rotate' },
  listWebhookDeliveries: { method: 'GET', path: '/v1/webhooks/deliveries' },
  redeliverWebhook: { method: 'POST', path: '/v1/webhooks/deliveries/{id}/redeliver' },
  testWebhook: { method: 'POST', path: '/v1/webhooks/test' },
  createKey: { method: 'POST', path: '/v1/keys' },
  listKeys: { method: 'GET', path: '/v1/keys' },
  getCurrentKey: { method: 'GET', path: '/v1/keys/current' },
  revokeKey: { method: 'DELETE', path: '/v1/keys/{id}' },
  getUsage: { method: 'GET', path: '/v1/usage' },
  getLiveness: { method: 'GET', path: '/livez' },
  getReadiness: { method: 'GET', path: '/readyz' },
} as const;
