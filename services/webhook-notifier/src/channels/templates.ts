import { type ChannelTarget, type ChannelType, cutText } from '@gleaner/contracts';

/** Parts of a message in every kind of channel. */
export interface MessageText {
  /** One line. */
  readonly title: string;
  readonly text: string;
  readonly link?: string;
}

/** A request that carries a message. */
export interface ChannelRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Kinds of channels whose messages are requests of a form of their own. */
export type TemplateType = Exclude<ChannelType, 'webhook' | 'email' | 'apprise'>;

/** Characters that a service takes; longer texts are cut. */
const MAX_CHARACTERS = { slack: 8000, discord: 2000, teams: 8000, telegram: 4096, ntfy: 1200 } as const;

/** The form of a message for each kind of channel. Texts of pages cannot call everybody, nor bring links that look like others. */
export const TEMPLATES: Readonly<
  Record<TemplateType, (message: MessageText, target: ChannelTarget) => ChannelRequest>
> = {
  // https://docs.slack.dev/messaging/formatting-message-text: three characters are escaped.
  slack: (message, { url = '' }) => {
    const text = escapeForSlack(`*${message.title}*\n${linesOf(message)}`);
    return { url, body: { text: cutText(text, MAX_CHARACTERS.slack), unfurl_links: false } };
  },
  // https://discord.com/developers/docs/resources/webhook#execute-webhook
  discord: (message, { url = '' }) => ({
    url,
    body: {
      content: cutText(`${message.title}\n${linesOf(message)}`, MAX_CHARACTERS.discord),
      allowed_mentions: { parse: [] },
    },
  }),
  // https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
  teams: ({ title, text, link }, { url = '' }) => ({
    url,
    body: {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: title, weight: 'Bolder', wrap: true },
              { type: 'TextBlock', text: cutText(text, MAX_CHARACTERS.teams), wrap: true },
            ],
            actions: link === undefined ? [] : [{ type: 'Action.OpenUrl', title: 'Open', url: link }],
          },
        },
      ],
    },
  }),
  // https://core.telegram.org/bots/api#sendmessage, as plain text.
  telegram: (message, { server = 'https://api.telegram.org', token = '', chat = '' }) => ({
    url: `${withoutSlash(server)}/bot${token}/sendMessage`,
    body: {
      chat_id: chat,
      text: cutText(`${message.title}\n${linesOf(message)}`, MAX_CHARACTERS.telegram),
      link_preview_options: { is_disabled: true },
    },
  }),
  // https://docs.ntfy.sh/publish/#publish-as-json: a message has at most 4,096 bytes.
  ntfy: ({ title, text, link }, { server = 'https://ntfy.sh', topic = '', token }) => ({
    url: `${withoutSlash(server)}/`,
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    body: {
      topic,
      title: cutText(title, 200),
      message: cutText(text, MAX_CHARACTERS.ntfy),
      ...(link !== undefined && { click: link }),
    },
  }),
};

/** Returns the request to an Apprise API (https://github.com/caronc/apprise-api), which knows a hundred services. */
export function requestForApprise(
  { title, text, link }: MessageText,
  { key = '', tag }: ChannelTarget,
  appriseUrl: string,
): ChannelRequest {
  return {
    url: `${withoutSlash(appriseUrl)}/notify/${key}`,
    body: {
      title,
      body: linesOf({ text, ...(link !== undefined && { link }) }),
      type: 'info',
      ...(tag !== undefined && { tag }),
    },
  };
}

/** Returns the text with the link in a line of its own. */
export function linesOf({ text, link }: Pick<MessageText, 'text' | 'link'>): string {
  return link === undefined ? text : `${text}\n${link}`;
}

function escapeForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}
