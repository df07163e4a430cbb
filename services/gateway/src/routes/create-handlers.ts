import type { Stores } from '@gleaner/storage';
import { createEstimateHandler } from './estimate/create-estimate-handler.ts';
import { createExtractHandler, type ExtractDeps } from './extract/create-extract-handler.ts';
import { createFileHandler, type FileDeps } from './files/create-file-handler.ts';
import type { Handlers } from './handler.ts';
import { createJobHandlers, type JobDeps } from './jobs/create-job-handlers.ts';
import { createKeyHandlers } from './keys/create-key-handlers.ts';
import { createMapHandler, type MapDeps } from './map/create-map-handler.ts';
import { createProfileHandlers, type ProfileDeps } from './profiles/create-profile-handlers.ts';
import { createHealthHandlers, type HealthDeps } from './schedules/create-health-handlers.ts';
import { createScheduleHandlers, type ScheduleDeps } from './schedules/create-schedule-handlers.ts';
import { createScrapeHandler, type ScrapeDeps } from './scrape/create-scrape-handler.ts';
import { createSecretHandlers, type SecretDeps } from './secrets/create-secret-handlers.ts';
import { createSnapshotHandlers, type SnapshotDeps } from './snapshots/create-snapshot-handlers.ts';
import { createSystemHandler, type SystemDeps } from './system/create-system-handler.ts';
import { createTraceHandlers, type TraceDeps } from './traces/create-trace-handlers.ts';
import { createUsageHandler } from './usage/usage-handler.ts';
import { createWebhookHandlers, type WebhookDeps } from './webhooks/create-webhook-handlers.ts';

/** Collaborators of all handlers. */
export type HandlerDeps = ScrapeDeps &
  JobDeps &
  ScheduleDeps &
  HealthDeps &
  WebhookDeps &
  SnapshotDeps &
  FileDeps &
  ExtractDeps &
  MapDeps &
  SystemDeps &
  TraceDeps &
  SecretDeps &
  ProfileDeps &
  Pick<Stores, 'clock' | 'keys' | 'usage'>;

/** Creates the handlers of all routes, by their names in the contract. */
export function createHandlers(deps: HandlerDeps): Handlers {
  return {
    scrape: createScrapeHandler(deps),
    extract: createExtractHandler(deps),
    map: createMapHandler(deps),
    ...createSnapshotHandlers(deps),
    getFile: createFileHandler(deps),
    ...createTraceHandlers(deps),
    ...createJobHandlers(deps),
    ...createScheduleHandlers(deps),
    ...createHealthHandlers(deps),
    ...createProfileHandlers(deps),
    ...createWebhookHandlers(deps),
    ...createKeyHandlers(deps),
    ...createSecretHandlers(deps),
    getUsage: createUsageHandler(deps),
    estimate: createEstimateHandler(deps),
    getSystem: createSystemHandler(deps),
  };
}
