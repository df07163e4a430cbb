import { type ChannelMessage, createId, type JobEvent, LIMITS } from '@gleaner/contracts';
import type { StoredChannel, StoredJob, Stores, ToldByRun } from '@gleaner/storage';
import { type AnnounceDeps, announceDelivery } from '../delivery/announce-delivery.ts';

/** Collaborators of creating the deliveries of messages. */
interface MessagesDeps extends AnnounceDeps {
  readonly stores: Pick<Stores, 'clock' | 'tellings' | 'channels' | 'deliveries'>;
  readonly retentionMs: number;
  readonly publicUrl: string;
}

/** Messages that are read at once. */
const MESSAGES_AT_ONCE = 50;

/** Creates the deliveries of what rules tell of a run: one for each message and channel, in their order. */
export async function deliverMessages(
  event: JobEvent,
  job: StoredJob,
  { key, messages }: ToldByRun,
  deps: MessagesDeps,
): Promise<void> {
  const channels = new Map<string, StoredChannel | null>();
  for (let offset = 0; offset < messages; offset += MESSAGES_AT_ONCE) {
    const texts = await deps.stores.tellings.find(key, {
      offset,
      limit: Math.min(MESSAGES_AT_ONCE, messages - offset),
    });
    for (const [index, text] of texts.entries()) {
      const message = JSON.parse(text) as ChannelMessage;
      const id = `evt_${job.id.slice(job.id.indexOf('_') + 1)}_${String(offset + index).padStart(4, '0')}`;
      const body = renderMessage({ id, timestamp: event.at }, message, job, deps);
      for (const channelId of message.to) {
        if (!channels.has(channelId)) channels.set(channelId, await findChannel(channelId, job, deps));
        const channel = channels.get(channelId);
        if (channel) await store({ id, body, channel, job }, deps);
      }
    }
  }
}

/** Returns a channel of the job's account; of one that was deleted after the rule was made, the log tells. */
async function findChannel(
  channelId: string,
  { accountId, id: jobId, scheduleId }: StoredJob,
  { stores, logger }: MessagesDeps,
): Promise<StoredChannel | null> {
  const channel = await stores.channels.findChannel(accountId, channelId);
  if (!channel) {
    const where = { channelId, jobId, scheduleId };
    logger.warn(where, 'A rule tells a channel that was deleted: its messages are not sent.');
  }
  return channel;
}

async function store(
  {
    id: eventId,
    body,
    channel,
    job,
  }: { readonly id: string; readonly body: string; readonly channel: StoredChannel; readonly job: StoredJob },
  deps: MessagesDeps,
): Promise<void> {
  const { stores, retentionMs } = deps;
  const createdAt = stores.clock.now();
  const delivery = await stores.deliveries.insertDelivery({
    id: createId('del'),
    accountId: job.accountId,
    eventId,
    type: 'rule.matched',
    jobId: job.id,
    ...(job.scheduleId !== undefined && { scheduleId: job.scheduleId }),
    channelId: channel.id,
    url: channel.address,
    body,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + retentionMs),
  });
  await announceDelivery(delivery, deps);
}

/** Renders a message as the event that a webhook receives; without its records where it would be too large. */
function renderMessage(
  { id, timestamp }: { readonly id: string; readonly timestamp: string },
  { rule, title, text, records, more }: ChannelMessage,
  { id: jobId, name, scheduleId }: StoredJob,
  { publicUrl }: MessagesDeps,
): string {
  const link = publicUrl === '' ? undefined : `${publicUrl}/console/#/jobs/${jobId}`;
  const data = {
    title,
    text,
    ...(link !== undefined && { link }),
    rule,
    schedule: { id: scheduleId, name },
    jobId,
    ...(more !== undefined && { more }),
  };
  const head = { id, type: 'rule.matched', timestamp };
  const whole = JSON.stringify({ ...head, data: { ...data, records } });
  if (Buffer.byteLength(whole) <= LIMITS.maxMessageBytes) return whole;
  const cut = cutBytes(text, LIMITS.maxMessageBytes / 2);
  return JSON.stringify({ ...head, data: { ...data, text: cut } });
}

/** Returns the beginning of a text in at most so many bytes of JSON. */
function cutBytes(text: string, maxBytes: number): string {
  let cut = text;
  while (Buffer.byteLength(JSON.stringify(cut)) > maxBytes) cut = cut.slice(0, Math.floor(cut.length * 0.8));
  return cut === text ? text : `${cut.toWellFormed()}…`;
}
