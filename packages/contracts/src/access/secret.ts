import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';

/** Form of the name of a secret. */
export const SECRET_NAME = {
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
  'x-expected': 'a name of 1 to 64 letters, digits, hyphens and underscores, such as "shop-password"',
} as const;

/** Name of a secret of an account. */
export const SecretNameSchema = Type.String(SECRET_NAME);

const OriginsSchema = Type.Array(
  Type.String({
    pattern: '^https?://[^/?#@\\s]+$',
    maxLength: 300,
    'x-expected': 'an origin such as "https://shop.example"',
  }),
  {
    minItems: 1,
    maxItems: 20,
    description:
      'Origins of the pages in whose fields the secret may be written. Without them, it is that of the URL that is scraped.',
    examples: [['https://shop.example', 'https://login.shop.example']],
  },
);

/** The body of `PUT /v1/secrets/{name}`. */
export const PutSecretRequestSchema = Type.Object(
  {
    value: Type.String({
      minLength: 4,
      maxLength: LIMITS.maxActionValueLength,
      description: 'The secret. No response has it.',
    }),
    origins: Type.Optional(OriginsSchema),
  },
  { additionalProperties: false },
);

/** A secret as the API shows it: without its value. */
export const SecretSchema = Type.Object(
  {
    name: SecretNameSchema,
    origins: Type.Optional(OriginsSchema),
    createdAt: Timestamp(),
    updatedAt: Timestamp({ description: 'Time at which the value was last set.' }),
  },
  { additionalProperties: false },
);
export type Secret = Static<typeof SecretSchema>;

/** A secret on its way to the scraper of a page, which alone decrypts it. */
export const SealedSecretSchema = Type.Object(
  { name: Type.String(), sealed: Type.String(), origins: Type.Optional(Type.Array(Type.String())) },
  { additionalProperties: false },
);
export type SealedSecret = Static<typeof SealedSecretSchema>;

/** Returns the purpose that a secret is encrypted for: it opens in no other account, under no other name, for no other origins. */
export function purposeOf(
  accountId: string,
  { name, origins = [] }: Pick<SealedSecret, 'name' | 'origins'>,
): string {
  return [accountId, name, ...origins].join('\n');
}
