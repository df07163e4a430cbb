import { AppError, SINK_DELIVERY } from '@gleaner/contracts';
import { type FetchRequest, type HttpClient, parseRetryAfter } from '@gleaner/egress';
import { type ClaimedDelivery, type Stores, validRetired } from '@gleaner/storage';
import { sendMail } from '../channels/send-mail.ts';
import { bodyOf, type MessageDeps, type Route, readText, routeOf } from '../channels/send-message.ts';
import { type SinkDeps, type SinkOutcome, writeToSink } from '../sinks/write-to-sink.ts';
import { type AttemptOutcome, isSuccess } from './decide-verdict.ts';
import { generateSecret, signForFirecrawl, signMessage } from './sign-message.ts';

/** Collaborators and settings of an attempt. */
export interface AttemptDeps extends MessageDeps, SinkDeps {
  readonly stores: SinkDeps['stores'] & Pick<Stores, 'clock' | 'webhookSecrets' | 'channels' | 'deliveries'>;
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

/** Outcome of an attempt, and what the log says of it. */
interface Answer {
  readonly outcome: AttemptOutcome;
  readonly log: { readonly statusCode?: number; readonly error?: string; readonly response?: string };
}

const MAX_RESPONSE_LENGTH = 500;

/** Sends a delivery once. Errors of the endpoint are returned, others are thrown. */
export async function sendAttempt(delivery: ClaimedDelivery, deps: AttemptDeps): Promise<SentAttempt> {
  const at = deps.stores.clock.now();
  const startedAtMs = performance.now();
  const { outcome, log } = await answerTo(delivery, deps);
  return { outcome, record: { at, durationMs: Math.round(performance.now() - startedAtMs), ...log } };
}

async function answerTo(delivery: ClaimedDelivery, deps: AttemptDeps): Promise<Answer> {
  if (delivery.type === SINK_DELIVERY) return answerOfSink(await writeToSink(delivery, deps));
  if (delivery.channelId !== undefined) return await sendMessage(delivery, deps);
  return await post(await signedRequest(delivery, delivery, deps), deps);
}

function answerOfSink({ endReason, ...log }: SinkOutcome): Answer {
  if (endReason !== undefined) return ended(endReason);
  if (log.error !== undefined) return { outcome: { statusCode: undefined }, log };
  return { outcome: { statusCode: 200, retryAfterSeconds: undefined }, log: {} };
}

/** Returns the answer of a delivery that no other attempt can save. */
function ended(reason: string, status: 'failed' | 'gone' = 'failed'): Answer {
  return { outcome: { statusCode: undefined, end: { status, reason } }, log: { error: reason } };
}

/** Sends a message to its channel, and notes whether the channel is gone. */
async function sendMessage(delivery: ClaimedDelivery, deps: AttemptDeps): Promise<Answer> {
  const { channels } = deps.stores;
  const { accountId, channelId = '', type } = delivery;
  const channel = await channels.findChannel(accountId, channelId);
  const body = await bodyOf(delivery, deps);
  const isTest = type === 'channel.test';
  const { secretBox, mail, apprise } = deps;
  const route = routeOf(channel, readText(body), { secretBox, mail, apprise, isTest });
  const answer = await sendBy(route, { ...delivery, body }, deps);
  const { statusCode } = answer.outcome;
  if (channel && channel.status !== 'gone' && statusCode === GONE) await channels.setState(channel, 'gone');
  if (channel?.status === 'gone' && isSuccess(statusCode)) await channels.setState(channel, 'active');
  return answer;
}

const GONE = 410;

async function sendBy(route: Route, delivery: ClaimedDelivery, deps: AttemptDeps): Promise<Answer> {
  const { timeoutMs, stopping: signal } = deps;
  if (route.via === 'none') return ended(route.reason, route.status);
  if (route.via === 'webhook') return await post(await signedRequest(route, delivery, deps), deps);
  if (route.via === 'mail') {
    const { to, mail } = route;
    const letter = { to, id: delivery.eventId, ...readText(delivery.body) };
    const { replyCode: statusCode, error } = await sendMail(letter, mail, { timeoutMs, signal });
    const log = { ...(statusCode !== undefined && { statusCode }), ...(error !== undefined && { error }) };
    if (statusCode === undefined) return { outcome: { statusCode }, log };
    return { outcome: { statusCode, retryAfterSeconds: undefined, isRejected: statusCode >= 500 }, log };
  }
  const { request, httpClient = deps.httpClient } = route;
  const { outcome, log } = await post(
    {
      url: request.url,
      method: 'POST',
      headers: { ...request.headers, ...HEADERS },
      body: Buffer.from(JSON.stringify(request.body)),
      deadlineMs: Date.now() + timeoutMs,
    },
    { ...deps, httpClient },
  );
  const { statusCode } = outcome;
  if (statusCode === undefined || !isAboutMessage(statusCode)) return { outcome, log };
  return { outcome: { ...outcome, isRejected: true }, log };
}

/** Statuses after which another attempt can succeed. */
const PASSING = new Set([408, 409, GONE, 425, 429]);

/** Returns whether a status says that a service will never take this message: later ones need not wait for it. */
function isAboutMessage(statusCode: number): boolean {
  return statusCode >= 400 && statusCode < 500 && !PASSING.has(statusCode);
}

/** Returns the request of an event, signed with the present time. */
async function signedRequest(
  { url }: { readonly url: string },
  delivery: ClaimedDelivery,
  deps: AttemptDeps,
): Promise<FetchRequest> {
  const { accountId, eventId: id, body, firecrawlHeadersJson } = delivery;
  const secrets = await secretsOf(accountId, deps);
  const at = deps.stores.clock.now();
  const signature = signMessage({ id, timestampSeconds: Math.floor(at.getTime() / 1000), body }, secrets);
  return {
    url,
    method: 'POST',
    headers: {
      ...(firecrawlHeadersJson !== undefined && {
        ...JSON.parse(firecrawlHeadersJson),
        ...signForFirecrawl(body, secrets),
      }),
      ...HEADERS,
      ...signature,
    },
    body: Buffer.from(body),
    deadlineMs: Date.now() + deps.timeoutMs,
  };
}

async function post(
  request: FetchRequest,
  { httpClient, stopping }: Pick<AttemptDeps, 'httpClient' | 'stopping'>,
): Promise<Answer> {
  try {
    const { statusCode, headers, body: response } = await httpClient.fetchPage(request, stopping);
    const retryAfterSeconds = parseRetryAfter(headers['retry-after'], Date.now());
    const error = isSuccess(statusCode) ? {} : errorOf(statusCode, response);
    return { outcome: { statusCode, retryAfterSeconds }, log: { statusCode, ...error } };
  } catch (error) {
    if (stopping.aborted || !(error instanceof AppError)) throw error;
    return { outcome: { statusCode: undefined }, log: { error: explain(error) } };
  }
}

/** Returns the message of an error; for an invalid URL, with the advice on private addresses. */
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
