import {
  type Engine,
  MAX_EVIDENCE_CHARS,
  SIGNAL_CODES,
  SIGNAL_TABLE,
  type Signal,
  type SignalCode,
  type Verdict,
} from '@gleaner/contracts';
import type { PageFacts } from '@gleaner/extraction';
import type { FrontLayer } from '../../browser/overlays/find-front-layer.ts';
import { kindOfWords, type NamedKind } from './page-words.ts';
import { consentSignals, isLoginUrl, markupSignals, redirectSignals } from './signals.ts';

/** A page that was read, and how it was fetched. */
export interface JudgedPage {
  readonly facts: PageFacts;
  readonly source: string;
  readonly askedUrl: string;
  /** URL after redirects. */
  readonly url: string;
  readonly engine: Engine;
  /** Element that covers most of the window in front of a rendered page. */
  readonly layer?: FrontLayer;
}

/**
 * Judges what kind of page was read. A page with much text is content, unless the site redirected to the URL of something
 * else; titles, forms and marks count on pages with little text alone, because articles quote them.
 */
export function judgePage(page: JudgedPage): Verdict {
  const { facts } = page;
  const signals = [
    ...redirectSignals(page.askedUrl, page.url),
    ...consentSignals(page.layer),
    ...(facts.isRich ? [] : [...shownSignals(page), ...wordSignals(facts)]),
  ];
  const [first] = signals.sort((a, b) => rankOf(a) - rankOf(b));
  if (!first) return { page: 'content', basis: facts.isRich ? 'observed' : 'inferred', signals: [] };
  const { page: kind, basis } = SIGNAL_TABLE[first.code];
  const supporting = signals.filter(
    (signal, place) =>
      SIGNAL_TABLE[signal.code].page === kind && signals.findIndex((each) => isAlike(each, signal)) === place,
  );
  return { page: kind, basis, signals: supporting.map(cut) };
}

/** Returns true for one signal with one quotation: titles repeat headings. */
function isAlike(one: Signal, other: Signal): boolean {
  return one.code === other.code && one.evidence === other.evidence;
}

function rankOf({ code }: Signal): number {
  return SIGNAL_CODES.indexOf(code);
}

function cut({ code, evidence }: Signal): Signal {
  return { code, evidence: evidence.slice(0, MAX_EVIDENCE_CHARS) };
}

/** Most characters beside a captcha, and in links around it. */
const MAX_WALL_CHARS = 700;
const MAX_WALL_LINK_CHARS = 2000;

/** Returns the signals in what a page with little text is made of. */
function shownSignals(page: JudgedPage): readonly Signal[] {
  const { facts, source } = page;
  const isCheck =
    facts.passwords === 0 &&
    facts.fields === 0 &&
    facts.textChars < MAX_WALL_CHARS &&
    facts.linkChars < MAX_WALL_LINK_CHARS;
  return [
    ...markupSignals(source).filter(({ code }) => code !== 'CAPTCHA_WIDGET' || isCheck),
    ...(isCheck && facts.captchaField !== ''
      ? [{ code: 'CAPTCHA_FIELD' as const, evidence: `field ${facts.captchaField}` }]
      : []),
    ...passwordSignals(page),
    ...emptySignals(page),
  ];
}

/** A form for a password with no more around it is a login; with a little more, if the page calls itself one. */
const MAX_BARE_LOGIN_CHARS = 400;
const MAX_BARE_LOGIN_MEDIA = 3;
/** Beside the password: the name of the user. Forms with more are for new accounts. */
const MAX_BARE_LOGIN_FIELDS = 1;

function passwordSignals({ facts, url }: JudgedPage): readonly Signal[] {
  const { passwords, fields, textChars, linkChars, media, title, headings } = facts;
  // Pages with two ask for a new account or a new password.
  if (passwords !== 1) return [];
  const isBare =
    textChars + linkChars < MAX_BARE_LOGIN_CHARS &&
    media <= MAX_BARE_LOGIN_MEDIA &&
    fields <= MAX_BARE_LOGIN_FIELDS;
  const isNamed = [title, ...headings].some((text) => kindOfWords(text) === 'login') || isLoginUrl(url);
  if (!isBare && !isNamed) return [];
  const evidence = `password field beside ${textChars + linkChars} characters of text`;
  return [{ code: 'PASSWORD_FORM', evidence }];
}

/** Most characters of a page with nothing but a note that it is loading. */
const MAX_SHELL_CHARS = 150;
const MAX_SHELL_MEDIA = 2;

/** Returns true for a page with so little content that scripts may hold the rest, since none have run. */
export function mayBeShell({ facts, engine }: Pick<JudgedPage, 'facts' | 'engine'>): boolean {
  const { textChars, linkChars, media, fields, passwords, scripts, captchaField } = facts;
  if (engine !== 'http' || scripts === 0) return false;
  const isBare = textChars + linkChars < MAX_SHELL_CHARS && media <= MAX_SHELL_MEDIA;
  return isBare && fields + passwords === 0 && captchaField === '';
}

function emptySignals(page: JudgedPage): readonly Signal[] {
  const { facts } = page;
  const { textChars, linkChars, media, fields, passwords, scripts, noscript, captchaField } = facts;
  if (fields + passwords > 0 || captchaField !== '') return [];
  if (mayBeShell(page) && /java\s?script/i.test(noscript))
    return [{ code: 'NOSCRIPT_DEMAND', evidence: noscript }];
  if (textChars + linkChars + media > 0) return [];
  return scripts > 0
    ? [{ code: 'SCRIPTS_ONLY', evidence: `${scripts} scripts and no text` }]
    : [{ code: 'NO_CONTENT', evidence: 'no text, image, frame or field' }];
}

const CODES: Readonly<Record<NamedKind, SignalCode>> = {
  wall: 'WALL_WORDS',
  login: 'LOGIN_WORDS',
  consent: 'CONSENT_WORDS',
  notFound: 'NOT_FOUND_WORDS',
  notice: 'NOTICE_WORDS',
};

/** A page with more text is about what its title says. */
const MAX_NAMED_CHARS = 900;
/** Most characters of a login without a field, which leads to other sites. */
const MAX_DOOR_CHARS = 300;

/** Returns what the titles and headings of a page with little text say about it. */
function wordSignals({
  title,
  headings,
  fields,
  passwords,
  textChars,
  linkChars,
}: PageFacts): readonly Signal[] {
  if (textChars >= MAX_NAMED_CHARS) return [];
  const isDoor = fields + passwords > 0 || textChars + linkChars < MAX_DOOR_CHARS;
  return [title, ...headings].flatMap((text) => {
    const kind = kindOfWords(text);
    if (kind === undefined || (kind === 'login' && !isDoor)) return [];
    return [{ code: CODES[kind], evidence: text }];
  });
}
