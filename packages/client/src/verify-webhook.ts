import { GleanerError } from './error.ts';
import type { WebhookEvent } from './generated/openapi.ts';
import { joinBytes } from './read-lines.ts';

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
