import type { Cookie, ScrapeCommand, ScrapeRequest } from '@gleaner/contracts';

const SESSION_HEADERS: ReadonlySet<string> = new Set(['cookie', 'authorization']);
const MAX_COOKIES = 50;

/** Whether the caller comes with a session of their own: nothing is added to it, and nothing of it is kept. */
export function hasOwnSession({ cookies = [], headers = {} }: ScrapeRequest): boolean {
  return cookies.length > 0 || Object.keys(headers).some((name) => SESSION_HEADERS.has(name.toLowerCase()));
}

/** The command with cookies that the site has set before; without any it stays as it is. */
export function withCookies(command: ScrapeCommand, cookies: readonly Cookie[]): ScrapeCommand {
  if (cookies.length === 0 || hasOwnSession(command.request)) return command;
  return { ...command, request: { ...command.request, cookies: [...cookies] } };
}

/** The cookies of a page's own host, as many as may be kept; none of a caller's session. */
export function keepable(cookies: readonly Cookie[], request: ScrapeRequest): readonly Cookie[] {
  if (cookies.length === 0 || hasOwnSession(request)) return [];
  const { hostname } = new URL(request.url);
  const isOfHost = ({ domain = hostname }: Cookie) => {
    const bare = domain.replace(/^\./, '');
    return hostname === bare || hostname.endsWith(`.${bare}`);
  };
  return cookies.filter(isOfHost).slice(0, MAX_COOKIES);
}
