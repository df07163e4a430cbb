import { createHash } from 'node:crypto';
import type { mongo } from 'mongoose';
import type { Database } from '../database/connect-database.ts';
import { guarded } from '../database/guarded.ts';
import { driverCollection } from '../database/models.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import type { Page } from '../keys/key-store.ts';
import type { DeliveryDocument, StoredAttempt } from './delivery-model.ts';

/** A delivery as it is stored, under its id, without what is sent. */
export type StoredDelivery = Omit<DeliveryDocument, '_id' | 'body' | 'endpoint' | 'expiresAt'> & {
  readonly id: string;
};

/** A delivery in the hands of one notifier, with what is to be sent. */
export type ClaimedDelivery = StoredDelivery & Pick<DeliveryDocument, 'body'>;

/** What a delivery is made of; its first try is due at once. */
export type NewDelivery = Pick<
  DeliveryDocument,
  'accountId' | 'eventId' | 'type' | 'url' | 'body' | 'createdAt' | 'expiresAt'
> &
  Partial<Pick<DeliveryDocument, 'jobId' | 'scheduleId'>> & { readonly id: string };

/** A try at a delivery, counted from 1, that should be made by now. */
export interface DueTry {
  readonly id: string;
  readonly attempt: number;
  readonly now: Date;
}

/** Which try a notifier wants to make, and how long nobody else may. */
export interface ClaimRequest extends DueTry {
  readonly leasedUntil: Date;
}

/** What comes after a try: another at a moment, or none. */
export type DeliveryVerdict =
  | { readonly status: 'pending'; readonly nextAttemptAt: Date }
  | { readonly status: 'delivered' | 'failed' | 'gone'; readonly reason?: string };

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/** Tries that are kept of a delivery that is sent again and again. */
const MAX_ATTEMPTS_KEPT = 50;
const WITHOUT_BODY = { body: 0 };

