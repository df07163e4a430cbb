import { AppError } from '@gleaner/contracts';
import { type HttpClient, parseRetryAfter } from '@gleaner/egress';
import { type ClaimedDelivery, type Stores, validRetired } from '@gleaner/storage';
import { isSuccess, type TryOutcome } from './decide-verdict.ts';
import { generateSecret, signMessage } from './sign-message.ts';

/** What a try takes. */
export interface TryDeps {
  readonly stores: Pick<Stores, 'webhookSecrets'>;
  /** Takes redirects for answers and reads the beginning of bodies. */
  readonly httpClient: HttpClient;
  readonly timeoutMs: number;
  /** Ends what is under way when the process can't wait any longer. */
  readonly stopping: AbortSignal;
}

/** A try, for the log, and what it means for the next one. */
export interface MadeTry {
  readonly outcome: TryOutcome;
  readonly record: {
    readonly at: Date;
    readonly durationMs: number;
    readonly statusCode?: number;
    readonly error?: string;
    readonly response?: string;
  };
}

const MAX_RESPONSE_LENGTH = 500;

/** Sends a delivery once, signed for this moment. Whatever the endpoint does is told; throws when it is not its doing. */
export async function makeTry(delivery: ClaimedDelivery, deps: TryDeps): Promise<MadeTry> {
  const { httpClient, timeoutMs, stopping } = deps;
  const secrets = await secretsOf(delivery.accountId, deps);
  const at = new Date();
  const { eventId: id, url, body } = delivery;
  const signature = signMessage({ id, timestampSeconds: Math.floor(at.getTime() / 1000), body }, secrets);
  const request = {
    url,
    method: 'POST',
    headers: { ...HEADERS, ...signature },
    body: Buffer.from(body),
    deadlineMs: at.getTime() + timeoutMs,
  };
  const durationMs = () => Math.max(0, Date.now() - at.getTime());
  try {
    const { statusCode, headers, body: response } = await httpClient.fetchPage(request, stopping);
    const retryAfterSeconds = parseRetryAfter(headers['retry-after'], Date.now());
    const refusal = isSuccess(statusCode) ? {} : refusalOf(statusCode, response);
    return {
      outcome: { statusCode, retryAfterSeconds },
      record: { at, durationMs: durationMs(), statusCode, ...refusal },
    };
  } catch (error) {
    if (stopping.aborted || !(error instanceof AppError)) throw error;
    return {
      outcome: { statusCode: undefined },
      record: { at, durationMs: durationMs(), error: error.message },
    };
  }
}

const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Gleaner-Webhooks/1 (+https://www.standardwebhooks.com)',
  accept: '*/*',
  'accept-encoding': 'identity',
};

async function secretsOf(accountId: string, { stores: { webhookSecrets } }: TryDeps): Promise<string[]> {
  const now = new Date();
  const known = await webhookSecrets.findSecret(accountId);
  const stored = known ?? (await webhookSecrets.ensureSecret(accountId, generateSecret(), now));
  return [stored.secret, ...validRetired(stored, now).map(({ secret }) => secret)];
}

function refusalOf(statusCode: number, body: Buffer) {
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const response = printable(body);
  return {
    error: isRedirect
      ? `The endpoint answered ${statusCode}; redirects are not followed.`
      : `The endpoint answered ${statusCode}.`,
    ...(response !== '' && { response }),
  };
}

/** How the body begins, as text that can do no harm in a log. */
function printable(body: Buffer): string {
  const text = body.toString().replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ');
  return text.trim().slice(0, MAX_RESPONSE_LENGTH).toWellFormed();
}
