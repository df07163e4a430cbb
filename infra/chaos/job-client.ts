import { setTimeout as sleep } from 'node:timers/promises';
import {
  DEFAULT_WEBHOOK_EVENTS,
  isTerminal,
  type Job,
  type JobState,
  type PageResult,
  type WebhookEventType,
} from '@gleaner/contracts';
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

/** Responses of the service while faults were injected. */
export interface AnswerLog {
  /** Responses with 503, and other responses with 5xx. */
  refusals: number;
  /** Those without Retry-After or with another status. */
  readonly dishonest: string[];
  /** Calls without a response in time. */
  readonly missing: string[];
  /** Calls that could not be sent, or whose connection broke before the response. */
  readonly broken: string[];
}

/** A client that retries until it knows the outcome, as clients should. */
export interface JobClient {
  readonly answers: AnswerLog;
  /** Creates a job, with several requests at once under one key, and retries until there is a response. */
  create(order: JobOrder, timesAtOnce?: number): Promise<ClientJob>;
  /** Reads the job once; undefined without a response. */
  poll(job: Pick<ClientJob, 'history'>): Promise<void>;
  cancel(job: ClientJob): Promise<void>;
  results(jobId: string): Promise<PageResult[]>;
  /** Makes a call once. Rejects when there is no response. */
  call<Answer>(
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Answered<Answer>>;
  /** Makes a call and retries until there is a response, which is returned with its status. */
  insist<Answer>(...parameters: Parameters<JobClient['call']>): Promise<Answered<Answer>>;
}

export interface Answered<Answer> {
  readonly status: number;
  readonly json: Answer;
}

const CALL_TIMEOUT_MS = 15_000;
/** Timeout of the client; the check of the recovery finds a service that is away for longer. */
const PATIENCE_MS = 600_000;

/** Timeout of a page, long enough for a browser on a busy machine. */
const PAGE_OPTIONS: Readonly<Record<PageKind, object>> = {
  plain: { timeout: 4000 },
  rendered: { timeout: 20_000, render: true },
};

/** The events that end a job, and those that bring its results before. */
const EVENTS: readonly WebhookEventType[] = [...DEFAULT_WEBHOOK_EVENTS, 'job.pages'];

/** Gateway, key and site of the jobs. */
export interface JobClientOptions {
  readonly stack: Pick<ChaosStack, 'url' | 'apiKey'>;
  readonly urlOf: (token: string) => string;
  readonly webhookUrl: string;
}

/** Creates a client for the gateway of a stack. */
export function createJobClient({ stack, urlOf, webhookUrl }: JobClientOptions): JobClient {
  const answers: AnswerLog = {
    refusals: 0,
    dishonest: [],
    missing: [],
    broken: [],
  };

  async function call<Answer>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answered<Answer>> {
    const response = await fetch(stack.url + path, {
      method,
      headers: { ...ownHeaders(stack), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    }).catch((fault: Error) => {
      if (fault.name === 'TimeoutError') answers.missing.push(`${method} ${path} was not answered.`);
      else answers.broken.push(`${method} ${path} broke: ${String(fault.cause ?? fault)}`);
      throw fault;
    });
    const { status } = response;
    const json: unknown = await response.json();
    const retryAfter = response.headers.get('retry-after');
    if (status >= 500) answers.refusals += 1;
    if (status >= 500 && (status !== 503 || !retryAfter)) {
      const answer = `${status}, Retry-After ${retryAfter}: ${JSON.stringify(json)}`;
      answers.dishonest.push(`${method} ${path} was answered ${answer}`);
    }
    return { status, json: json as Answer };
  }

  async function insist<Answer>(...parameters: Parameters<JobClient['call']>): Promise<Answered<Answer>> {
    const giveUpAtMs = Date.now() + PATIENCE_MS;
    for (;;) {
      const answer = await call<Answer>(...parameters).catch(() => undefined);
      if (answer && answer.status < 500) return answer;
      if (Date.now() > giveUpAtMs) throw new Error(`No answer within ${PATIENCE_MS} ms.`);
      await sleep(250);
    }
  }

  return {
    ...{ answers, call, insist },
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

/** Returns headers of every call. A connection that was kept open may be closed by a process that stops just when it is used. */
function ownHeaders({ apiKey }: JobClientOptions['stack']): Record<string, string> {
  return { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', connection: 'close' };
}

/** The id of the job. */
export function idOf({ history }: Pick<ClientJob, 'history'>): string {
  return history[0]?.id ?? '';
}

/** Returns the last state that was seen. */
export function stateOf({ history }: Pick<ClientJob, 'history'>): JobState {
  return history.at(-1)?.status ?? 'pending';
}

/** Returns true when the job was seen in a terminal state. */
export function hasEnded(job: Pick<ClientJob, 'history'>): boolean {
  return isTerminal(stateOf(job));
}
