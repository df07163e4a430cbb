import type { Connection } from 'mongoose';
import { type AccountDocument, accountSchema } from './accounts/account-model.ts';
import { type SecretDocument, secretSchema } from './accounts/secret-store.ts';
import { type AnswerDocument, answerSchema } from './blobs/answer-store.ts';
import { type FileDocument, type FilePartDocument, filePartSchema, fileSchema } from './blobs/file-store.ts';
import { type CachedPageDocument, cachedPageSchema } from './blobs/page-cache.ts';
import { type ScreenshotDocument, screenshotSchema } from './blobs/screenshot-store.ts';
import { type SnapshotDocument, snapshotSchema } from './blobs/snapshot-store.ts';
import { type ChannelDocument, channelSchema } from './channels/channel-model.ts';
import { type FingerprintDocument, fingerprintSchema } from './crawls/fingerprint-store.ts';
import { type RobotsDocument, robotsSchema } from './crawls/robots-store.ts';
import { type ChargeDocument, chargeSchema } from './credits/charge-model.ts';
import {
  type DatasetDocument,
  type DatasetRunDocument,
  datasetRunSchema,
  datasetSchema,
  type RecordDocument,
  type RecordVersionDocument,
  recordSchema,
  recordVersionSchema,
} from './datasets/dataset-model.ts';
import { type JobDocument, jobSchema } from './jobs/job-model.ts';
import { type KeyDocument, keySchema } from './keys/key-store.ts';
import { type SessionDocument, sessionSchema } from './keys/session-store.ts';
import { type PageDocument, pageSchema } from './pages/page-model.ts';
import { type InstanceDocument, instanceSchema } from './processes/instance-store.ts';
import { type LeaseDocument, leaseSchema } from './processes/lease-store.ts';
import { type BoardDocument, boardSchema } from './processes/planner-board.ts';
import { type ProfileDocument, profileSchema } from './profiles/profile-model.ts';
import { type RateLimitDocument, rateLimitSchema } from './rate-limits/rate-limit-model.ts';
import {
  type RecipeDocument,
  type RecipePageDocument,
  type RecipeVersionDocument,
  recipePageSchema,
  recipeSchema,
  recipeVersionSchema,
} from './recipes/recipe-model.ts';
import { type ChangeDocument, changeSchema } from './results/change-store.ts';
import { type RepeatedTextDocument, repeatedTextSchema } from './results/repeated-text-store.ts';
import { type ResultDocument, resultSchema } from './results/result-store.ts';
import { type TraceDocument, traceSchema } from './results/trace-store.ts';
import { type FeedDocument, feedSchema } from './schedules/feed-store.ts';
import { type HealthDocument, healthSchema } from './schedules/health-store.ts';
import { type RulesDocument, rulesSchema } from './schedules/rules-store.ts';
import { type ScheduleDocument, scheduleSchema } from './schedules/schedule-model.ts';
import { type UsageMonthDocument, usageMonthSchema } from './usage/usage-month.ts';
import { type DeliveryDocument, deliverySchema } from './webhooks/delivery-model.ts';
import { type WebhookSecretDocument, webhookSecretSchema } from './webhooks/webhook-secret-store.ts';

/** One model per collection, on one connection. */
export type Models = ReturnType<typeof compileModels>;

/** Compiles the models of a connection; the last argument of each is the name of its collection. */
export function compileModels(connection: Connection) {
  return {
    accounts: connection.model<AccountDocument>('Account', accountSchema, 'accounts'),
    answers: connection.model<AnswerDocument>('Answer', answerSchema, 'answers'),
    changes: connection.model<ChangeDocument>('Change', changeSchema, 'changes'),
    boards: connection.model<BoardDocument>('Board', boardSchema, 'boards'),
    cachedPages: connection.model<CachedPageDocument>('CachedPage', cachedPageSchema, 'cached_pages'),
    channels: connection.model<ChannelDocument>('Channel', channelSchema, 'channels'),
    charges: connection.model<ChargeDocument>('Charge', chargeSchema, 'charges'),
    datasets: connection.model<DatasetDocument>('Dataset', datasetSchema, 'datasets'),
    datasetRuns: connection.model<DatasetRunDocument>('DatasetRun', datasetRunSchema, 'dataset_runs'),
    feeds: connection.model<FeedDocument>('Feed', feedSchema, 'feeds'),
    files: connection.model<FileDocument>('File', fileSchema, 'files'),
    fileParts: connection.model<FilePartDocument>('FilePart', filePartSchema, 'file_parts'),
    fingerprints: connection.model<FingerprintDocument>('Fingerprint', fingerprintSchema, 'fingerprints'),
    health: connection.model<HealthDocument>('Health', healthSchema, 'health'),
    instances: connection.model<InstanceDocument>('Instance', instanceSchema, 'instances'),
    jobs: connection.model<JobDocument>('Job', jobSchema, 'jobs'),
    keys: connection.model<KeyDocument>('Key', keySchema, 'keys'),
    leases: connection.model<LeaseDocument>('Lease', leaseSchema, 'leases'),
    pages: connection.model<PageDocument>('Page', pageSchema, 'pages'),
    profiles: connection.model<ProfileDocument>('Profile', profileSchema, 'profiles'),
    rateLimits: connection.model<RateLimitDocument>('RateLimit', rateLimitSchema, 'rate_limits'),
    recipes: connection.model<RecipeDocument>('Recipe', recipeSchema, 'recipes'),
    recipePages: connection.model<RecipePageDocument>('RecipePage', recipePageSchema, 'recipe_pages'),
    recipeVersions: connection.model<RecipeVersionDocument>(
      'RecipeVersion',
      recipeVersionSchema,
      'recipe_versions',
    ),
    records: connection.model<RecordDocument>('Record', recordSchema, 'records'),
    recordVersions: connection.model<RecordVersionDocument>(
      'RecordVersion',
      recordVersionSchema,
      'record_versions',
    ),
    repeatedTexts: connection.model<RepeatedTextDocument>(
      'RepeatedText',
      repeatedTextSchema,
      'repeated_texts',
    ),
    results: connection.model<ResultDocument>('Result', resultSchema, 'results'),
    robots: connection.model<RobotsDocument>('Robots', robotsSchema, 'robots'),
    rules: connection.model<RulesDocument>('Rules', rulesSchema, 'rules'),
    schedules: connection.model<ScheduleDocument>('Schedule', scheduleSchema, 'schedules'),
    screenshots: connection.model<ScreenshotDocument>('Screenshot', screenshotSchema, 'screenshots'),
    secrets: connection.model<SecretDocument>('Secret', secretSchema, 'secrets'),
    sessions: connection.model<SessionDocument>('Session', sessionSchema, 'sessions'),
    snapshots: connection.model<SnapshotDocument>('Snapshot', snapshotSchema, 'snapshots'),
    tellings: connection.model<ChangeDocument>('Telling', changeSchema, 'tellings'),
    traces: connection.model<TraceDocument>('Trace', traceSchema, 'traces'),
    usageMonths: connection.model<UsageMonthDocument>('UsageMonth', usageMonthSchema, 'usage_months'),
    deliveries: connection.model<DeliveryDocument>('Delivery', deliverySchema, 'deliveries'),
    webhookSecrets: connection.model<WebhookSecretDocument>(
      'WebhookSecret',
      webhookSecretSchema,
      'webhook_secrets',
    ),
  };
}
