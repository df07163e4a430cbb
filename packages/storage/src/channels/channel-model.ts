import type { ChannelState, ChannelType } from '@gleaner/contracts';
import { documentSchema } from '../document-schema.ts';

/** Stored channel. Its target is JSON text: sealed with a key that the database does not have, or plain if it holds no secret. */
export interface ChannelDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly type: ChannelType;
  readonly name: string;
  /** Its target as it is shown. */
  readonly address: string;
  readonly sealed?: string;
  readonly targetJson?: string;
  readonly status: ChannelState;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const channelSchema = documentSchema<ChannelDocument>({
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  type: { type: String, required: true },
  name: { type: String, required: true },
  address: { type: String, required: true },
  sealed: String,
  targetJson: String,
  status: { type: String, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
});
channelSchema.index({ accountId: 1, name: 1 });
