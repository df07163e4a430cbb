export type { ClientOptions } from './caller.ts';
export type {
  Action,
  AnyData,
  DataOf,
  Format,
  FormatName,
  Listing,
  Page,
  PageOverview,
  Price,
  Selectors,
} from './data-of.ts';
export { describeCondition, type RuleCondition } from './describe-condition.ts';
export { type ClientErrorCode, type ErrorFields, GleanerError } from './error.ts';
export { type FormatOptions, withFormatOptions } from './format-options.ts';
export type * from './generated/openapi.ts';
export {
  type ExtractRequest,
  type ExtractResult,
  Gleaner,
  type PageRequest,
  type ScrapeResult,
} from './gleaner.ts';
export type {
  ApiErrorCode,
  BodyOf,
  CallOptions,
  CreateOptions,
  InputOf,
  OperationName,
  QueryOf,
  ResultOf,
} from './operation-types.ts';
export type { RecordChanges } from './resources/datasets.ts';
export type { CreatedJob, JobId, JobRequest, JobResult, PageKind, ResultFormat } from './resources/jobs.ts';
export type { WebhookSecret } from './resources/webhooks.ts';
export { type VerifyOptions, verifyWebhook, type WebhookHeaders } from './verify-webhook.ts';
export { hasFinished, type JobProgress, type Progress, progressOf, type WatchOptions } from './watch-job.ts';
export { withScheme } from './with-scheme.ts';
