import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Name, OneOf, Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';

/** Kinds of channels. */
export const CHANNEL_TYPES = [
  'webhook',
  'email',
  'slack',
  'discord',
  'teams',
  'telegram',
  'ntfy',
  'apprise',
] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** `gone` means that the endpoint answered 410: nothing is sent to it until its address is set again, or a test succeeds. */
export const CHANNEL_STATES = ['active', 'gone'] as const;
export type ChannelState = (typeof CHANNEL_STATES)[number];

const TARGET_PROPERTIES = {
  url: Type.String({
    maxLength: LIMITS.maxUrlLength,
    description:
      'Of `webhook`: the endpoint. Of `slack`, `discord` and `teams`: the address of an incoming webhook.',
    examples: ['https://hooks.example.com/T000/B000'],
  }),
  to: Type.Array(
    Type.String({
      pattern: '^[^\\s@<>,;:"()\\[\\]\\\\]{1,64}@[A-Za-z0-9.-]{1,253}$',
      'x-expected': 'an email address such as "ann@example.com"',
    }),
    {
      minItems: 1,
      maxItems: 10,
      description: 'Of `email`: the recipients.',
      examples: [['ann@example.com']],
    },
  ),
  token: Type.String({
    minLength: 1,
    maxLength: 300,
    pattern: '^[!-~]+$',
    'x-expected': 'a token of 1 to 300 characters without spaces',
    description: 'Of `telegram`: the token of the bot. Of `ntfy`, optional: an access token.',
  }),
  chat: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^(-?[0-9]+|@[A-Za-z0-9_]+)$',
    'x-expected': 'the id of a chat such as "-1001234567890", or a name such as "@prices"',
    description: 'Of `telegram`: the chat.',
    examples: ['@prices'],
  }),
  topic: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    'x-expected': 'a name of 1 to 64 letters, digits, hyphens and underscores',
    description: 'Of `ntfy`: the topic.',
  }),
  server: Type.String({
    maxLength: LIMITS.maxUrlLength,
    description:
      'Of `ntfy` and `telegram`, optional: a server of your own. Default https://ntfy.sh and https://api.telegram.org.',
  }),
  key: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,128}$',
    'x-expected': 'a key of 1 to 128 letters, digits, hyphens and underscores',
    description: "Of `apprise`: the key of a configuration that the operator's Apprise keeps.",
  }),
  tag: Type.String({
    maxLength: 200,
    description: 'Of `apprise`, optional: the tags of that configuration to notify.',
  }),
};

/** Name of a field of the target of a channel. */
export type TargetField = keyof typeof TARGET_PROPERTIES;

/** Target of a channel: the fields of its type. */
export type ChannelTarget = { readonly [Field in TargetField]?: Static<(typeof TARGET_PROPERTIES)[Field]> };

/** Fields of each type of channel. */
export const CHANNEL_FIELDS: Readonly<
  Record<
    ChannelType,
    { readonly required: readonly TargetField[]; readonly optional: readonly TargetField[] }
  >
> = {
  webhook: { required: ['url'], optional: [] },
  email: { required: ['to'], optional: [] },
  slack: { required: ['url'], optional: [] },
  discord: { required: ['url'], optional: [] },
  teams: { required: ['url'], optional: [] },
  telegram: { required: ['token', 'chat'], optional: ['server'] },
  ntfy: { required: ['topic'], optional: ['server', 'token'] },
  apprise: { required: ['key'], optional: ['tag'] },
};

/** All fields of targets. */
export const TARGET_FIELDS = Object.keys(TARGET_PROPERTIES) as readonly TargetField[];

const type = OneOf(CHANNEL_TYPES, { description: 'Which of the other fields it has follows from it.' });
const name = Name({ description: 'Name by which people know the channel.', examples: ['Buyers'] });

const OPTIONAL_TARGET = {
  url: Type.Optional(TARGET_PROPERTIES.url),
  to: Type.Optional(TARGET_PROPERTIES.to),
  token: Type.Optional(TARGET_PROPERTIES.token),
  chat: Type.Optional(TARGET_PROPERTIES.chat),
  topic: Type.Optional(TARGET_PROPERTIES.topic),
  server: Type.Optional(TARGET_PROPERTIES.server),
  key: Type.Optional(TARGET_PROPERTIES.key),
  tag: Type.Optional(TARGET_PROPERTIES.tag),
};

/** The body of `POST /v1/channels`. */
export const CreateChannelRequestSchema = Type.Object(
  { type, name, ...OPTIONAL_TARGET },
  { additionalProperties: false },
);

/** The body of `PATCH /v1/channels/{id}`: given fields replace the stored ones; the type stays. */
export const ChannelPatchSchema = Type.Object(
  { name: Type.Optional(name), ...OPTIONAL_TARGET },
  { additionalProperties: false, minProperties: 1 },
);

/** A channel as the API shows it: its address is cut where it holds a secret. */
export const ChannelSchema = Type.Object(
  {
    id: Type.String({ examples: ['chn_01jd8x0000000000000000000'] }),
    type,
    name,
    address: Type.String({
      description: 'Where it leads; parts that hold a secret are cut.',
      examples: ['https://hooks.slack.com/…'],
    }),
    status: OneOf(CHANNEL_STATES, {
      description:
        '`gone` when the endpoint answered 410 Gone: nothing is sent until the address is set again, or a test succeeds.',
    }),
    createdAt: Timestamp(),
    updatedAt: Timestamp({ description: 'Time at which it was last changed.' }),
  },
  { additionalProperties: false },
);
export type Channel = Static<typeof ChannelSchema>;

/** Returns the purpose that the target of a channel is encrypted for: it opens for no other channel. */
export function channelPurpose(accountId: string, channelId: string): string {
  return [accountId, 'channel', channelId].join('\n');
}
