import type { DeliveryState, DeliveryType } from '@gleaner/contracts';
import { documentSchema } from '../document-schema.ts';

/** Stored attempt at a delivery. */
export interface StoredAttempt {
  readonly at: Date;
  readonly durationMs: number;
  readonly statusCode?: number;
  /** Reason why the attempt failed; missing if it succeeded. */
  readonly error?: string;
  readonly response?: string;
}

/** One event for one endpoint; `body` is signed and sent byte for byte at every attempt. */
export interface DeliveryDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly eventId: string;
  readonly type: DeliveryType;
  readonly jobId?: string;
  readonly scheduleId?: string;
  /** Channel of a message. */
  readonly channelId?: string;
  /** Place of a pending message among those of its channel; sparse, so its index holds no other delivery. */
  readonly lane?: string;
  /** The channel and the time at which a message was sent on its own; sparse as well. */
  readonly sentKey?: string;
  /** It waits because its channel has had the messages of an hour; then it is sent as a digest. */
  readonly isHeld?: boolean;
  /** The message in whose digest it is. */
  readonly digestId?: string;
  /** The batch of results that it carries, or a part of it. */
  readonly batch?: number;
  readonly url: string;
  /** SHA-256 of the URL or of the channel, which identifies the delivery together with the event's id, however long the URL is. */
  readonly endpoint: string;
  readonly body: string;
  /** Headers of a webhook of Firecrawl's API, as JSON; missing of other deliveries. */
  readonly firecrawlHeadersJson?: string;
  /** Size of the body in bytes, known without reading it. */
  readonly bodyBytes: number;
  readonly status: DeliveryState;
  /** Latest attempts; `attemptCount` counts all of them. */
  readonly attempts: StoredAttempt[];
  readonly attemptCount: number;
  /** Number of attempts before the present round of attempts. */
  readonly roundStart: number;
  /** Start of the present round of attempts, whose duration is limited. */
  readonly roundStartedAt: Date;
  /** Number of claims; a notifier with an older number may no longer write. */
  readonly claim: number;
  /** End of the lease, while a notifier sends the delivery. */
  readonly leasedUntil?: Date;
  /** Missing once there are no more attempts. */
  readonly nextAttemptAt?: Date;
  readonly reason?: string;
  /** The span that created it, if it is traced. */
  readonly traceparent?: string;
  readonly createdAt: Date;
  readonly endedAt?: Date;
  readonly expiresAt: Date;
}

export const deliverySchema = documentSchema<DeliveryDocument>({
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  eventId: { type: String, required: true },
  type: { type: String, required: true },
  jobId: String,
  scheduleId: String,
  channelId: String,
  lane: String,
  sentKey: String,
  isHeld: Boolean,
  digestId: String,
  batch: Number,
  url: { type: String, required: true },
  endpoint: { type: String, required: true },
  body: { type: String, required: true },
  firecrawlHeadersJson: String,
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
  traceparent: String,
  createdAt: { type: Date, required: true },
  endedAt: Date,
  expiresAt: { type: Date, required: true },
});
deliverySchema.index({ eventId: 1, endpoint: 1 }, { unique: true });
deliverySchema.index({ nextAttemptAt: 1 }, { sparse: true });
deliverySchema.index({ lane: 1 }, { sparse: true });
deliverySchema.index({ sentKey: 1 }, { sparse: true });
deliverySchema.index({ digestId: 1 }, { sparse: true });
// Identifiers rise with time, so these indexes list the newest deliveries first.
deliverySchema.index({ accountId: 1, _id: -1 });
deliverySchema.index({ accountId: 1, jobId: 1, _id: -1 });
deliverySchema.index({ accountId: 1, status: 1, _id: -1 });
deliverySchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
