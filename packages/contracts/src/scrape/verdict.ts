import type { Static } from 'typebox';
import { OneOf } from '../map-of.ts';
import { Type } from '../type.ts';

/** Kinds of pages sent by sites: the requested content, or a page instead of it. */
export const PAGE_KINDS = [
  'content',
  'wall',
  'login',
  'consent',
  'notFound',
  'shell',
  'empty',
  'notice',
] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

/**
 * Every signal of a suspect page, with the kind of page it indicates. An observed one rests on the structure
 * of the page; an inferred one on its words. `docs/verdicts.md` is generated from this table.
 */
export const SIGNAL_TABLE = {
  CAPTCHA_WIDGET: {
    page: 'wall',
    basis: 'observed',
    when: 'A captcha is nearly all that the page shows: the widget of a vendor, and no form that it could belong to.',
  },
  CAPTCHA_FIELD: {
    page: 'wall',
    basis: 'observed',
    when: 'The only field of a page with little text is for the code of a captcha.',
  },
  WALL_REDIRECT: {
    page: 'wall',
    basis: 'observed',
    when: 'Another page was asked for, and the site redirected to the URL of a captcha.',
  },
  LOGIN_REDIRECT: {
    page: 'login',
    basis: 'observed',
    when: 'Another page was asked for, and the site redirected to the URL of a login.',
  },
  PASSWORD_FORM: {
    page: 'login',
    basis: 'observed',
    when: 'A page asks for a password and has little text beside the form, or calls itself a login.',
  },
  CONSENT_REDIRECT: {
    page: 'consent',
    basis: 'observed',
    when: 'Another page was asked for, and the site redirected to a page that asks for consent.',
  },
  CONSENT_LAYER: {
    page: 'consent',
    basis: 'observed',
    when: 'In a browser, a layer that asks for consent covers most of the window, its middle included: one of a known platform, or one that begins with words about cookies.',
  },
  NOT_FOUND_REDIRECT: {
    page: 'notFound',
    basis: 'observed',
    when: 'Another page was asked for, and the site redirected to the URL of its error page.',
  },
  NOT_FOUND_MARK: {
    page: 'notFound',
    basis: 'observed',
    when: 'The page declares to machines that it was not found, as WordPress, Next.js and sites rendered in advance do.',
  },
  UNKNOWN_PATH: {
    page: 'notFound',
    basis: 'observed',
    when: 'A page with little text shows the same as the site shows at a path that does not exist, and not what its start page shows.',
  },
  REPEATED_TEXT: {
    page: 'notFound',
    basis: 'observed',
    when: 'More than five URLs of a job, whose paths end in different names, showed the same little text; the pages from the sixth on have this signal.',
  },
  NOSCRIPT_DEMAND: {
    page: 'shell',
    basis: 'observed',
    when: 'A page without text of its own says in a `noscript` that it needs JavaScript, and was fetched without a browser.',
  },
  SAME_EVERYWHERE: {
    page: 'shell',
    basis: 'observed',
    when: 'A page with next to no text and with scripts shows the same as the start page and as a path that does not exist, and was fetched without a browser.',
  },
  NO_CONTENT: {
    page: 'empty',
    basis: 'observed',
    when: 'The page has no text, image, frame or field, and no script that could add any.',
  },
  SCRIPTS_ONLY: {
    page: 'shell',
    basis: 'inferred',
    when: 'The page shows nothing and has scripts: it was fetched without a browser, or a browser has waited for them in vain.',
  },
  WALL_WORDS: {
    page: 'wall',
    basis: 'inferred',
    when: 'The title or a heading of a page with little text says that access is denied or checked.',
  },
  LOGIN_WORDS: {
    page: 'login',
    basis: 'inferred',
    when: 'The title or a heading of a page with little text asks to sign in.',
  },
  CONSENT_WORDS: {
    page: 'consent',
    basis: 'inferred',
    when: 'The title or a heading of a page with little text asks for consent to cookies.',
  },
  NOT_FOUND_WORDS: {
    page: 'notFound',
    basis: 'inferred',
    when: 'The title or a heading of a page with little text says that the page does not exist.',
  },
  NOTICE_WORDS: {
    page: 'notice',
    basis: 'inferred',
    when: 'The title or a heading of a page with little text says that the site is closed for maintenance, not set up, suspended or for sale.',
  },
} as const satisfies Record<string, SignalDefinition>;

