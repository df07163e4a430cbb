import type { TSchema } from 'typebox';
import { KeySchema, NewKeySchema } from '../access/keys.ts';
import { SecretSchema } from '../access/secret.ts';
import { ErrorEnvelopeSchema } from '../errors/error-envelope.ts';
import { ChangeSchema } from '../jobs/changes.ts';
import { CreateJobRequestSchema } from '../jobs/create-job.ts';
import {
  DatasetOptionsSchema,
  DatasetRecordSchema,
  DatasetSchema,
  RecordVersionSchema,
} from '../jobs/dataset.ts';
import {
  JobSchema,
  JobWithResultsSchema,
  PageFailureSchema,
  PageResultSchema,
  PageSuccessSchema,
} from '../jobs/job.ts';
import { JobUrlSchema } from '../jobs/job-url.ts';
import { SinkOptionsSchema, SinkSchema } from '../jobs/sink.ts';
import { ProfileSchema } from '../profiles/profile.ts';
import { StorageStateSchema } from '../profiles/storage-state.ts';
import { RecipeSchema, RecipeSummarySchema } from '../recipes/recipe.ts';
import { RecipePageSchema, TestResultSchema } from '../recipes/recipe-test.ts';
import { PageDiffSchema, ScheduleDiffSchema } from '../schedules/diff.ts';
import { ScheduleFeedSchema } from '../schedules/feed.ts';
import { FieldFallSchema, ScheduleHealthSchema } from '../schedules/health.ts';
import { RuleSchema } from '../schedules/notify.ts';
import { RunSchema } from '../schedules/run.ts';
import { ScheduleSchema } from '../schedules/schedule.ts';
import { SchedulePatchSchema } from '../schedules/schedule-patch.ts';
import { CreateScheduleRequestSchema } from '../schedules/schedule-settings.ts';
import { ActionSchema } from '../scrape/actions.ts';
import { CookieSchema } from '../scrape/cookie.ts';
import { ScrapeRequestSchema } from '../scrape/scrape-request.ts';
import { ScrapeMetadataSchema, ScrapeResponseSchema } from '../scrape/scrape-response.ts';
import { SelectorSchema } from '../scrape/selectors.ts';
import { TraceSchema } from '../scrape/trace.ts';
import { VerdictSchema } from '../scrape/verdict.ts';
import { SearchRequestSchema } from '../search/search-request.ts';
import { SearchResponseSchema, SearchResultSchema } from '../search/search-response.ts';
import { StoredFileSchema } from '../stored-file.ts';
import { UsageSchema } from '../usage/usage.ts';
import { ChannelSchema, CreateChannelRequestSchema } from '../webhooks/channel.ts';
import { DeliverySchema } from '../webhooks/delivery.ts';
import { WebhookSchema } from '../webhooks/webhook.ts';
import {
  EVENT_SCHEMAS,
  EventJobSchema,
  MatchedRecordSchema,
  OmittedResultSchema,
  WebhookEventSchema,
} from './event-schemas.ts';

/** The named schemas of the OpenAPI document. Where one contains another, the document refers to it by name. */
export const COMPONENTS: Readonly<Record<string, TSchema>> = {
  Selector: SelectorSchema,
  Cookie: CookieSchema,
  Action: ActionSchema,
  ScrapeRequest: ScrapeRequestSchema,
  Verdict: VerdictSchema,
  ScrapeMetadata: ScrapeMetadataSchema,
  StoredFile: StoredFileSchema,
  ScrapeResponse: ScrapeResponseSchema,
  Webhook: WebhookSchema,
  DatasetOptions: DatasetOptionsSchema,
  SinkOptions: SinkOptionsSchema,
  CreateJobRequest: CreateJobRequestSchema,
  Change: ChangeSchema,
  Job: JobSchema,
  PageSuccess: PageSuccessSchema,
  PageFailure: PageFailureSchema,
  PageResult: PageResultSchema,
  JobWithResults: JobWithResultsSchema,
  JobUrl: JobUrlSchema,
  SearchRequest: SearchRequestSchema,
  SearchResult: SearchResultSchema,
  SearchResponse: SearchResponseSchema,
  CreateScheduleRequest: CreateScheduleRequestSchema,
  SchedulePatch: SchedulePatchSchema,
  Rule: RuleSchema,
  Schedule: ScheduleSchema,
  ScheduleHealth: ScheduleHealthSchema,
  ScheduleFeed: ScheduleFeedSchema,
  PageDiff: PageDiffSchema,
  ScheduleDiff: ScheduleDiffSchema,
  Run: RunSchema,
  Sink: SinkSchema,
  Dataset: DatasetSchema,
  DatasetRecord: DatasetRecordSchema,
  RecordVersion: RecordVersionSchema,
  Recipe: RecipeSchema,
  RecipeSummary: RecipeSummarySchema,
  RecipePage: RecipePageSchema,
  TestResult: TestResultSchema,
  StorageState: StorageStateSchema,
  Profile: ProfileSchema,
  Delivery: DeliverySchema,
  FieldFall: FieldFallSchema,
  OmittedResult: OmittedResultSchema,
  EventJob: EventJobSchema,
  MatchedRecord: MatchedRecordSchema,
  ...EVENT_SCHEMAS,
  WebhookEvent: WebhookEventSchema,
  CreateChannelRequest: CreateChannelRequestSchema,
  Channel: ChannelSchema,
  Key: KeySchema,
  NewKey: NewKeySchema,
  Secret: SecretSchema,
  Usage: UsageSchema,
  Trace: TraceSchema,
  Error: ErrorEnvelopeSchema,
};
