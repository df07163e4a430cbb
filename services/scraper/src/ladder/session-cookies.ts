import type { Cookie, ScrapeCommand, ScrapeRequest } from '@gleaner/contracts';

const SESSION_HEADERS: ReadonlySet<string> = new Set(['cookie', 'authorization']);
const MAX_COOKIES = 50;

/** Tells whether the caller brings a session: nothing is added to it, and nothing of it is kept. */
export function hasOwnSession({ cookies = [], headers = {} }: ScrapeRequest): boolean {
  return cookies.length > 0 || Object.keys(headers).some((name) => SESSION_HEADERS.has(name.toLowerCase()));
}

/** Returns the command with remembered cookies; unchanged without any, or when the caller brings a session. */
export function withCookies<Command extends ScrapeCommand>(
  command: Command,
  cookies: readonly Cookie[],
): Command {
  if (cookies.length === 0 || hasOwnSession(command.request)) return command;
  return { ...command, request: { ...command.request, cookies: [...cookies] } };
}

/** Returns the cookies of the page's host that may be remembered; none of a caller's session. */
export function cookiesToRemember(cookies: readonly Cookie[], request: ScrapeRequest): readonly Cookie[] {
  if (cookies.length === 0 || hasOwnSession(request)) return [];
  const { hostname } = new URL(request.url);
  const isOfHost = ({ domain = hostname }: Cookie) => {
    const bare = domain.replace(/^\./, '');
    return hostname === bare || hostname.endsWith(`.${bare}`);
  };
  return cookies.filter(isOfHost).slice(0, MAX_COOKIES);
}