/** One row of the table of signals. */
export interface SignalDefinition {
  readonly page: Exclude<PageKind, 'content'>;
  readonly basis: 'observed' | 'inferred';
  readonly when: string;
}

/** Code of a signal. */
export type SignalCode = keyof typeof SIGNAL_TABLE;

/** All codes, in the order of the table: of several signals, the first decides. */
export const SIGNAL_CODES = Object.keys(SIGNAL_TABLE) as [SignalCode, ...SignalCode[]];

/** Longest evidence of a signal. */
export const MAX_EVIDENCE_CHARS = 120;

/** Kind of the page that a result comes from. */
export const VerdictSchema = Type.Object(
  {
    page: OneOf(PAGE_KINDS, {
      description:
        '`content` unless something speaks against it. The other kinds are what sites send instead: a captcha (`wall`), a `login`, a page that asks for `consent`, an error page with a status of success (`notFound`), a page that scripts have yet to fill (`shell`), nothing (`empty`), or a `notice` such as one of maintenance.',
    }),
    basis: OneOf(['observed', 'inferred'], {
      description:
        '`observed` rests on what the page is made of; `inferred` is a guess, from its words or because nothing was observed, and never fails a page.',
    }),
    signals: Type.Array(
      Type.Object(
        {
          code: OneOf(SIGNAL_CODES, { description: 'See docs/verdicts.md; more codes may be added.' }),
          evidence: Type.String({
            maxLength: MAX_EVIDENCE_CHARS,
            description: 'What was found on the page.',
          }),
        },
        { additionalProperties: false },
      ),
      { description: 'What speaks for the kind of page; empty for `content`.' },
    ),
  },
  {
    additionalProperties: false,
    description:
      'Whether the page is what was asked for, or what a site sends instead. Absent from results that older versions have stored.',
  },
);
export type Verdict = Static<typeof VerdictSchema>;

/** Numbers of results by the kind of page that they come from; a kind without results is left out. */
export type VerdictCounts = Readonly<Partial<Record<PageKind, number>>>;
export const VerdictCountsSchema = Type.Unsafe<VerdictCounts>({
  type: 'object',
  properties: Object.fromEntries(PAGE_KINDS.map((page) => [page, { type: 'integer', minimum: 1 }])),
  additionalProperties: false,
  description:
    'Number of results by the kind of page that they come from (`metadata.verdict.page`); kinds without results are left out. URLs that failed have no verdict, and neither have results that older versions stored. Approximate while the job runs.',
  examples: [{ content: 940, login: 60 }],
});

/** The parameter that selects results by the kind of their pages. */
export const VerdictFilterSchema = Type.Optional(
  Type.Array(OneOf(PAGE_KINDS), {
    minItems: 1,
    maxItems: PAGE_KINDS.length,
    uniqueItems: true,
    description:
      'Only results of pages of these kinds, separated by commas: `login,wall`. URLs that failed have no kind, and neither have results that older versions stored.',
  }),
);

/** Evidence for a kind of page. */
export type Signal = Verdict['signals'][number];

/** Names of the kinds of pages in sentences. */
const NAMES: Readonly<Record<Exclude<PageKind, 'shell'>, string>> = {
  content: 'a page with content',
  wall: 'a captcha or another check for robots',
  login: 'a login',
  consent: 'a request for consent',
  notFound: 'an error page that says “not found”',
  empty: 'an empty page',
  notice: 'a notice',
};

/** Returns a sentence about a suspect page, with the evidence. */
export function describeVerdict({ page, signals }: Verdict): string {
  const [signal] = signals;
  if (signal?.code === 'CONSENT_LAYER')
    return `A layer that asks for consent covers the page (${signal.evidence}): "overlays" takes it away.`;
  const found = signal ? ` (${signal.code}: ${signal.evidence})` : '';
  if (page === 'shell') return `The page lacks its content, which its scripts have yet to add${found}.`;
  return `The site sent ${NAMES[page]} instead of the page${found}.`;
}

/** Returns the warning of a result whose page was observed to be something else than what was asked for, in a list. */
export function suspectWarnings(
  verdict: Verdict | undefined,
): readonly { readonly code: 'PAGE_SUSPECT'; readonly message: string }[] {
  const isSuspect = verdict !== undefined && verdict.page !== 'content' && verdict.basis === 'observed';
  return isSuspect ? [{ code: 'PAGE_SUSPECT', message: describeVerdict(verdict) }] : [];
}
