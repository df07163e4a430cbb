import type { Broker } from '@gleaner/broker';
import { type Backoff, backoffMs, type DeliveryTurn, SINK_DELIVERY } from '@gleaner/contracts';
import type { Counter, Logger, Tracer } from '@gleaner/service-kit';
import type { ClaimedDelivery, DeliveryVerdict, StoredDelivery } from '@gleaner/storage';
import { type AttemptOutcome, decideVerdict, retryAfterMsOf } from './decide-verdict.ts';
import type { AttemptReport, EndpointGate, EntryRequest, Pass } from './endpoint-gate.ts';
import { afterMessage, turnOf } from './message-turn.ts';
import { type AttemptDeps, type SentAttempt, sendAttempt } from './send-attempt.ts';

/** Collaborators and settings of sending deliveries. */
export interface TurnDeps extends AttemptDeps {
  readonly broker: Pick<Broker, 'postponeWork' | 'publishWork'>;
  readonly gate: EndpointGate;
  /** Limits the jobs that are written to sinks at once. */
  readonly sinkGate: EndpointGate;
  /** Takes the work that goes on after its message. */
  readonly runOn: (work: Promise<unknown>) => void;
  readonly logger: Logger;
  readonly attempts: Counter<'outcome'>;
  readonly retryDelaysMs: readonly number[];
  readonly giveUpAfterMs: number;
  readonly tracer?: Pick<Tracer, 'note'>;
}

/**
 * Makes the announced attempt if the database confirms it as due and the endpoint has room, and queues the next one.
 * Throws SERVICE_UNAVAILABLE while the database is unreachable.
 */
export async function onTurn(turn: DeliveryTurn, deps: TurnDeps): Promise<void> {
  const { clock, deliveries } = deps.stores;
  const { deliveryId: id, attempt } = turn;
  const delivery = await deliveries.readDelivery(id);
  const now = clock.now();
  const plan = planTurn(turn, delivery, { nowMs: now.getTime(), giveUpAfterMs: deps.giveUpAfterMs });
  if (!delivery || plan.do === 'forget') return;
  if (plan.do === 'wait') return await postpone(turn, plan.waitMs, deps);
  if (plan.do === 'give-up') {
    await deliveries.giveUp({ id, attempt, now }, GIVEN_UP);
    return await afterMessage(delivery, 'failed', deps);
  }
  const place = await turnOf(delivery, deps);
  if (place.do === 'forget') return;
  if (place.do === 'wait') {
    await deliveries.postpone({ id, attempt, now: clock.now() }, place.until);
    return place.isAnnounced ? await postpone(turn, place.until.getTime() - clock.nowMs(), deps) : undefined;
  }
  const isSink = delivery.type === SINK_DELIVERY;
  const pass = (isSink ? deps.sinkGate : deps.gate).enter(entryRequestOf(delivery), now.getTime());
  if (!pass) return await defer(turn, now, deps);
  const sent = sendAndLeave(turn, now, pass, deps);
  // Writing may take longer than a broker waits for an acknowledgement: the lease tells whether it goes on.
  if (isSink) deps.runOn(sent);
  else await sent;
}

async function sendAndLeave(turn: DeliveryTurn, now: Date, pass: Pass, deps: TurnDeps): Promise<void> {
  let outcome: AttemptOutcome | undefined;
  try {
    outcome = await claimAndSend(turn, now, deps);
  } finally {
    pass.leave(outcome && reportOf(outcome, deps.stores.clock.nowMs()));
  }
}

const GIVEN_UP = 'The event could not be delivered before its time limit.';

/** Returns the length of a lease: it outlasts the attempt and the writing of its outcome. */
function leaseMs(timeoutMs: number): number {
  return 2 * timeoutMs + 2000;
}

async function claimAndSend(
  turn: DeliveryTurn,
  now: Date,
  deps: TurnDeps,
): Promise<AttemptOutcome | undefined> {
  const { deliveryId: id, attempt } = turn;
  const leasedUntil = new Date(now.getTime() + leaseMs(deps.timeoutMs));
  const claimed = await deps.stores.deliveries.claim({ id, attempt, now, leasedUntil });
  if (!claimed) return undefined;
  const sent = await sendAttempt(claimed, deps);
  noteSpan(claimed, sent, deps);
  await recordOutcome(claimed, sent, deps);
  return sent.outcome;
}

/** Records the attempt as a span of the delivery's trace, if it has one. */
function noteSpan(delivery: ClaimedDelivery, { record }: SentAttempt, { tracer }: TurnDeps): void {
  const { traceparent: parent, id, type, url, attemptCount } = delivery;
  if (parent === undefined) return;
  const { at, durationMs, statusCode, error } = record;
  tracer?.note({
    name: 'webhook attempt',
    kind: 'client',
    parent,
    startedAtMs: at.getTime(),
    durationMs,
    attributes: {
      'gleaner.delivery.id': id,
      'gleaner.event.type': type,
      'gleaner.attempt': attemptCount + 1,
      'server.address': URL.parse(url)?.hostname,
      'http.response.status_code': statusCode,
    },
    ...(error !== undefined && { error: statusCode === undefined ? 'UNREACHABLE' : String(statusCode) }),
  });
}

