import type { Signal, SignalCode } from '@gleaner/contracts';

/** Rule that tells by its URL what a site redirected to. */
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
