export type { Account } from './accounts/account-store.ts';
export { createArchive } from './backup/create-archive.ts';
export { type CheckedArchive, checkArchive } from './backup/read-archive.ts';
export { restoreArchive } from './backup/restore-archive.ts';
export { checkDocuments } from './check-documents.ts';
export { createStores, type Stores } from './create-stores.ts';
export type { Outcome, Reservation } from './credits/reservation.ts';
export {
  connectDatabase,
  type Database,
  type DatabaseOptions,
} from './database/connect-database.ts';
export type { FileOwner } from './files/file-store.ts';
export type { Fingerprint, IndexedLink, NewFingerprint } from './fingerprints/fingerprint-store.ts';
export type { EvidencePage, HealthReport, StoredHealth } from './health/health-store.ts';
export type { StoredInstance } from './instances/instance-store.ts';
export type { StartBounds } from './jobs/crawl-states.ts';
export { describeJob } from './jobs/describe-job.ts';
export type { Draft } from './jobs/job-drafts.ts';
export type { Comparison, CrawlState, StartedPages, UnsentEvent } from './jobs/job-model.ts';
export { hostsOf } from './jobs/job-search.ts';
export type { CrawlAdditions, Transition } from './jobs/job-store.ts';
export type { JobProgress, StoredJob } from './jobs/stored-job.ts';
export { generateKey, hashKey } from './keys/generate-key.ts';
export type { StoredKey } from './keys/key-store.ts';
export {
  type NewCrawlPage,
  type NewSupportPage,
  type PlaceInCrawl,
  placeInCrawl,
} from './pages/crawl-pages.ts';
export { NO_BATCH } from './pages/page-batches.ts';
export { pageIdOf, pageIndexOf } from './pages/page-id.ts';
export { type CrawledPage, PAGE_STATES } from './pages/page-model.ts';
export type { PageCounts, PageTally } from './pages/page-queries.ts';
export type { NewPage, PagesOfJob } from './pages/page-store.ts';
export type { PageAttempt, PageEnd, StoredPage } from './pages/stored-page.ts';
export { profileUseOf, type Standing, type StoredProfile } from './profiles/profile-model.ts';
export type { ProfileSettings } from './profiles/profile-store.ts';
export type { RateLimitDecision } from './rate-limits/rate-limit-store.ts';
export type { RateLimitRequest } from './rate-limits/take-updates.ts';
export type { RepeatedText } from './repeated-texts/repeated-text-store.ts';
export { type Entry, type JobOfEntries, type PartOfEntries, readEntries } from './results/read-entries.ts';
export { type ResultReader, readResults, readResultsOf } from './results/read-results.ts';
export type { NewResult } from './results/result-store.ts';
export type { FoundRobots } from './robots/robots-store.ts';
export type { Claim, DueSchedule, Lease, RunEnd } from './schedules/run-updates.ts';
export type { ClaimedSchedule } from './schedules/schedule-run-store.ts';
export type { ScheduleTarget } from './schedules/schedule-store.ts';
export { describeSchedule, type StoredSchedule } from './schedules/stored-schedule.ts';
export type { ScreenshotRecord, StoredScreenshot } from './screenshots/screenshot-store.ts';
export type { StoredSecret } from './secrets/secret-store.ts';
export type { NewPageSnapshot, NewSnapshot } from './snapshots/snapshot-store.ts';
export type { NewTrace } from './traces/trace-store.ts';
export type { ClaimedDelivery, DeliveryVerdict } from './webhooks/delivery-attempts.ts';
export type { StoredDelivery } from './webhooks/stored-delivery.ts';
export { type StoredWebhookSecret, validRetired } from './webhooks/webhook-secret-store.ts';
