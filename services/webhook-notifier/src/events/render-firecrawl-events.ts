import { createHash } from 'node:crypto';
import {
  type FirecrawlWebhook,
  firecrawlDocument,
  firecrawlIdOf,
  type JobEventType,
  type PageResult,
} from '@gleaner/contracts';

/** An event of a job, and the results of its batch, each as JSON. */
export interface FirecrawlSource {
  readonly type: JobEventType;
  readonly jobId: string;
  readonly webhook: FirecrawlWebhook;
  readonly texts: readonly string[];
}

/** Names of events in Firecrawl's API, by Gleaner's. */
const NAMES: Readonly<Record<JobEventType, 'started' | 'page' | 'completed' | 'failed'>> = {
  'job.started': 'started',
  'job.pages': 'page',
  'job.completed': 'completed',
  'job.partial': 'completed',
  'job.failed': 'failed',
  'job.cancelled': 'failed',
};

/**
 * Returns a function for each body that Firecrawl would send: one for each page of a batch, or one for another event. It
 * takes the id of the delivery, which stays the same over all attempts.
 */
export function renderFirecrawlEvents(source: FirecrawlSource): ((deliveryId: string) => string)[] {
  const { type, jobId, webhook, texts } = source;
  const contents = type === 'job.pages' ? texts.map(pageOf) : [contentOf(type)];
  return contents.map(({ success, data, error }) => (deliveryId) => {
    const head = { success, type: `${webhook.kind}.${NAMES[type]}`, id: firecrawlIdOf(jobId) };
    const { metadata = {} } = webhook;
    return JSON.stringify({ ...head, webhookId: uuidOf(deliveryId), data, error, metadata });
  });
}

interface Content {
  readonly success: boolean;
  readonly data: readonly object[];
  readonly error?: string;
}

function contentOf(type: JobEventType): Content {
  if (NAMES[type] !== 'failed') return { success: true, data: [] };
  const error = type === 'job.cancelled' ? 'The job was cancelled.' : 'No page could be scraped.';
  return { success: false, data: [], error };
}

/** Returns the page of a result; one that is too large for an event says where to read it. */
function pageOf(text: string): Content {
  const result: PageResult | { readonly url: string; readonly resultsUrl: string } = JSON.parse(text);
  if ('resultsUrl' in result) {
    const warning = `The page is too large for an event; read it at ${result.resultsUrl}.`;
    return { success: true, data: [{ metadata: { sourceURL: result.url }, warning }] };
  }
  if (!('error' in result)) return { success: true, data: [firecrawlDocument(result)] };
  const { url, error } = result;
  const metadata = { sourceURL: url, statusCode: error.targetStatusCode, error: error.message };
  return { success: false, data: [{ metadata }], error: error.message };
}

/** Returns a UUID that stands for a text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
