import { createHash } from 'node:crypto';
import type { DeliveryState } from '@gleaner/contracts';
import type { Model } from 'mongoose';
import { confirmWrites } from '../database/confirm-writes.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import { exactly } from '../document-schema.ts';
import type { Page } from '../keys/key-store.ts';
import type { DeliveryDocument } from './delivery-model.ts';
import { laneOf } from './message-lanes.ts';
import { type StoredDelivery, toStoredDelivery, WITHOUT_BODY } from './stored-delivery.ts';

/** Fields of a new delivery, whose first attempt is due at once. */
export type NewDelivery = Pick<
  DeliveryDocument,
  'accountId' | 'eventId' | 'type' | 'url' | 'body' | 'createdAt' | 'expiresAt'
> &
  Partial<Pick<DeliveryDocument, 'jobId' | 'scheduleId' | 'channelId' | 'batch' | 'traceparent'>> & {
    readonly id: string;
  };

/** Filter of a list of deliveries. */
export interface DeliveryFilter extends Page {
  readonly jobId?: string | undefined;
  readonly channelId?: string | undefined;
  readonly status?: DeliveryState | undefined;
}

/** Store of webhook deliveries; only the webhook-notifier writes it. */
export class DeliveryStore {
  readonly #deliveries: Model<DeliveryDocument>;

  constructor(deliveries: Model<DeliveryDocument>) {
    this.#deliveries = deliveries;
  }

  /** Stores a delivery; returns the existing one if the event already has one for this URL. */
  async insertDelivery(delivery: NewDelivery): Promise<StoredDelivery> {
    const document = toDocument(delivery);
    try {
      await this.#deliveries.create(document);
      return toStoredDelivery(document);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const { eventId, endpoint } = document;
      const earlier = await this.#deliveries.findOne({ eventId, endpoint }).select(WITHOUT_BODY).lean();
      if (!earlier) throw error;
      await confirmWrites(this.#deliveries.db);
      return toStoredDelivery(earlier);
    }
  }

  /** Returns the delivery of any account, or null. */
  async readDelivery(id: string): Promise<StoredDelivery | null> {
    const document = await this.#deliveries.findOne({ _id: id }).select(WITHOUT_BODY).lean();
    return document && toStoredDelivery(document);
  }

  /** Counts deliveries whose next attempt is due, up to the limit, and returns the time of the earliest. */
  async countDue(now: Date, limit: number): Promise<{ count: number; oldestAt: Date | undefined }> {
    const filter = { nextAttemptAt: { $lte: now } };
    const [count, oldest] = await Promise.all([
      this.#deliveries.countDocuments(filter).limit(limit),
      this.#deliveries.findOne(filter, { nextAttemptAt: 1 }).sort({ nextAttemptAt: 1 }).lean(),
    ]);
    return { count, oldestAt: oldest?.nextAttemptAt };
  }

  /** Returns the account's delivery, or null. */
  async findDelivery(accountId: string, id: string): Promise<StoredDelivery | null> {
    const filter = { _id: exactly(id), accountId: exactly(accountId) };
    const document = await this.#deliveries.findOne(filter).select(WITHOUT_BODY).lean();
    return document && toStoredDelivery(document);
  }

  /** Returns a part of the account's deliveries, newest first, and their total number. */
  async listDeliveries(
    accountId: string,
    { jobId, channelId, status, limit, offset }: DeliveryFilter,
  ): Promise<{ deliveries: StoredDelivery[]; total: number }> {
    const filter = {
      accountId: exactly(accountId),
      ...(jobId !== undefined && { jobId: exactly(jobId) }),
      ...(channelId !== undefined && { channelId: exactly(channelId) }),
      ...(status !== undefined && { status: { $eq: status } }),
    };
    const [documents, total] = await Promise.all([
      this.#deliveries.find(filter).select(WITHOUT_BODY).sort({ _id: -1 }).skip(offset).limit(limit).lean(),
      this.#deliveries.countDocuments(filter),
    ]);
    return { deliveries: documents.map(toStoredDelivery), total };
  }
}

function toDocument({ id, ...fields }: NewDelivery): DeliveryDocument {
  return {
    _id: id,
    ...fields,
    endpoint: createHash('sha256')
      .update(fields.channelId ?? fields.url)
      .digest('hex'),
    ...laneOf(fields),
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
