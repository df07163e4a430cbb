import type { RouteName } from '@gleaner/contracts';
import { type KeyDeps, keyHandlers } from './account/key-handlers.ts';
import { type UsageDeps, usageHandler } from './account/usage-handler.ts';
import { type WebhookDeps, webhookHandlers } from './account/webhook-handlers.ts';
import { type ChannelDeps, channelHandlers } from './channels/channel-handlers.ts';
import { type ExtractDeps, extractHandler } from './content/extract-handler.ts';
import { type FileDeps, fileHandler } from './content/file-handler.ts';
import { type SnapshotDeps, snapshotHandlers } from './content/snapshot-handlers.ts';
import { type DatasetDeps, datasetHandlers } from './datasets/dataset-handlers.ts';
import { type DiffDeps, diffHandler } from './diffs/diff-handler.ts';
import { estimateHandler } from './estimate/estimate-handler.ts';
import { type FeedDeps, feedHandlers } from './feeds/feed-handlers.ts';
import type { Handlers } from './handler.ts';
import { type JobDeps, jobHandlers } from './jobs/job-handlers.ts';
import { mapHandler } from './map/map-handler.ts';
import type { MapDeps } from './map/map-site.ts';
import { type ProfileDeps, profileHandlers } from './profiles/profile-handlers.ts';
import { type RecipeDeps, recipeHandlers } from './recipes/recipe-handlers.ts';
import { type HealthDeps, healthHandlers } from './schedules/health-handlers.ts';
import { type ScheduleDeps, scheduleHandlers } from './schedules/schedule-handlers.ts';
import { scrapeHandler } from './scrape/scrape-handler.ts';
import type { ScrapeDeps } from './scrape/scrape-page.ts';
import { type SearchDeps, searchHandler } from './search/search-handler.ts';
import { type SecretDeps, secretHandlers } from './secrets/secret-handlers.ts';
import { type SystemDeps, systemHandler } from './system/system-handler.ts';
import { type TraceDeps, traceHandlers } from './system/trace-handlers.ts';

/** Collaborators of all handlers. */
export type HandlerDeps = ScrapeDeps &
  JobDeps &
  ScheduleDeps &
  HealthDeps &
  FeedDeps &
  DiffDeps &
  DatasetDeps &
  WebhookDeps &
  ChannelDeps &
  SnapshotDeps &
  FileDeps &
  ExtractDeps &
  RecipeDeps &
  MapDeps &
  SearchDeps &
  SystemDeps &
  TraceDeps &
  SecretDeps &
  ProfileDeps &
  KeyDeps &
  UsageDeps;

/** The handlers of all routes, by their names in the contract. */
export const HANDLERS: Handlers<RouteName, HandlerDeps> = {
  scrape: scrapeHandler,
  extract: extractHandler,
  map: mapHandler,
  search: searchHandler,
  ...snapshotHandlers,
  getFile: fileHandler,
  ...traceHandlers,
  ...jobHandlers,
  ...scheduleHandlers,
  ...healthHandlers,
  ...feedHandlers,
  getScheduleDiff: diffHandler,
  ...datasetHandlers,
  ...recipeHandlers,
  ...profileHandlers,
  ...webhookHandlers,
  ...channelHandlers,
  ...keyHandlers,
  ...secretHandlers,
  getUsage: usageHandler,
  estimate: estimateHandler,
  getSystem: systemHandler,
};