async function recordOutcome(
  delivery: ClaimedDelivery,
  { outcome, record }: SentAttempt,
  deps: TurnDeps,
): Promise<void> {
  const { stores, logger, attempts, retryDelaysMs } = deps;
  const attempt = delivery.attemptCount + 1;
  const verdict = decideVerdict({
    outcome,
    attemptsInRound: attempt - delivery.roundStart,
    retryDelaysMs: TESTS.has(delivery.type) ? [] : retryDelaysMs,
    random: Math.random(),
    now: stores.clock.now(),
  });
  attempts.inc({ outcome: verdict.status });
  const isRecorded = await stores.deliveries.recordAttempt(delivery, record, verdict);
  const { statusCode, error } = record;
  logger.debug(
    { deliveryId: delivery.id, attempt, statusCode, error, isRecorded },
    'An attempt at a delivery was made.',
  );
  if (!isRecorded) return;
  if (verdict.status === 'pending') return await scheduleNext(delivery, attempt + 1, verdict, deps);
  await afterMessage(delivery, verdict.status, deps);
  if (verdict.status !== 'delivered') {
    logger.warn({ deliveryId: delivery.id, attempt, reason: verdict.reason }, 'A delivery has failed.');
  }
}

/** Types of deliveries that are attempted once. */
const TESTS: ReadonlySet<string> = new Set(['webhook.test', 'channel.test']);

/** Queues the next attempt. If the broker is unreachable, the reconciler queues it when it is due. */
async function scheduleNext(
  { id }: StoredDelivery,
  attempt: number,
  { nextAttemptAt }: DeliveryVerdict & { status: 'pending' },
  deps: TurnDeps,
): Promise<void> {
  const turn = { deliveryId: id, attempt, deferrals: 0 };
  await postpone(turn, nextAttemptAt.getTime() - deps.stores.clock.nowMs(), deps).catch((err: unknown) => {
    deps.logger.warn(
      { err, deliveryId: id },
      'A retry was not queued; the reconciler queues it when it is due.',
    );
  });
}

async function defer(turn: DeliveryTurn, now: Date, deps: TurnDeps): Promise<void> {
  const { deliveryId: id, attempt, deferrals } = turn;
  const waitMs = deferralMs(deferrals, Math.random());
  await deps.stores.deliveries.postpone({ id, attempt, now }, new Date(now.getTime() + waitMs));
  await postpone({ ...turn, deferrals: deferrals + 1 }, waitMs, deps);
}

async function postpone(turn: DeliveryTurn, waitMs: number, { broker }: TurnDeps): Promise<void> {
  await broker.postponeWork('webhooks.deliveries', turn, waitMs);
}

/**
 * Identifies the endpoint: a sink, a channel, or a URL of one account without its query. Neither accounts nor the endpoints of one host share
 * their health, so that one that fails does not hold up deliveries to another.
 */
function entryRequestOf({ accountId, channelId, type, url, bodyBytes }: StoredDelivery): EntryRequest {
  if (type === SINK_DELIVERY) return { key: URL.parse(url)?.hostname ?? url, bodyBytes };
  if (channelId !== undefined) return { key: `${accountId} ${channelId}`, bodyBytes };
  const { origin, pathname } = URL.parse(url) ?? { origin: url, pathname: '' };
  return { key: `${accountId} ${origin}${pathname}`, bodyBytes };
}

/** Reports any answer as healthy, except 429 and 5xx. */
function reportOf(outcome: AttemptOutcome, nowMs: number): AttemptReport {
  const { statusCode } = outcome;
  const isHealthy = statusCode !== undefined && statusCode < 500 && statusCode !== TOO_MANY_REQUESTS;
  return { isHealthy, retryAfterMs: retryAfterMsOf(outcome), nowMs };
}

const TOO_MANY_REQUESTS = 429;

/** Plan for a message about a delivery. */
type TurnPlan =
  | { readonly do: 'send' }
  /** The message is outdated or a duplicate. */
  | { readonly do: 'forget' }
  | { readonly do: 'wait'; readonly waitMs: number }
  | { readonly do: 'give-up' };

/** Decides from the database how to handle a late, early or duplicate message. */
export function planTurn(
  { attempt }: Pick<DeliveryTurn, 'attempt'>,
  delivery: Pick<StoredDelivery, 'attemptCount' | 'nextAttemptAt' | 'roundStartedAt'> | null,
  { nowMs, giveUpAfterMs }: { readonly nowMs: number; readonly giveUpAfterMs: number },
): TurnPlan {
  if (!delivery?.nextAttemptAt || delivery.attemptCount !== attempt - 1) return { do: 'forget' };
  const waitMs = delivery.nextAttemptAt.getTime() - nowMs;
  if (waitMs > 0) return { do: 'wait', waitMs };
  return nowMs - delivery.roundStartedAt.getTime() > giveUpAfterMs ? { do: 'give-up' } : { do: 'send' };
}

const DEFERRAL: Backoff = { firstMs: 100, longestMs: 30_000, jitter: 'half' };

/** Returns the delay of a delivery whose endpoint has no room: longer each time, with jitter. */
export function deferralMs(deferrals: number, random: number): number {
  return backoffMs(DEFERRAL, deferrals, 1 - random);
}
