export type { Account } from './accounts/account-store.ts';
export type { StoredSecret } from './accounts/secret-store.ts';
export { createArchive } from './backup/create-archive.ts';
export { type CheckedArchive, checkArchive } from './backup/read-archive.ts';
export { restoreArchive } from './backup/restore-archive.ts';
export { CacheKeeper } from './blobs/cache-keeper.ts';
export type { FileOwner } from './blobs/file-store.ts';
export { type Keeping, QuotaWatch } from './blobs/quota-watch.ts';
export type { ScreenshotRecord, StoredScreenshot } from './blobs/screenshot-store.ts';
export type { NewPageSnapshot, NewSnapshot } from './blobs/snapshot-store.ts';
export type { ChannelSettings, StoredChannel } from './channels/channel-store.ts';
export { checkDocuments } from './check-documents.ts';
export {
  connectDatabase,
  type Database,
  type DatabaseOptions,
} from './connect-database.ts';
export type { Fingerprint, IndexedLink, NewFingerprint } from './crawls/fingerprint-store.ts';
export type { FoundRobots } from './crawls/robots-store.ts';
export { createStores, type Stores } from './create-stores.ts';
export type { Outcome, Reservation } from './credits/reservation.ts';
export { recordIdOf } from './datasets/dataset-model.ts';
export {
  requireRevision,
  type StoredDataset,
  type StoredRecord,
  type StoredVersion,
} from './datasets/dataset-reader.ts';
export type { DatasetChange, DatasetKeeping, DatasetTarget } from './datasets/dataset-store.ts';
export type { FoundRecord } from './datasets/plan-block.ts';
export type { StartBounds } from './jobs/crawl-states.ts';
export { describeJob } from './jobs/describe-job.ts';
export type { Draft } from './jobs/job-drafts.ts';
export type { Comparison, CrawlState, StartedPages, ToldByRun, UnsentEvent } from './jobs/job-model.ts';
export { hostsOf } from './jobs/job-search.ts';
export type { CrawlAdditions, Transition } from './jobs/job-states.ts';
export { type DatasetOfJob, datasetOf, type JobProgress, type StoredJob } from './jobs/stored-job.ts';
export { generateKey, hashKey } from './keys/generate-key.ts';
export type { StoredKey } from './keys/key-store.ts';
export {
  type NewCrawlFile,
  type NewCrawlPage,
  type PlaceInCrawl,
  placeInCrawl,
} from './pages/crawl-pages.ts';
export { type HostShare, hasHost, hostHashOf, hostShareOf, isHostFrom } from './pages/host-share.ts';
export { NO_BATCH } from './pages/page-batches.ts';
export { pageIdOf, pageIndexOf } from './pages/page-id.ts';
export type { NewPage, PagesOfJob } from './pages/page-inserts.ts';
export { type CrawledPage, PAGE_STATES } from './pages/page-model.ts';
export type { PageCounts, PageTally } from './pages/page-queries.ts';
export type { PageAttempt, PageEnd, StoredPage } from './pages/stored-page.ts';
export type { WaitingBounds } from './pages/waiting-places.ts';
export type { StoredInstance } from './processes/instance-store.ts';
export type { Board } from './processes/planner-board.ts';
export { profileUseOf, type Standing, type StoredProfile } from './profiles/profile-model.ts';
export type { SessionEnd } from './profiles/profile-sessions.ts';
export type { ProfileSettings } from './profiles/profile-store.ts';
export type { RateLimitDecision } from './rate-limits/rate-limit-store.ts';
export type { RateLimitRequest } from './rate-limits/take-updates.ts';
export type { RecipeContents } from './recipes/recipe-model.ts';
export type { StoredRecipePage } from './recipes/recipe-pages.ts';
export {
  type ListedRecipe,
  type RecipePatterns,
  type StoredRecipe,
  versionIdOf,
} from './recipes/recipe-store.ts';
export { type Entry, type JobOfEntries, type PartOfEntries, readEntries } from './results/read-entries.ts';
export { type ResultReader, readResults, readResultsOf } from './results/read-results.ts';
export type { RepeatedText } from './results/repeated-text-store.ts';
export type { NewResult } from './results/result-store.ts';
export type { NewTrace } from './results/trace-store.ts';
export type { StoredFeed } from './schedules/feed-store.ts';
export type { EvidencePage, HealthReport, StoredHealth } from './schedules/health-store.ts';
export type { RulesReport, StoredRules } from './schedules/rules-store.ts';
export type { Claim, DueSchedule, Lease, RunEnd } from './schedules/run-updates.ts';
export type { ClaimedSchedule } from './schedules/schedule-run-store.ts';
export type { ScheduleTarget } from './schedules/schedule-store.ts';
export { describeSchedule, type StoredSchedule } from './schedules/stored-schedule.ts';
export type { ClaimedDelivery, DeliveryVerdict } from './webhooks/delivery-attempts.ts';
export type { StoredDelivery } from './webhooks/stored-delivery.ts';
export { type StoredWebhookSecret, validRetired } from './webhooks/webhook-secret-store.ts';
