import { LIMITS } from '@gleaner/contracts';
import type { StoredDelivery, Stores } from '@gleaner/storage';
import { type AnnounceDeps, announceDelivery } from './announce-delivery.ts';

/** Collaborators of the order of messages. */
export interface MessageTurnDeps extends AnnounceDeps {
  readonly stores: Pick<Stores, 'clock' | 'deliveries'>;
}

/** Decision about a message: its turn has come, or it waits. */
export type MessageTurn =
  | { readonly do: 'send' | 'forget' }
  /** With a message over the broker, or without, because the message before it announces it. */
  | { readonly do: 'wait'; readonly until: Date; readonly isAnnounced: boolean };

const HOUR_MS = 3_600_000;
/** Time after which a message looks itself whether its turn has come, if none before it has announced it. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Decides whether a message is sent: messages of a channel go one after the other in the order of their runs, and so many an hour;
 * the first one that has to wait takes those behind it along as a digest.
 */
export async function turnOf(message: StoredDelivery, deps: MessageTurnDeps): Promise<MessageTurn> {
  const { channelId, type, digestId, id } = message;
  if (channelId === undefined || type !== 'rule.matched') return { do: 'send' };
  const { clock, deliveries } = deps.stores;
  if (digestId !== undefined) return await followDigest(digestId, deps);
  const front = await deliveries.findFront(channelId);
  if (front && front.id !== id) {
    const dueMs = Math.max(clock.nowMs(), front.nextAttemptAt?.getTime() ?? 0);
    return { do: 'wait', until: new Date(dueMs + LOOK_AGAIN_MS), isAnnounced: false };
  }
  const sentAt = await deliveries.findSentAt(channelId, LIMITS.maxMessagesPerHour - 1);
  const until = new Date((sentAt?.getTime() ?? 0) + HOUR_MS);
  if (until <= clock.now()) return { do: 'send' };
  await deliveries.hold(id, until);
  return { do: 'wait', until, isAnnounced: true };
}

/** Gives a message in a digest the outcome of the digest, once it has one. */
async function followDigest(digestId: string, { stores }: MessageTurnDeps): Promise<MessageTurn> {
  const { clock, deliveries } = stores;
  const digest = await deliveries.readDelivery(digestId);
  if (digest?.status === 'pending') {
    const dueMs = Math.max(clock.nowMs(), digest.nextAttemptAt?.getTime() ?? 0);
    return { do: 'wait', until: new Date(dueMs + LOOK_AGAIN_MS), isAnnounced: false };
  }
  await deliveries.endDigest(digestId, { status: digest?.status ?? 'failed', at: clock.now() });
  return { do: 'forget' };
}

/** Ends the digest of a message that has a final state, and announces the next message of its channel. */
export async function afterMessage(
  { id, channelId, type, isHeld }: StoredDelivery,
  status: 'delivered' | 'failed' | 'gone',
  deps: MessageTurnDeps,
): Promise<void> {
  if (channelId === undefined || type !== 'rule.matched') return;
  const { clock, deliveries } = deps.stores;
  if (isHeld) await deliveries.endDigest(id, { status, at: clock.now() });
  const next = await deliveries.findFront(channelId);
  if (!next) return;
  await deliveries.makeDue(next.id, clock.now());
  await announceDelivery(next, deps);
}
