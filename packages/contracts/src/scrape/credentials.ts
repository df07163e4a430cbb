import { secretsIn } from './actions.ts';
import type { ScrapeOptions } from './scrape-request.ts';

/** Names of headers and fields that carry credentials; not names such as author and keyword. */
const SECRET_NAME =
  /auth(?!or(?!i))|bearer|cookie|credential|csrf|jwt|key(?!board|word)|passphrase|passwd|password|secret|session|signature|token|xsrf/i;

/** Returns true if the name of a header, or of a field of a body, says that its value is secret. */
export function isSecretHeader(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Returns true if a text, such as a body, may hold a secret under one of its names. */
export function mayHoldSecrets(text: string): boolean {
  return SECRET_NAME.test(text);
}

/** Headers and cookies of a request. */
type RequestFields = Pick<ScrapeOptions, 'headers' | 'cookies' | 'actions' | 'profile'>;

/**
 * Returns true if a request brings a session of its caller, or opens one: cookies, a header whose name says that it is
 * secret, a secret that its actions write, or a profile.
 */
export function hasCredentials({ cookies = [], headers = {}, actions, profile }: RequestFields): boolean {
  if (cookies.length > 0 || profile !== undefined) return true;
  return Object.keys(headers).some(isSecretHeader) || secretsIn(actions).length > 0;
}

/** Returns the options without secret headers and without cookies that name no domain, for a URL of another origin. */
export function withoutCredentials<Options extends RequestFields>(options: Options): Options {
  if (!hasCredentials(options)) return options;
  const { cookies = [], headers = {}, ...rest } = options;
  const shared = cookies.filter(({ domain }) => domain !== undefined);
  const open = Object.entries(headers).filter(([name]) => !isSecretHeader(name));
  return {
    ...rest,
    ...(shared.length > 0 && { cookies: shared }),
    ...(open.length > 0 && { headers: Object.fromEntries(open) }),
  } as Options;
}

/**
 * Returns the origins that credentials given for a URL are sent to: its own, and for http at the usual port also https of
 * the same host, which such URLs redirect to.
 */
export function credentialOriginsOf({ protocol, port, origin, hostname }: URL): string[] {
  return protocol === 'http:' && port === '' ? [origin, `https://${hostname}`] : [origin];
}

/** Returns true if credentials given for one URL are sent to another. */
export function sharesCredentials(from: URL, to: URL): boolean {
  return credentialOriginsOf(from).includes(to.origin);
}
