import { LIMITS } from '../limits.ts';
import { OneOf } from '../map-of.ts';
import { Type } from '../type.ts';
import { ActionsSchema } from './actions.ts';
import { CaptureSchema } from './capture.ts';
import { option } from './option.ts';
import { OVERLAY_ACTIONS } from './overlays.ts';
import { type ScreenshotOptions, ScreenshotOptionsSchema } from './screenshot.ts';

/** Options about the way to the page, and what a browser does there. */
export const BROWSER_OPTIONS = {
  render: option({
    schema: Type.Unsafe<boolean | 'auto'>({
      description:
        'Render JavaScript in a browser. With `auto`, the page is fetched without one, and rendered only if it turns out to be a `shell` that scripts have yet to fill; pages of that host then begin in the browser for a while. Only a page that was rendered is charged as one. Default false.',
      'x-expected': 'true, false or "auto"',
      enum: [true, false, 'auto'],
    }),
    needs: (render) => (render === 'auto' ? 'both' : render ? 'browser' : undefined),
    price: { credits: 4, text: 'a browser: `render`, `waitFor`, `screenshot`' },
    flags: {
      '--render': 'run the JavaScript of the page in a browser',
      '--render-auto': {
        help: 'render only pages that have no content without it',
        sets: 'auto',
        conflicts: 'render',
      },
    },
  }),
  antiBot: option({
    schema: Type.Boolean({
      description:
        'When a site blocks the request, try again more like a person’s browser, step by step: with the headers and the TLS of Chrome, in a browser, in a browser that hides its automation, and with `proxy` from another address. The first step that succeeds is charged; `metadata.attempts` lists every step. Captchas are not solved. Default false.',
    }),
    mayRender: true,
    price: { credits: 10, text: '`antiBot`, where the page did not come without it' },
    flags: { '--anti-bot': 'when the site blocks the request, look more like a browser, step by step' },
  }),
  proxy: option({
    schema: Type.String({
      pattern: '^[a-z]{2,3}$',
      description:
        'Country whose proxies carry the request, as a lower-case code. A country without proxies is rejected with the list of available ones.',
      examples: ['us'],
      'x-expected': 'a lower-case country code such as "us"',
    }),
    price: { credits: 5, text: '`proxy`' },
    flags: { '--proxy <country>': 'go out through a proxy of this country, such as us' },
  }),
  actions: option({
    schema: ActionsSchema,
    reuse: 'noPage',
    needs: (actions) => (actions.length > 0 ? 'browser' : undefined),
  }),
  waitFor: option({
    schema: Type.Unsafe<string | number>({
      description:
        'A CSS selector to wait for, or a delay in milliseconds, after the `actions`. Implies `render`.',
      'x-expected': `a CSS selector, or a number of milliseconds from 0 to ${LIMITS.maxWaitForMs}`,
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 4096 },
        { type: 'integer', minimum: 0, maximum: LIMITS.maxWaitForMs },
      ],
    }),
    needs: 'browser',
    flags: {
      '--wait-for <selector|ms>': {
        help: 'wait for an element or a time; implies --render',
        kind: 'textOrCount',
      },
    },
  }),
  screenshot: option({
    schema: Type.Unsafe<boolean | ScreenshotOptions>({
      description:
        'Capture the page as an image: `true` for the full page as PNG, or an object that says how. Implies `render`. Default false.',
      'x-expected': 'true, false or an object such as {"format": "jpeg"}',
      anyOf: [{ type: 'boolean' }, ScreenshotOptionsSchema],
    }),
    needs: 'browser',
    reuse: 'noPage',
    price: { credits: 1, text: '`screenshot`' },
  }),
  overlays: option({
    schema: OneOf(['keep', ...OVERLAY_ACTIONS], {
      description:
        'What is done with the layers by which a page asks for consent, before it is read and its screenshot is taken: `hide` takes them away without an answer, `accept` and `reject` click the answer and imply `render`. With any but `keep` the formats `markdown`, `text` and `article` leave out the layers of known consent platforms, also without a browser. Default keep.',
    }),
    off: 'keep',
    reads: true,
    needs: (overlays) => (overlays === 'accept' || overlays === 'reject' ? 'browser' : undefined),
    flags: {
      '--overlays <what>':
        'layers that ask for consent: hide, accept or reject them; the last two imply --render',
    },
  }),
  frames: option({
    schema: Type.Boolean({
      description: `Read the documents of frames with the page: each follows its \`iframe\` as \`<div data-frame="URL">\`. At most ${LIMITS.maxFrames} frames of 2 MiB each, those in frames counted. Implies \`render\`. Default false.`,
    }),
    needs: 'browser',
    flags: { '--frames': 'read the documents of frames with the page; implies --render' },
  }),
  capture: option({
    schema: CaptureSchema,
    needs: 'browser',
    reuse: 'noPage',
    flags: {
      '--capture <name=glob>': {
        help: 'keep responses that the page gets, such as offers=**/api/offers*, or the JSON of what the API takes; implies --render; repeatable',
        kind: 'captures',
      },
    },
  }),
};
