import type { Model } from 'mongoose';
import type { DeliveryDocument } from './delivery-model.ts';
import { type StoredDelivery, toStoredDelivery, WITHOUT_BODY } from './stored-delivery.ts';

type Message = Pick<DeliveryDocument, 'type' | 'channelId'>;

/** Returns the place of a message in its channel, by the id of its event; nothing for other deliveries. */
export function laneOf({
  type,
  channelId,
  eventId,
}: Message & Pick<DeliveryDocument, 'eventId'>): Pick<DeliveryDocument, 'lane'> {
  return type === 'rule.matched' && channelId !== undefined ? { lane: `${channelId} ${eventId}` } : {};
}

/** Returns the key of a sent message in its channel. */
export function sentKeyOf({ type, channelId }: Message, at: Date): Pick<DeliveryDocument, 'sentKey'> {
  if (type !== 'rule.matched' || channelId === undefined) return {};
  return { sentKey: `${channelId} ${at.toISOString()}` };
}

/** Pending messages that go into a digest at most; the others go into the next one. */
const MAX_IN_DIGEST = 5000;

/** Store of the order of messages in channels, of their number in an hour, and of digests. */
export class MessageLanes {
  readonly #deliveries: Model<DeliveryDocument>;

  constructor(deliveries: Model<DeliveryDocument>) {
    this.#deliveries = deliveries;
  }

  /** Returns the first pending message of a channel, or null. */
  async findFront(channelId: string): Promise<StoredDelivery | null> {
    const document = await this.#deliveries
      .findOne({ lane: within(channelId) })
      .sort({ lane: 1 })
      .select(WITHOUT_BODY)
      .lean();
    return document && toStoredDelivery(document);
  }

  /** Returns the time of a message, counted back from the last one of its channel; undefined if fewer were sent. */
  async findSentAt(channelId: string, before: number): Promise<Date | undefined> {
    const [found] = await this.#deliveries
      .find({ sentKey: within(channelId) }, { endedAt: 1 })
      .sort({ sentKey: -1 })
      .skip(before)
      .limit(1)
      .lean();
    return found?.endedAt;
  }

  /** Lets a due message wait until its channel may have further ones. */
  async hold(id: string, nextAttemptAt: Date): Promise<void> {
    await this.#deliveries.updateOne(
      { _id: id, status: 'pending' },
      { $set: { isHeld: true, nextAttemptAt } },
    );
  }

  /** Makes the first pending message of a channel due, unless it waits for a time of its own or is being sent. */
  async makeDue(id: string, now: Date): Promise<void> {
    await this.#deliveries.updateOne(
      { _id: id, status: 'pending', attemptCount: 0, leasedUntil: { $exists: false } },
      { $set: { nextAttemptAt: now } },
    );
  }

  /**
   * Puts the pending messages of a channel into the digest of its first one, unless that has some already; each waits until
   * `until` at the latest to learn the outcome.
   */
  async gatherDigest(
    { id, channelId = '' }: Pick<StoredDelivery, 'id' | 'channelId'>,
    until: Date,
  ): Promise<void> {
    if (await this.#deliveries.findOne({ digestId: id }, { _id: 1 }).lean()) return;
    const found = await this.#deliveries
      .find({ lane: within(channelId), _id: { $ne: id } }, { _id: 1 })
      .sort({ lane: 1 })
      .limit(MAX_IN_DIGEST)
      .lean();
    await this.#deliveries.updateMany(
      { _id: { $in: found.map(({ _id }) => _id) }, status: 'pending' },
      { $set: { digestId: id, nextAttemptAt: until }, $unset: { lane: 1 } },
    );
  }

  /** Returns the bodies of the first messages in a digest, and the number of all. */
  async readDigest(id: string, limit: number): Promise<{ bodies: string[]; count: number }> {
    const [found, count] = await Promise.all([
      this.#deliveries.find({ digestId: id }, { body: 1 }).sort({ eventId: 1 }).limit(limit).lean(),
      this.#deliveries.countDocuments({ digestId: id }),
    ]);
    return { bodies: found.map(({ body }) => body), count };
  }

  /** Gives the messages in a digest its final state. */
  async endDigest(
    id: string,
    { status, at }: { readonly status: 'delivered' | 'failed' | 'gone'; readonly at: Date },
  ): Promise<void> {
    await this.#deliveries.updateMany(
      { digestId: id, status: 'pending' },
      {
        $set: { status, endedAt: at, reason: `It was part of the digest ${id}.` },
        $unset: { nextAttemptAt: 1 },
      },
    );
  }
}

/** Matches keys that begin with the channel. */
function within(channelId: string): { readonly $gte: string; readonly $lt: string } {
  return { $gte: `${channelId} `, $lt: `${channelId}!` };
}
