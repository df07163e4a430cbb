import type { ChannelState } from '@gleaner/contracts';
import type { Model } from 'mongoose';
import { exactly } from '../document-schema.ts';
import type { ChannelDocument } from './channel-model.ts';

/** Stored channel with its id. */
export type StoredChannel = Omit<ChannelDocument, '_id'> & { readonly id: string };

/** Name and target of a channel. */
export type ChannelSettings = Pick<ChannelDocument, 'name' | 'address' | 'sealed' | 'targetJson'>;

/** Store of channels; only the gateway writes it, except for the state, which the webhook-notifier learns. */
export class ChannelStore {
  readonly #channels: Model<ChannelDocument>;

  constructor(channels: Model<ChannelDocument>) {
    this.#channels = channels;
  }

  /** Stores a new channel. */
  async insertChannel({ id, ...fields }: StoredChannel): Promise<void> {
    await this.#channels.create({ _id: id, ...fields });
  }

  /** Returns the channel of the account, or null. */
  async findChannel(accountId: string, id: string): Promise<StoredChannel | null> {
    const document = await this.#channels.findOne({ _id: exactly(id), accountId: exactly(accountId) }).lean();
    return document && toStored(document);
  }

  /** Returns the channels of the account by name. */
  async listChannels(accountId: string): Promise<StoredChannel[]> {
    const found = await this.#channels
      .find({ accountId: exactly(accountId) })
      .sort({ name: 1, _id: 1 })
      .lean();
    return found.map(toStored);
  }

  /** Replaces the name and the target of a channel, which is active after it; returns null if the account has none of this id. */
  async replaceChannel(
    accountId: string,
    id: string,
    { name, address, sealed, targetJson }: ChannelSettings,
    now: Date,
  ): Promise<StoredChannel | null> {
    const targets = { sealed, targetJson };
    const given = Object.entries(targets).filter(([, value]) => value !== undefined);
    const absent = Object.entries(targets).filter(([, value]) => value === undefined);
    const document = await this.#channels
      .findOneAndUpdate(
        { _id: exactly(id), accountId: exactly(accountId) },
        {
          $set: { name, address, status: 'active', updatedAt: now, ...Object.fromEntries(given) },
          $unset: Object.fromEntries(absent.map(([field]) => [field, 1])),
        },
        { returnDocument: 'after' },
      )
      .lean();
    return document && toStored(document);
  }

  /** Sets the state of a channel, unless its target was replaced since it was read. */
  async setState(
    { id, updatedAt }: Pick<StoredChannel, 'id' | 'updatedAt'>,
    status: ChannelState,
  ): Promise<void> {
    await this.#channels.updateOne({ _id: exactly(id), updatedAt }, { $set: { status } });
  }

  /** Deletes a channel. Returns false if the account has none of this id. */
  async removeChannel(accountId: string, id: string): Promise<boolean> {
    const { deletedCount } = await this.#channels.deleteOne({
      _id: exactly(id),
      accountId: exactly(accountId),
    });
    return deletedCount > 0;
  }
}

function toStored({ _id: id, ...rest }: ChannelDocument): StoredChannel {
  return { id, ...rest };
}
