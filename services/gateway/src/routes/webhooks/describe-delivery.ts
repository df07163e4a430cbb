import type { Delivery } from '@gleaner/contracts';
import type { StoredDelivery } from '@gleaner/storage';

/** A delivery as callers see it. */
export function describeDelivery(delivery: StoredDelivery): Delivery {
  const { id, eventId, type, jobId, scheduleId, url, status, attemptCount, reason } = delivery;
  return {
    id,
    eventId,
    type,
    ...(jobId && { jobId }),
    ...(scheduleId && { scheduleId }),
    url,
    status,
    attempts: delivery.attempts.map(({ at, ...attempt }) => ({ at: at.toISOString(), ...attempt })),
    attemptCount,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    ...(reason && { reason }),
    createdAt: delivery.createdAt.toISOString(),
    endedAt: delivery.endedAt?.toISOString() ?? null,
  };
}
