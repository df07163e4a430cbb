import type { Static } from 'typebox';
import { OneOf } from '../map-of.ts';
import { Type } from '../type.ts';

/** A cookie to send with the request; `domain` defaults to the target's host, `path` to `/`. */
export const CookieSchema = Type.Object(
  {
    name: Type.String({
      maxLength: 4096,
      description: 'May be empty: a cookie without a name is its value.',
    }),
    value: Type.String({ maxLength: 4096 }),
    domain: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 253,
        description:
          'The host that gets the cookie: a name with all its subdomains, or an IP address without brackets, which has ' +
          'none. Defaults to the host of the URL alone. A cookie of another host is sent only where a redirect or the ' +
          'page itself leads there.',
      }),
    ),
    path: Type.Optional(
      Type.String({
        pattern: '^/',
        maxLength: 1024,
        'x-expected': 'a path that begins with "/", of at most 1024 characters',
      }),
    ),
    expires: Type.Optional(
      Type.Unsafe<number | string>({
        anyOf: [{ type: 'number' }, { type: 'string', format: 'date-time' }],
        'x-expected': 'seconds since 1970, or an ISO 8601 timestamp',
      }),
    ),
    httpOnly: Type.Optional(Type.Boolean()),
    secure: Type.Optional(Type.Boolean()),
    sameSite: Type.Optional(OneOf(['Strict', 'Lax', 'None'])),
  },
  { additionalProperties: false },
);
export type Cookie = Static<typeof CookieSchema>;
