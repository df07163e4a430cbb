/** Written by `npm run docs` from the contracts; a test compares them. Do not edit. */

/** Flag of the command line for an option of a page. */
interface ShownFlag {
  readonly option: string;
  readonly name: string;
  readonly kind: 'text' | 'jsonFile' | 'choice' | 'switch' | 'textOrCount' | 'captures' | 'count' | 'cookies' | 'headers';
  /** Value of the option that the switch stands for; true without one. */
  readonly sets?: string;
  /** Field of the option that the flag sets. */
  readonly field?: string;
}

/** Flags of the options of a page. */
export const PAGE_FLAGS: readonly ShownFlag[] = [
  {
    option: 'recipe',
    name: '--recipe',
    kind: 'text',
  },
  {
    option: 'extract',
    name: '--schema',
    kind: 'jsonFile',
    field: 'schema',
  },
  {
    option: 'extract',
    name: '--extract-prompt',
    kind: 'text',
    field: 'prompt',
  },
  {
    option: 'locale',
    name: '--locale',
    kind: 'text',
  },
  {
    option: 'method',
    name: '--method',
    kind: 'choice',
  },
  {
    option: 'repeatable',
    name: '--repeatable',
    kind: 'switch',
  },
  {
    option: 'render',
    name: '--render',
    kind: 'switch',
  },
  {
    option: 'render',
    name: '--render-auto',
    kind: 'switch',
    sets: 'auto',
  },
  {
    option: 'antiBot',
    name: '--anti-bot',
    kind: 'switch',
  },
  {
    option: 'proxy',
    name: '--proxy',
    kind: 'text',
  },
  {
    option: 'waitFor',
    name: '--wait-for',
    kind: 'textOrCount',
  },
  {
    option: 'overlays',
    name: '--overlays',
    kind: 'choice',
  },
  {
    option: 'frames',
    name: '--frames',
    kind: 'switch',
  },
  {
    option: 'capture',
    name: '--capture',
    kind: 'captures',
  },
  {
    option: 'pdf',
    name: '--pdf-pages',
    kind: 'count',
    field: 'maxPages',
  },
  {
    option: 'download',
    name: '--download',
    kind: 'switch',
  },
  {
    option: 'onSuspect',
    name: '--on-suspect',
    kind: 'choice',
  },
  {
    option: 'snapshot',
    name: '--snapshot',
    kind: 'switch',
  },
  {
    option: 'maxAge',
    name: '--max-age',
    kind: 'count',
  },
  {
    option: 'freshContext',
    name: '--fresh-context',
    kind: 'switch',
  },
  {
    option: 'cookies',
    name: '--cookie',
    kind: 'cookies',
  },
  {
    option: 'headers',
    name: '--header',
    kind: 'headers',
  },
  {
    option: 'profile',
    name: '--site-profile',
    kind: 'text',
  },
  {
    option: 'timeout',
    name: '--timeout',
    kind: 'count',
  },
];
