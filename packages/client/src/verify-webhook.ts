import { GleanerError } from './error.ts';
import type { Change, Job, PageResult, Profile, Schedule } from './generated/openapi.ts';
import { joinBytes } from './read-lines.ts';

/** Body of a webhook. */
export interface WebhookEvent {
  /** The `webhook-id`: the same for every attempt, so that a repeated event can be recognized. */
  readonly id: string;
  readonly type:
    | 'job.started'
    | 'job.pages'
    | 'job.completed'
    | 'job.partial'
    | 'job.failed'
    | 'job.cancelled'
    | 'job.changed'
    | 'dataset.changed'
    | 'schedule.changed'
    | 'schedule.drift'
    | 'schedule.recovered'
    | 'profile.expired'
    | 'profile.failed'
    | 'webhook.test'
    | 'rule.matched'
    | 'channel.test';
  readonly timestamp: string;
  readonly data: {
    /** The job; absent from tests and from `rule.matched`, which has `jobId`. */
    readonly job?: Job & {
      /** Absent from `job.changed` and `schedule.changed`, which have `changes`, and from events of the health of a schedule, of profiles and of datasets. */
      readonly results?: readonly (PageResult | OmittedResult)[];
      /** True when the results are larger than a webhook may be; `resultsUrl` has all of them. */
      readonly resultsTruncated?: true;
      readonly resultsUrl?: string;
    };
    /** The batch that the results are, with `job.pages`. */
    readonly batch?: { readonly number: number; readonly part: number; readonly isLastPart: boolean };
    /** Number of batches that the results were sent in, with the final event of a job whose webhook names `job.pages`. */
    readonly batches?: number;
    /** As given with the webhook. */
    readonly metadata?: Readonly<Record<string, string>>;
    /** Differences from the run before, with `job.changed` and `schedule.changed`. */
    readonly changes?: readonly Change[];
    /** True when there are more changes than a webhook carries; `changesUrl` has all of them. */
    readonly changesTruncated?: true;
    readonly changesUrl?: string;
    /**
     * Health of the schedule, with `schedule.drift` and `schedule.recovered`; `fields` lists the fields that
     * fell or recovered.
     */
    readonly health?: Schedule['health'];
    readonly fields?: readonly FieldFall[];
    readonly healthUrl?: string;
    /** The profile that the job has lost, with `profile.expired` and `profile.failed`. */
    readonly profile?: Pick<Profile, 'id' | 'name' | 'status' | 'lastError'>;
    /** With `dataset.changed`: the revisions after `from` up to `to` are new; `recordsUrl` has their records. */
    readonly dataset?: {
      readonly name: string;
      readonly from: number;
      readonly to: number;
      readonly recordsUrl: string;
    };
    /** Text of a test. */
    readonly message?: string;
    /** A message for people, with `rule.matched` and `channel.test`: what happened in one line, the records, and where to look. */
    readonly title?: string;
    readonly text?: string;
    readonly link?: string;
    /** The rule, its schedule and the run, with `rule.matched`. */
    readonly rule?: string;
    readonly schedule?: Pick<Schedule, 'id' | 'name'>;
    readonly jobId?: string;
    /** The records that it tells of, unless they are too large for a message, and the number of further ones. */
    readonly records?: readonly MatchedRecord[];
    readonly more?: number;
  };
}

/** A record that a rule tells of. */
export interface MatchedRecord {
  /** Text that it is matched by; of a page, its URL. */
  readonly record: string;
  readonly url: string;
  readonly isRemoved?: true;
  readonly values: readonly {
    readonly field: string;
    readonly before?: string | number | boolean | null;
    readonly after?: string | number | boolean | null;
  }[];
}

/** A field that has fallen below half of its earlier value, or has recovered. */
export interface FieldFall {
  readonly path: string;
  readonly measure: 'fill' | 'count' | 'conversion' | 'shape';
  /** Median of the runs before, or the bound of `expect`. */
  readonly before: number;
  readonly now: number;
}

/** A result of `job.pages` that is larger than a webhook may be; `resultsUrl` has it. */
export interface OmittedResult {
  readonly url: string;
  readonly resultTruncated: true;
  readonly resultsUrl: string;
}

/** Options of a verification. */
export interface VerifyOptions {
  /** Difference between the time of the signature and now that is accepted. Default 300. */
  readonly toleranceSeconds?: number;
  /** Now, in milliseconds. Default: the clock. */
  readonly nowMs?: number;
}

/** Headers of a request: a `Headers` object of fetch, or a record as Node gives it. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Returns the event of a webhook (Standard Webhooks) if one of its signatures is that of one of the secrets: while a
 * secret rotates, deliveries are signed with both. Throws INVALID_SIGNATURE for everything else. The body is as it
 * arrived: parsed and written again, it has another signature.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, nowMs = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = NAMES.map((name) => readHeader(headers, name));
  if (!id || !timestamp || !signatures)
    throw invalid(`The request lacks one of the headers ${NAMES.join(', ')}.`);
  if (!(Math.abs(nowMs / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw invalid(`The signature is from another time: webhook-timestamp is ${timestamp}.`);
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joinBytes([new TextEncoder().encode(`${id}.${timestamp}.`), bytes]);
  const keys = await Promise.all([secrets].flat().map(importSecret));
  for (const signature of signatures.split(' ')) {
    const given = signature.startsWith('v1,') ? decodeBase64(signature.slice(3)) : undefined;
    if (!given) continue;
    for (const key of keys) {
      if (await crypto.subtle.verify('HMAC', key, given, signed)) return parseEvent(bytes);
    }
  }
  throw invalid('No signature is that of the secret.');
}

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [value] = Object.entries(headers).filter(([each]) => each.toLowerCase() === name);
  return value?.[1]?.toString();
}

function importSecret(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  const bytes = decodeBase64(secret.trim().replace(/^whsec_/, ''));
  if (!bytes?.length) {
    throw new GleanerError('The secret is not one of Standard Webhooks: whsec_… and base64.', {
      code: 'INVALID_OPTION',
      source: 'client',
      suggestion: 'Use the secret as GET /v1/webhooks/secret returns it.',
    });
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function parseEvent(bytes: Uint8Array): WebhookEvent {
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}

function invalid(message: string): GleanerError {
  return new GleanerError(message, {
    code: 'INVALID_SIGNATURE',
    source: 'client',
    suggestion:
      'Answer 400 and do not trust the request. Verify the raw body, with the secret of GET /v1/webhooks/secret.',
  });
}