/** Deliveries of webhooks; written by the webhook-notifier alone. */
export function createDeliveryStore({ models }: Pick<Database, 'models'>) {
  const deliveries = driverCollection(models.deliveries);

  return guarded({
    /** Keeps a delivery; where the event has one for this URL already, that one is returned. */
    async insertDelivery(delivery: NewDelivery): Promise<StoredDelivery> {
      const document = toDocument(delivery);
      try {
        await deliveries.insertOne(document);
        return toStored(document);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const { eventId, endpoint } = document;
        const earlier = await deliveries.findOne({ eventId, endpoint }, { projection: WITHOUT_BODY });
        if (!earlier) throw error;
        return toStored(earlier);
      }
    },

    /** The delivery, whosever it is, or null. */
    async readDelivery(id: string): Promise<StoredDelivery | null> {
      const document = await deliveries.findOne({ _id: id }, { projection: WITHOUT_BODY });
      return document && toStored(document);
    },

    /** The account's delivery, or null. */
    async findDelivery(accountId: string, id: string): Promise<StoredDelivery | null> {
      const filter = { _id: { $eq: id }, accountId: { $eq: accountId } };
      const document = await deliveries.findOne(filter, { projection: WITHOUT_BODY });
      return document && toStored(document);
    },

    /** The account's deliveries, newest first, and how many there are in all. */
    async listDeliveries(
      accountId: string,
      { jobId, limit, offset }: Page & { readonly jobId?: string | undefined },
    ): Promise<{ deliveries: StoredDelivery[]; total: number }> {
      const filter = {
        accountId: { $eq: accountId },
        ...(jobId !== undefined && { jobId: { $eq: jobId } }),
      };
      const [documents, total] = await Promise.all([
        deliveries
          .find(filter, { projection: WITHOUT_BODY })
          .sort({ _id: -1 })
          .skip(offset)
          .limit(limit)
          .toArray(),
        deliveries.countDocuments(filter),
      ]);
      return { deliveries: documents.map(toStored), total };
    },

    /** Takes the delivery for one try; null unless just that try is due and nobody else is making it. */
    async claim({ id, attempt, now, leasedUntil }: ClaimRequest): Promise<ClaimedDelivery | null> {
      const document = await deliveries.findOneAndUpdate(
        dueTry({ id, attempt, now }),
        { $set: { leasedUntil, nextAttemptAt: leasedUntil }, $inc: { claim: 1 } },
        { returnDocument: 'after' },
      );
      return document && { ...toStored(document), body: document.body };
    },

    /** Logs a try and what comes after it; false when somebody else has taken the delivery since. */
    async recordAttempt(
      { id, claim }: Pick<StoredDelivery, 'id' | 'claim'>,
      attempt: StoredAttempt,
      verdict: DeliveryVerdict,
    ): Promise<boolean> {
      const endedAt = new Date(attempt.at.getTime() + attempt.durationMs);
      const change = changeOf(verdict, endedAt);
      const { modifiedCount } = await deliveries.updateOne(
        { _id: id, claim, leasedUntil: { $exists: true } },
        {
          ...change,
          $push: { attempts: { $each: [{ ...attempt }], $slice: -MAX_ATTEMPTS_KEPT } },
          $inc: { attemptCount: 1 },
        },
      );
      return modifiedCount > 0;
    },

    /** Puts a due try off, unless it has been made or is being made. */
    async postpone({ id, attempt, now }: DueTry, nextAttemptAt: Date): Promise<void> {
      await deliveries.updateOne(dueTry({ id, attempt, now }), { $set: { nextAttemptAt } });
    },

    /** Ends a delivery without another try, unless it is being sent. */
    async giveUp({ id, attempt, now }: DueTry, reason: string): Promise<void> {
      await deliveries.updateOne(dueTry({ id, attempt, now }), changeOf({ status: 'failed', reason }, now));
    },

    /** Begins a new round of tries, at once, unless it is being sent now; the delivery then, or null where there is none. */
    async restart(accountId: string, id: string, now: Date): Promise<StoredDelivery | null> {
      const ours = { _id: { $eq: id }, accountId: { $eq: accountId } };
      const restarted = await deliveries.findOneAndUpdate(
        { ...ours, $or: [{ leasedUntil: { $exists: false } }, { leasedUntil: { $lte: now } }] },
        [
          {
            $set: { status: 'pending', roundStart: '$attemptCount', roundStartedAt: now, nextAttemptAt: now },
          },
          { $unset: ['leasedUntil', 'endedAt', 'reason'] },
        ],
        { returnDocument: 'after', projection: WITHOUT_BODY },
      );
      const document = restarted ?? (await deliveries.findOne(ours, { projection: WITHOUT_BODY }));
      return document && toStored(document);
    },

    /** Takes the delivery that has been due since then without anybody making the try, so that nobody else takes it now. */
    async takeOverdue(since: Date, now: Date): Promise<StoredDelivery | null> {
      const document = await deliveries.findOneAndUpdate(
        { nextAttemptAt: { $lte: since } },
        { $set: { nextAttemptAt: now } },
        { sort: { nextAttemptAt: 1 }, returnDocument: 'after', projection: WITHOUT_BODY },
      );
      return document && toStored(document);
    },
  });
}

/** The delivery, while this try of it is due: while somebody makes it, it is due when the lease ends. */
function dueTry({ id, attempt, now }: DueTry) {
  return { _id: id, attemptCount: attempt - 1, nextAttemptAt: { $lte: now } };
}

function changeOf(verdict: DeliveryVerdict, at: Date): mongo.UpdateFilter<DeliveryDocument> {
  if (verdict.status === 'pending') {
    return { $set: { nextAttemptAt: verdict.nextAttemptAt }, $unset: { leasedUntil: 1 } };
  }
  const { status, reason } = verdict;
  return {
    $set: { status, endedAt: at, ...(reason !== undefined && { reason }) },
    $unset: { leasedUntil: 1, nextAttemptAt: 1 },
  };
}

function toDocument({ id, ...fields }: NewDelivery): DeliveryDocument {
  return {
    _id: id,
    ...fields,
    endpoint: createHash('sha256').update(fields.url).digest('hex'),
    bodyBytes: Buffer.byteLength(fields.body),
    status: 'pending',
    attempts: [],
    attemptCount: 0,
    roundStart: 0,
    roundStartedAt: fields.createdAt,
    claim: 0,
    nextAttemptAt: fields.createdAt,
  };
}

function toStored(document: DeliveryDocument): StoredDelivery {
  const { _id, body: _body, endpoint: _endpoint, expiresAt: _expiresAt, ...rest } = document;
  return { id: _id, ...rest };
}
