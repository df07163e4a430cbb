import { AppError } from '@gleaner/contracts';
import { type HttpClient, parseRetryAfter } from '@gleaner/egress';
import { type ClaimedDelivery, type Stores, validRetired } from '@gleaner/storage';
import { type AttemptOutcome, isSuccess } from './decide-verdict.ts';
import { generateSecret, signForFirecrawl, signMessage } from './sign-message.ts';

/** Collaborators and settings of an attempt. */
export interface AttemptDeps {
  readonly stores: Pick<Stores, 'clock' | 'webhookSecrets'>;
  /** Returns redirects as answers and reads only the beginning of bodies. */
  readonly httpClient: HttpClient;
  readonly timeoutMs: number;
  /** Ends an attempt when the process cannot wait for it any longer. */
  readonly stopping: AbortSignal;
}

/** An attempt's outcome, and its record for the delivery's log. */
export interface SentAttempt {
  readonly outcome: AttemptOutcome;
  readonly record: {
    readonly at: Date;
    readonly durationMs: number;
    readonly statusCode?: number;
    readonly error?: string;
    readonly response?: string;
  };
}

const MAX_RESPONSE_LENGTH = 500;

/** Sends a delivery once, signed with the present time. Errors of the endpoint are returned, others are thrown. */
export async function sendAttempt(delivery: ClaimedDelivery, deps: AttemptDeps): Promise<SentAttempt> {
  const { httpClient, timeoutMs, stopping } = deps;
  const secrets = await secretsOf(delivery.accountId, deps);
  const at = deps.stores.clock.now();
  const startedAtMs = performance.now();
  const { eventId: id, url, body, firecrawlHeadersJson } = delivery;
  const signature = signMessage({ id, timestampSeconds: Math.floor(at.getTime() / 1000), body }, secrets);
  const request = {
    url,
    method: 'POST',
    headers: {
      ...(firecrawlHeadersJson !== undefined && {
        ...JSON.parse(firecrawlHeadersJson),
        ...signForFirecrawl(body, secrets),
      }),
      ...{ ...HEADERS, ...signature },
    },
    body: Buffer.from(body),
    deadlineMs: Date.now() + timeoutMs,
  };
  const durationMs = () => Math.round(performance.now() - startedAtMs);
  try {
    const { statusCode, headers, body: response } = await httpClient.fetchPage(request, stopping);
    const retryAfterSeconds = parseRetryAfter(headers['retry-after'], Date.now());
    const error = isSuccess(statusCode) ? {} : errorOf(statusCode, response);
    return {
      outcome: { statusCode, retryAfterSeconds },
      record: { at, durationMs: durationMs(), statusCode, ...error },
    };
  } catch (error) {
    if (stopping.aborted || !(error instanceof AppError)) throw error;
    return {
      outcome: { statusCode: undefined },
      record: { at, durationMs: durationMs(), error: explain(error) },
    };
  }
}

/** Returns the words of an error. What allows a private address is said where the sender can act on it. */
function explain({ code, message, suggestion }: AppError): string {
  return code === 'INVALID_URL' ? `${message} ${suggestion}` : message;
}

const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Gleaner-Webhooks/1 (+https://www.standardwebhooks.com)',
  accept: '*/*',
  'accept-encoding': 'identity',
};

async function secretsOf(
  accountId: string,
  { stores: { clock, webhookSecrets } }: AttemptDeps,
): Promise<string[]> {
  const now = clock.now();
  const existing = await webhookSecrets.findSecret(accountId);
  const stored = existing ?? (await webhookSecrets.ensureSecret(accountId, generateSecret(), now));
  return [stored.secret, ...validRetired(stored, now).map(({ secret }) => secret)];
}

function errorOf(statusCode: number, body: Buffer) {
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const response = printable(body);
  return {
    error: isRedirect
      ? `The endpoint answered ${statusCode}; redirects are not followed.`
      : `The endpoint answered ${statusCode}.`,
    ...(response !== '' && { response }),
  };
}

/** Returns the beginning of the body without control characters, for the log. */
function printable(body: Buffer): string {
  const text = body.toString().replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ');
  return text.trim().slice(0, MAX_RESPONSE_LENGTH).toWellFormed();
}
