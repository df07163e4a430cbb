import type { Broker } from '@gleaner/broker';
import type { DeliveryTurn } from '@gleaner/contracts';
import type { Counter, Logger } from '@gleaner/service-kit';
import type { ClaimedDelivery, DeliveryVerdict, StoredDelivery, Stores } from '@gleaner/storage';
import type { TryReport } from '../endpoints/breaker.ts';
import type { EndpointGate, Entrant } from '../endpoints/endpoint-gate.ts';
import { decideVerdict, retryAfterMsOf, type TryOutcome } from './decide-verdict.ts';
import { type MadeTry, makeTry, type TryDeps } from './make-try.ts';
import { deferralMs, planTurn } from './plan-turn.ts';

/** What sending deliveries takes. */
export interface TurnDeps extends TryDeps {
  readonly stores: Pick<Stores, 'deliveries' | 'webhookSecrets'>;
  readonly broker: Pick<Broker, 'postponeWork'>;
  readonly gate: EndpointGate;
  readonly logger: Logger;
  readonly tries: Counter<'outcome'>;
  readonly retryDelaysMs: readonly number[];
  readonly giveUpAfterMs: number;
}

/**
 * Makes the try that a message says is due, if the database says so too and the endpoint has room for it, and queues
 * what comes after it. Throws SERVICE_UNAVAILABLE while the database is away.
 */
export async function onTurn(turn: DeliveryTurn, deps: TurnDeps): Promise<void> {
  const { deliveries } = deps.stores;
  const { deliveryId: id, attempt } = turn;
  const delivery = await deliveries.readDelivery(id);
  const now = new Date();
  const plan = planTurn(turn, delivery, { nowMs: now.getTime(), giveUpAfterMs: deps.giveUpAfterMs });
  if (!delivery || plan.do === 'forget') return;
  if (plan.do === 'wait') return await putOff(turn, plan.waitMs, deps);
  if (plan.do === 'give-up') return await deliveries.giveUp({ id, attempt, now }, GIVEN_UP);
  const pass = deps.gate.enter(entrantOf(delivery), now.getTime());
  if (!pass) return await defer(turn, now, deps);
  let outcome: TryOutcome | undefined;
  try {
    outcome = await claimAndTry(turn, now, deps);
  } finally {
    pass.leave(outcome && reportOf(outcome));
  }
}

const GIVEN_UP = 'It could not be delivered in the time that there is for it.';

/** A lease outlasts the try and the writing of what came of it. */
function leaseMs(timeoutMs: number): number {
  return 2 * timeoutMs + 2000;
}

async function claimAndTry(turn: DeliveryTurn, now: Date, deps: TurnDeps): Promise<TryOutcome | undefined> {
  const { deliveryId: id, attempt } = turn;
  const leasedUntil = new Date(now.getTime() + leaseMs(deps.timeoutMs));
  const claimed = await deps.stores.deliveries.claim({ id, attempt, now, leasedUntil });
  if (!claimed) return undefined;
  const made = await makeTry(claimed, deps);
  await conclude(claimed, made, deps);
  return made.outcome;
}

async function conclude(
  delivery: ClaimedDelivery,
  { outcome, record }: MadeTry,
  deps: TurnDeps,
): Promise<void> {
  const { stores, logger, tries, retryDelaysMs } = deps;
  const attempt = delivery.attemptCount + 1;
  const verdict = decideVerdict({
    outcome,
    triesInRound: attempt - delivery.roundStart,
    retryDelaysMs: delivery.type === 'webhook.test' ? [] : retryDelaysMs,
    random: Math.random(),
    now: new Date(),
  });
  tries.inc({ outcome: verdict.status });
  const isOurs = await stores.deliveries.recordAttempt(delivery, record, verdict);
  const { statusCode, error } = record;
  logger.debug({ deliveryId: delivery.id, attempt, statusCode, error, isOurs }, 'Tried a delivery.');
  if (!isOurs) return;
  if (verdict.status === 'pending') await scheduleNext(delivery, attempt + 1, verdict, deps);
  else if (verdict.status !== 'delivered') {
    logger.warn(
      { deliveryId: delivery.id, attempt, reason: verdict.reason },
      'A delivery has failed for good.',
    );
  }
}

/** Where the broker is away, the reconciler finds the try when it is due. */
async function scheduleNext(
  { id }: StoredDelivery,
  attempt: number,
  { nextAttemptAt }: DeliveryVerdict & { status: 'pending' },
  deps: TurnDeps,
): Promise<void> {
  const turn = { deliveryId: id, attempt, deferrals: 0 };
  await putOff(turn, nextAttemptAt.getTime() - Date.now(), deps).catch((err: unknown) => {
    deps.logger.warn({ err, deliveryId: id }, 'A retry was not queued; it is queued when it is due.');
  });
}

async function defer(turn: DeliveryTurn, now: Date, deps: TurnDeps): Promise<void> {
  const { deliveryId: id, attempt, deferrals } = turn;
  const waitMs = deferralMs(deferrals, Math.random());
  await deps.stores.deliveries.postpone({ id, attempt, now }, new Date(now.getTime() + waitMs));
  await putOff({ ...turn, deferrals: deferrals + 1 }, waitMs, deps);
}

async function putOff(turn: DeliveryTurn, waitMs: number, { broker }: TurnDeps): Promise<void> {
  await broker.postponeWork('webhooks.deliveries', turn, waitMs);
}

/**
 * An endpoint is a URL without its query. Accounts do not share what is known of it, nor do the endpoints of one host:
 * one's mistakes must not hold up another's deliveries.
 */
function entrantOf({ accountId, url, bodyBytes }: StoredDelivery): Entrant {
  const { origin, pathname } = URL.parse(url) ?? { origin: url, pathname: '' };
  return { key: `${accountId} ${origin}${pathname}`, bodyBytes };
}

/** An endpoint that answers at all is healthy, unless it says that it can't keep up. */
function reportOf(outcome: TryOutcome): TryReport {
  const { statusCode } = outcome;
  const isHealthy = statusCode !== undefined && statusCode < 500 && statusCode !== TOO_MANY_REQUESTS;
  return { isHealthy, retryAfterMs: retryAfterMsOf(outcome), nowMs: Date.now() };
}

const TOO_MANY_REQUESTS = 429;
