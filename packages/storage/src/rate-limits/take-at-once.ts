import { type RateLimitRequest, sliceOf } from './take-pipeline.ts';

/**
 * The ordinary case in plain operators, which cost a fraction of the pipeline: the slice is open, and there is room by what
 * was counted when it was opened. The filter matches nothing else; then the pipeline decides.
 */
export function takeAtOnce(request: RateLimitRequest) {
  const { limit, windowMs, now, slot } = request;
  const nowMs = now.getTime();
  return {
    filter: {
      'open.slice': sliceOf(request),
      'room.limit': limit,
      'room.left': { $gt: 0 },
      ...(slot && {
        // Fewer slots than there may be, expired ones included, and none of this operation.
        [`slots.${slot.max - 1}`]: { $exists: false },
        'slots.operationId': { $ne: slot.operationId },
      }),
    },
    update: {
      $inc: { 'open.count': 1, 'room.left': -1 },
      $max: {
        'open.lastMs': nowMs,
        expiresAt: new Date(Math.max(nowMs + windowMs, slot?.expiresAt.getTime() ?? 0)),
      },
      $set: { verdict: 'allowed' as const },
      ...(slot && {
        $push: { slots: { operationId: slot.operationId, expiresMs: slot.expiresAt.getTime() } },
      }),
    },
  };
}
