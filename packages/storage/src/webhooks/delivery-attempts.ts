import { defined } from '@gleaner/contracts';
import type { Model, UpdateQuery } from 'mongoose';
import { exactly } from '../document-schema.ts';
import type { DeliveryDocument, StoredAttempt } from './delivery-model.ts';
import { laneOf, sentKeyOf } from './message-lanes.ts';
import { type StoredDelivery, toStoredDelivery, WITHOUT_BODY } from './stored-delivery.ts';

/** Delivery claimed by a notifier, with its body. */
export type ClaimedDelivery = StoredDelivery & Pick<DeliveryDocument, 'body'>;

/** Attempt at a delivery, counted from 1, that is due by `now`. */
export interface DueAttempt {
  readonly id: string;
  readonly attempt: number;
  readonly now: Date;
}

/** Attempt that a notifier wants to make, and the end of its lease. */
export interface ClaimRequest extends DueAttempt {
  readonly leasedUntil: Date;
}

/** Consequence of an attempt: the next attempt, or the final state. */
export type DeliveryVerdict =
  | { readonly status: 'pending'; readonly nextAttemptAt: Date }
  | { readonly status: 'delivered' | 'failed' | 'gone'; readonly reason?: string };

/** Number of attempts kept of a delivery that is sent again and again. */
const MAX_ATTEMPTS_KEPT = 50;

/** Store of the attempts at webhook deliveries: claims, outcomes and the times of the next ones. */
export class DeliveryAttempts {
  readonly #deliveries: Model<DeliveryDocument>;

  constructor(deliveries: Model<DeliveryDocument>) {
    this.#deliveries = deliveries;
  }

  /** Claims the delivery for one attempt; returns null unless that attempt is due and unclaimed. */
  async claim({ id, attempt, now, leasedUntil }: ClaimRequest): Promise<ClaimedDelivery | null> {
    const document = await this.#deliveries
      .findOneAndUpdate(
        dueFilter({ id, attempt, now }),
        { $set: { leasedUntil, nextAttemptAt: leasedUntil }, $inc: { claim: 1 } },
        { returnDocument: 'after' },
      )
      .lean();
    return document && { ...toStoredDelivery(document), body: document.body };
  }

  /** Extends the lease of a claimed delivery; returns false if the claim does not hold any more. */
  async extendLease(
    { id, claim }: Pick<StoredDelivery, 'id' | 'claim'>,
    leasedUntil: Date,
  ): Promise<boolean> {
    const { matchedCount } = await this.#deliveries.updateOne(
      { _id: id, claim, leasedUntil: { $exists: true } },
      { $set: { leasedUntil, nextAttemptAt: leasedUntil } },
    );
    return matchedCount > 0;
  }

  /** Records an attempt and its consequence; returns false if another notifier has claimed the delivery since. */
  async recordAttempt(
    { id, claim, ...message }: Pick<StoredDelivery, 'id' | 'claim' | 'type' | 'channelId'>,
    attempt: StoredAttempt,
    verdict: DeliveryVerdict,
  ): Promise<boolean> {
    const endedAt = new Date(attempt.at.getTime() + attempt.durationMs);
    const sent = verdict.status === 'delivered' ? sentKeyOf(message, endedAt) : {};
    const { modifiedCount } = await this.#deliveries.updateOne(
      { _id: id, claim, leasedUntil: { $exists: true } },
      {
        ...verdictUpdate(verdict, endedAt, sent),
        $push: { attempts: { $each: [{ ...attempt }], $slice: -MAX_ATTEMPTS_KEPT } },
        $inc: { attemptCount: 1 },
      },
    );
    return modifiedCount > 0;
  }

  /** Postpones a due attempt, unless it has been made or is being made. */
  async postpone(due: DueAttempt, nextAttemptAt: Date): Promise<void> {
    await this.#deliveries.updateOne(dueFilter(due), { $set: { nextAttemptAt } });
  }

  /** Fails a delivery without another attempt, unless it is being sent. */
  async giveUp(due: DueAttempt, reason: string): Promise<void> {
    await this.#deliveries.updateOne(dueFilter(due), verdictUpdate({ status: 'failed', reason }, due.now));
  }

  /**
   * Starts a new round of attempts at once, unless the delivery is being sent now. Returns the delivery after that,
   * or null if the account has no such delivery.
   */
  async restart(accountId: string, id: string, now: Date): Promise<StoredDelivery | null> {
    const ours = { _id: exactly(id), accountId: exactly(accountId) };
    const known = await this.#deliveries.findOne(ours).select(WITHOUT_BODY).lean();
    if (!known) return null;
    const round = { roundStart: '$attemptCount', roundStartedAt: now, nextAttemptAt: now, ...laneOf(known) };
    const restarted = await this.#deliveries
      .findOneAndUpdate(
        { ...ours, $or: [{ leasedUntil: { $exists: false } }, { leasedUntil: { $lte: now } }] },
        [
          { $set: { status: 'pending', ...round } },
          { $unset: ['leasedUntil', 'endedAt', 'reason', 'isHeld', 'digestId'] },
        ],
        { returnDocument: 'after', updatePipeline: true },
      )
      .select(WITHOUT_BODY)
      .lean();
    return toStoredDelivery(restarted ?? known);
  }

  /** Claims the delivery that has been due the longest since before `since`, or returns null. */
  async claimOverdue(since: Date, now: Date): Promise<StoredDelivery | null> {
    const document = await this.#deliveries
      .findOneAndUpdate(
        { nextAttemptAt: { $lte: since } },
        { $set: { nextAttemptAt: now } },
        { sort: { nextAttemptAt: 1 }, returnDocument: 'after' },
      )
      .select(WITHOUT_BODY)
      .lean();
    return document && toStoredDelivery(document);
  }
}

/** Matches the delivery if this attempt is due; while a notifier makes it, it is due again when the lease expires. */
function dueFilter({ id, attempt, now }: DueAttempt) {
  return { _id: id, attemptCount: attempt - 1, nextAttemptAt: { $lte: now } };
}

function verdictUpdate(
  verdict: DeliveryVerdict,
  at: Date,
  sent: Pick<DeliveryDocument, 'sentKey'> = {},
): UpdateQuery<DeliveryDocument> {
  if (verdict.status === 'pending') {
    return { $set: { nextAttemptAt: verdict.nextAttemptAt }, $unset: { leasedUntil: 1 } };
  }
  const { status, reason } = verdict;
  return {
    $set: { status, endedAt: at, ...sent, ...defined({ reason }) },
    $unset: { leasedUntil: 1, nextAttemptAt: 1, lane: 1 },
  };
}
