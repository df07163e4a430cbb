import type { Signal, SignalCode } from '@gleaner/contracts';
import type { FrontLayer } from '../../browser/overlays/find-front-layer.ts';
import { type PageMachinery, SCANNED_CHARACTERS, scanMachinery } from '../scan-machinery.ts';
import { kindOfWords } from './page-words.ts';

/** Classes of the widgets of captchas that a person has to solve. */
const CAPTCHA_CLASSES = [
  'g-recaptcha',
  'h-captcha',
  'cf-turnstile',
  'frc-captcha',
  'mtcaptcha',
  'smart-captcha',
];

/** Frames with a captcha to solve. */
const CAPTCHA_FRAME =
  /^(?:https?:)?\/\/(?:(?:www\.)?(?:google\.com|recaptcha\.net)\/recaptcha\/|[\w.-]*hcaptcha\.com\/|challenges\.cloudflare\.com\/|[\w.-]*(?:arkoselabs|funcaptcha)\.com\/|[\w.-]*geetest\.com\/|[\w.-]*captcha-delivery\.com\/)/;

/** A page without these has none of the signals, as nearly all. */
const ANY_MARK =
  /captcha|turnstile|challenges\.cloudflare|arkoselabs|geetest|error404|prerender-status-code|next-error/i;

/** Returns the signals in the markup of a page with little text: captchas that are shown, and marks for machines. */
export function markupSignals(source: string): readonly Signal[] {
  const start = source.slice(0, SCANNED_CHARACTERS);
  if (!ANY_MARK.test(start)) return [];
  const machinery = scanMachinery(start);
  const [captcha, mark] = [findCaptcha(machinery), findNotFoundMark(machinery)];
  return [
    ...(captcha === undefined ? [] : [{ code: 'CAPTCHA_WIDGET' as const, evidence: captcha }]),
    ...(mark === undefined ? [] : [{ code: 'NOT_FOUND_MARK' as const, evidence: mark }]),
  ];
}

function findCaptcha({ classes, frames }: PageMachinery): string | undefined {
  const name = CAPTCHA_CLASSES.find((each) => classes.has(each));
  return name === undefined ? frames.find((frame) => CAPTCHA_FRAME.test(frame)) : `class ${name}`;
}

/**
 * Finds the declarations of WordPress, prerender.io and Next.js on pages that do not exist
 * (https://developer.wordpress.org/reference/functions/get_body_class/,
 * https://docs.prerender.io/docs/11-best-practices, https://nextjs.org/docs/app/api-reference/functions/not-found).
 */
function findNotFoundMark({ metas, bodyClasses }: PageMachinery): string | undefined {
  const status = metas.get('prerender-status-code') ?? '';
  if (/^\s*(?:404|410)\s*$/.test(status)) return `meta prerender-status-code ${status.trim()}`;
  if (metas.get('next-error') === 'not-found') return 'meta next-error not-found';
  return bodyClasses.has('error404') ? 'body class error404' : undefined;
}

/** Rule for the kind of page at the end of a redirect, by its URL. */
interface RedirectRule {
  readonly code: SignalCode;
  /** Matches the path. */
  readonly path: RegExp;
  /** Matches the host; with it the path may be any. */
  readonly host?: RegExp;
}

const END = String.raw`(?:\.(?:php|html?|aspx?|jsp|do|cgi))?/?$`;

const RULES: readonly RedirectRule[] = [
  {
    code: 'WALL_REDIRECT',
    path: new RegExp(
      `/(?:captcha|showcaptcha|validatecaptcha|sorry/index|human-verification|robot-check|bot-check)${END}`,
      'i',
    ),
  },
  {
    code: 'LOGIN_REDIRECT',
    path: new RegExp(
      `/(?:login|log-in|log_in|logon|signin|sign-in|sign_in|sessions?/new|wp-login|user/login|sso|anmelden|einloggen|connexion|acceder|accedi|inloggen|iniciar-sesion|zaloguj|logowanie|prihlaseni|giris)${END}`,
      'i',
    ),
    host: /^(?:login|signin|sso|idp|accounts)\./i,
  },
  {
    code: 'CONSENT_REDIRECT',
    path: new RegExp(`/(?:cookie-?wall|cookie-?consent|privacy-gate|gdpr-consent|consent)${END}`, 'i'),
    host: /^consent\./i,
  },
  {
    code: 'NOT_FOUND_REDIRECT',
    path: new RegExp(
      `/(?:404|error-?404|404-?error|error/404|errors/404|not-?found|not_found|page-?not-?found|page_not_found|notfound)${END}`,
      'i',
    ),
  },
];

/** Returns what a redirect from the URL asked for says about a page, in a list. */
export function redirectSignals(askedUrl: string, url: string): readonly Signal[] {
  if (askedUrl === url) return [];
  const [asked, got] = [URL.parse(askedUrl), URL.parse(url)];
  if (!asked || !got) return [];
  return RULES.filter((rule) => matches(rule, got) && !matches(rule, asked)).map(({ code }) => ({
    code,
    evidence: `${got.host}${got.pathname}`,
  }));
}

/** Returns true for the URL of a login. */
export function isLoginUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && RULES.some((rule) => rule.code === 'LOGIN_REDIRECT' && matches(rule, parsed));
}

function matches({ path, host }: RedirectRule, { hostname, pathname }: URL): boolean {
  return path.test(pathname) || host?.test(hostname) === true;
}

/** Beginnings of the ids and classes of consent platforms. */
const VENDORS =
  /(?:^|\s)((?:onetrust|ot-sdk|cybotcookiebot|cookiebot|didomi|usercentrics|qc-cmp|sp_message|truste|trustarc|cky-|cookieyes|osano|klaro|iubenda|termly|cmplz|borlabs|brlbs|axeptio|cmpbox|fc-consent|tarteaucitron|evidon|ketch-|transcend|cc-window|cookie-?consent|cookie-?banner|cookie-?notice|gdpr|consent)[\w-]*)/i;

/** Names of cookies and of laws about them, where people are asked to accept them. */
const COOKIES =
  /cookie|kakor|informasjonskapsler|evästei|evästee|vafrakök|küpsis|sīkdat|slapuk|ciastecz|kolačić|piškot|çerez|sütik|куки|クッキー|쿠키|ملفات تعريف الارتباط|עוגיות|gdpr|dsgvo|rgpd|avg-wet/i;

/** Returns the signal of a layer that asks for consent, in a list: by its vendor's names, or by the beginning of what it says. */
export function consentSignals(layer: FrontLayer | undefined): readonly Signal[] {
  if (!layer) return [];
  const vendor = VENDORS.exec(layer.names)?.[1];
  if (vendor !== undefined) return [{ code: 'CONSENT_LAYER', evidence: `element ${vendor}` }];
  const asks = COOKIES.test(layer.text) || kindOfWords(layer.text) === 'consent';
  return layer.isDialog && asks ? [{ code: 'CONSENT_LAYER', evidence: layer.text }] : [];
}
