import {
  DEFAULT_WEBHOOK_EVENTS,
  type Job,
  type JobState,
  type PageResult,
  type WebhookEventType,
} from '@gleaner/contracts';
import { type Calls, createCalls } from './call-service.ts';
import type { ChaosStack } from './stack/chaos-stack.ts';

/** Engines of the pages. */
export type PageKind = 'plain' | 'rendered';

/** Treatment of a job. */
export interface JobOrder {
  readonly tokens: readonly string[];
  readonly idempotencyKey: string;
  readonly pages: PageKind;
  /** Events of its webhook: the final ones and the batches of results by default. */
  readonly events?: readonly WebhookEventType[];
  /** Further options of its pages. */
  readonly options?: object;
}

/** One job as its client sees it: the request and every response. */
export interface ClientJob extends JobOrder {
  readonly events: readonly WebhookEventType[];
  /** In the order of the responses. */
  readonly history: Job[];
  /** The job ids in the responses to creates under the same key; there must be only one. */
  readonly ids: ReadonlySet<string>;
  /** Time and status of the response to a cancellation. */
  cancelled?: { readonly atMs: number; readonly job: Job };
}

/** A client that retries until it knows the outcome, as clients should. */
export interface JobClient extends Calls {
  /** Creates a job, with several requests at once under one key, and retries until there is a response. */
  create(order: JobOrder, timesAtOnce?: number): Promise<ClientJob>;
  /** Reads the job once; undefined without a response. */
  poll(job: Pick<ClientJob, 'history'>): Promise<void>;
  cancel(job: ClientJob): Promise<void>;
  results(jobId: string): Promise<PageResult[]>;
}

/** Timeout of a page, long enough for a browser on a busy machine. */
const PAGE_OPTIONS: Readonly<Record<PageKind, object>> = {
  plain: { timeout: 4000 },
  rendered: { timeout: 20_000, render: true },
};

/** The final events of a job, and the earlier ones with its results. */
const EVENTS: readonly WebhookEventType[] = [...DEFAULT_WEBHOOK_EVENTS, 'job.pages'];

/** Gateway, key and site of the jobs. */
export interface JobClientOptions {
  readonly stack: Pick<ChaosStack, 'url' | 'apiKey'>;
  readonly urlOf: (token: string) => string;
  readonly webhookUrl: string;
}

/** Creates a client for the gateway of a stack. */
export function createJobClient({ stack, urlOf, webhookUrl }: JobClientOptions): JobClient {
  const calls = createCalls(stack);
  const { call, insist } = calls;
  return {
    ...calls,
    async create({ tokens, idempotencyKey, pages, events = EVENTS, options = {} }, timesAtOnce = 1) {
      const body = {
        urls: tokens.map(urlOf),
        selectors: { token: 'h1' },
        webhook: { url: webhookUrl, events },
        ...PAGE_OPTIONS[pages],
        ...options,
      };
      const headers = { 'idempotency-key': idempotencyKey };
      const created = await Promise.all(
        Array.from({ length: timesAtOnce }, () => insist<{ job: Job }>('POST', '/v1/jobs', body, headers)),
      );
      const wrong = created.find(({ status }) => status !== 202);
      if (wrong) throw new Error(`A create was answered ${wrong.status}: ${JSON.stringify(wrong.json)}`);
      const jobs = created.map(({ json }) => json.job);
      const ids = new Set(jobs.map(({ id }) => id));
      return { tokens, idempotencyKey, pages, events, options, history: jobs.slice(0, 1), ids };
    },
    async poll(job) {
      const { json } = await call<{ job?: Job }>('GET', `/v1/jobs/${idOf(job)}?resultsLimit=0`).catch(() => ({
        json: { job: undefined },
      }));
      if (json.job) job.history.push(json.job);
    },
    async cancel(job) {
      const { status, json } = await insist<{ job: Job }>('DELETE', `/v1/jobs/${idOf(job)}`);
      if (status === 200) job.cancelled = { atMs: Date.now(), job: json.job };
    },
    async results(jobId) {
      return (await insist<PageResult[]>('GET', `/v1/jobs/${jobId}/results`)).json;
    },
  };
}

/** The id of the job. */
export function idOf({ history }: Pick<ClientJob, 'history'>): string {
  return history[0]?.id ?? '';
}

/** Returns the last state that was seen. */
export function stateOf({ history }: Pick<ClientJob, 'history'>): JobState {
  return history.at(-1)?.status ?? 'pending';
}

/** Returns true when the job was seen complete: a cancelled one may still be counting its pages. */
export function hasEnded({ history }: Pick<ClientJob, 'history'>): boolean {
  return history.at(-1)?.completedAt !== undefined;
}
