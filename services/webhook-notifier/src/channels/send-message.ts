import { type ChannelTarget, channelPurpose, cutText, LIMITS } from '@gleaner/contracts';
import type { HttpClient } from '@gleaner/egress';
import type { SecretBox } from '@gleaner/service-kit';
import type { ClaimedDelivery, StoredChannel, Stores } from '@gleaner/storage';
import type { MailSettings } from './send-mail.ts';
import { type ChannelRequest, type MessageText, requestForApprise, TEMPLATES } from './templates.ts';

/** Collaborators and settings of sending messages to channels. */
export interface MessageDeps {
  readonly stores: Pick<Stores, 'clock' | 'channels' | 'deliveries'>;
  /** Undefined if the operator has set no SECRETS_KEY. */
  readonly secretBox: SecretBox | undefined;
  readonly mail: MailSettings | undefined;
  readonly apprise: { readonly url: string; readonly httpClient: HttpClient } | undefined;
}

/** Way of a message to its channel, or the reason against sending it. */
export type Route =
  | { readonly via: 'webhook'; readonly url: string }
  | { readonly via: 'request'; readonly request: ChannelRequest; readonly httpClient?: HttpClient }
  | { readonly via: 'mail'; readonly to: readonly string[]; readonly mail: MailSettings }
  | { readonly via: 'none'; readonly status: 'failed' | 'gone'; readonly reason: string };

/** Returns how a message reaches a channel. */
export function routeOf(
  channel: StoredChannel | null,
  message: MessageText,
  { isTest, ...deps }: Pick<MessageDeps, 'secretBox' | 'mail' | 'apprise'> & { readonly isTest: boolean },
): Route {
  if (!channel) return { via: 'none', status: 'failed', reason: 'The channel was deleted.' };
  if (channel.status === 'gone' && !isTest) return { via: 'none', status: 'gone', reason: IS_GONE };
  const target = openTarget(channel, deps.secretBox);
  if (!target) return { via: 'none', status: 'failed', reason: IS_SEALED };
  const { type } = channel;
  if (type === 'webhook') return { via: 'webhook', url: target.url ?? '' };
  if (type === 'email') {
    if (!deps.mail) return lacks('SMTP_URL');
    return { via: 'mail', to: target.to ?? [], mail: deps.mail };
  }
  if (type === 'apprise') {
    if (!deps.apprise) return lacks('APPRISE_URL');
    const { url, httpClient } = deps.apprise;
    return { via: 'request', request: requestForApprise(message, target, url), httpClient };
  }
  return { via: 'request', request: TEMPLATES[type](message, target) };
}

const IS_GONE =
  'The endpoint of the channel answered 410 Gone before. Set its address again, or send it a test.';
const IS_SEALED =
  'The address of the channel does not open with the SECRETS_KEY of the webhook-notifier. Set it again.';

function lacks(setting: string): Route {
  return { via: 'none', status: 'failed', reason: `The webhook-notifier has no ${setting}.` };
}

function openTarget(
  { id, accountId, sealed, targetJson }: StoredChannel,
  secretBox: SecretBox | undefined,
): ChannelTarget | undefined {
  const json = sealed === undefined ? targetJson : secretBox?.open(channelPurpose(accountId, id), sealed);
  return json === undefined ? undefined : (JSON.parse(json) as ChannelTarget);
}

/** Titles that a digest names. */
const MAX_TITLES = 100;

/** Returns the body of a message, or of the digest of all messages that have waited with it. */
export async function bodyOf(
  delivery: ClaimedDelivery,
  { stores: { clock, deliveries } }: Pick<MessageDeps, 'stores'>,
): Promise<string> {
  if (!delivery.isHeld) return delivery.body;
  await deliveries.gatherDigest(delivery, new Date(clock.nowMs() + DIGEST_WAIT_MS));
  const { bodies, count } = await deliveries.readDigest(delivery.id, MAX_TITLES);
  return count === 0 ? delivery.body : renderDigest([delivery.body, ...bodies], count + 1);
}

/** Time after which a message in a digest looks for its outcome itself. */
const DIGEST_WAIT_MS = 600_000;

function renderDigest(bodies: readonly string[], count: number): string {
  const [first] = bodies;
  const { id, type, timestamp } = JSON.parse(first ?? '{}') as Record<string, string>;
  const titles = bodies.map((body) => `- ${readText(body).title}`);
  const shown = cutText(titles.join('\n'), LIMITS.maxMessageBytes / 4);
  const named = shown.split('\n').length;
  const more = count > named ? [`and ${count - named} more`] : [];
  const text = [shown, ...more].join('\n');
  return JSON.stringify({ id, type, timestamp, data: { title: `${count} messages`, text } });
}

/** Reads what every kind of channel shows from the body of a message. */
export function readText(body: string): MessageText {
  const { data } = JSON.parse(body) as { data: MessageText };
  const { title, text, link } = data;
  return { title, text, ...(link !== undefined && { link }) };
}
