import type { DeliveryState, DeliveryType } from '@gleaner/contracts';
import { Schema } from 'mongoose';

/** One try at a delivery, as it is stored. */
export interface StoredAttempt {
  readonly at: Date;
  readonly durationMs: number;
  readonly statusCode?: number;
  /** Why it does not count; missing when it does. */
  readonly error?: string;
  readonly response?: string;
}

/** One event for one endpoint. `body` is what is signed and sent, byte for byte, at every try. */
export interface DeliveryDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly eventId: string;
  readonly type: DeliveryType;
  readonly jobId?: string;
  readonly scheduleId?: string;
  readonly url: string;
  /** SHA-256 of the URL: with the event's id it makes the delivery unique, however long the URL is. */
  readonly endpoint: string;
  readonly body: string;
  /** How long the body is as it is sent: known before it is read. */
  readonly bodyBytes: number;
  readonly status: DeliveryState;
  /** The latest; all of them are counted. */
  readonly attempts: StoredAttempt[];
  readonly attemptCount: number;
  /** How many tries there were before the present round of them. */
  readonly roundStart: number;
  /** When the present round began; it does not go on for ever. */
  readonly roundStartedAt: Date;
  /** How often a notifier took it; who holds an older number may no longer write. */
  readonly claim: number;
  /** While a notifier sends it. */
  readonly leasedUntil?: Date;
  /** Missing once there are no more tries. */
  readonly nextAttemptAt?: Date;
  readonly reason?: string;
  readonly createdAt: Date;
  readonly endedAt?: Date;
  readonly expiresAt: Date;
}

export const deliverySchema = new Schema<DeliveryDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    eventId: { type: String, required: true },
    type: { type: String, required: true },
    jobId: String,
    scheduleId: String,
    url: { type: String, required: true },
    endpoint: { type: String, required: true },
    body: { type: String, required: true },
    bodyBytes: { type: Number, required: true },
    status: { type: String, required: true },
    attempts: [
      { _id: false, at: Date, durationMs: Number, statusCode: Number, error: String, response: String },
    ],
    attemptCount: { type: Number, required: true },
    roundStart: { type: Number, required: true },
    roundStartedAt: { type: Date, required: true },
    claim: { type: Number, required: true },
    leasedUntil: Date,
    nextAttemptAt: Date,
    reason: String,
    createdAt: { type: Date, required: true },
    endedAt: Date,
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
deliverySchema.index({ eventId: 1, endpoint: 1 }, { unique: true });
deliverySchema.index({ nextAttemptAt: 1 }, { sparse: true });
// Identifiers rise with time, so these list the newest first.
deliverySchema.index({ accountId: 1, _id: -1 });
deliverySchema.index({ accountId: 1, jobId: 1, _id: -1 });
deliverySchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
