import type { Static } from 'typebox';
import { LIMITS } from './limits.ts';
import { Type } from './type.ts';

/** A glob, or a regular expression in RE2's syntax, that URLs are compared with. */
export const UrlPatternSchema = Type.Unsafe<string | { readonly regex: string }>({
  description:
    'A glob, which is compared with path and query from the first to the last character, or with the whole URL if it begins with `http`: `*` stands for any characters but `/`, `**` for any at all. Characters that URLs encode match in both spellings. Or `{"regex": "…"}` in RE2 syntax, which is searched for in the whole URL.',
  examples: ['/books/**', { regex: '/p/[0-9]+$' }],
  'x-expected': 'a glob such as "/books/**", or {"regex": "…"}',
  anyOf: [
    { type: 'string', minLength: 1, maxLength: LIMITS.maxUrlPatternLength },
    Type.Object(
      { regex: Type.String({ minLength: 1, maxLength: LIMITS.maxUrlPatternLength }) },
      { additionalProperties: false },
    ),
  ],
});
export type UrlPattern = Static<typeof UrlPatternSchema>;
