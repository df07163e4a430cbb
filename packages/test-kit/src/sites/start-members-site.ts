import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Site, startSite } from './start-site.ts';

/** Behavior of the site, which may change while it runs. */
export interface MembersSiteRules {
  password: string;
  /** Pages that a session lasts for, and the time. */
  pagesPerSession: number;
  sessionMs: number;
  /** Each page replaces the cookie of the session; the one before is refused. */
  rotates: boolean;
  /** The name of the field for the password. */
  passwordField: string;
  /** Answer to a page without a session. */
  answer: 'login page' | 401;
}

/** Counts of logins and pages so far. */
export interface MembersSiteCounts {
  /** Logins with the right password, and with a wrong one. */
  logins: number;
  refused: number;
  /** Pages that were shown, and requests without a session. */
  pages: number;
  expired: number;
  /** Logins that ended a session which showed pages and was not over. */
  needless: number;
  /** Sessions that no page was asked for with, before another login ended them. */
  unused: number;
}

/** A site whose pages need a login, by a form with a token that is good for one use. It knows one session at a time. */
export interface MembersSite extends Site {
  readonly rules: MembersSiteRules;
  readonly counts: MembersSiteCounts;
  /** Times of the requests for each page below `/members/`, in milliseconds since 1970. */
  readonly hits: ReadonlyMap<string, readonly number[]>;
  /** Ends the session. */
  signOut(): void;
}

/** Starts the site: `/members/<any>` shows a page with the class `account`, or leads to `/login`; those that end in `-missing` are 404. */
export async function startMembersSite(given: Partial<MembersSiteRules> = {}): Promise<MembersSite> {
  const rules: MembersSiteRules = {
    ...{ password: 'correct horse', rotates: false },
    ...{ pagesPerSession: Number.POSITIVE_INFINITY, sessionMs: Number.POSITIVE_INFINITY },
    ...{ passwordField: 'password', answer: 'login page' as const },
    ...given,
  };
  const counts = { logins: 0, refused: 0, pages: 0, expired: 0, needless: 0, unused: 0 };
  const hits = new Map<string, number[]>();
  const tokens = new Set<string>();
  let session: { cookie: string; left: number; readonly endsAtMs: number; isUsed: boolean } | undefined;
  const isOver = () => !session || session.left <= 0 || session.endsAtMs <= Date.now();

  const site = await startSite(async ({ url: { pathname }, request, response }) => {
    if (pathname === '/login' && request.method === 'POST') return await signIn(request, response);
    if (pathname === '/login') return showForm(response);
    if (pathname.startsWith('/members/')) return showPage(pathname, request, response);
    response.writeHead(404).end();
  });

  function showForm(response: ServerResponse): void {
    const token = randomBytes(12).toString('hex');
    tokens.add(token);
    send(
      response,
      `<form class="login" method="post" action="/login"><input type="hidden" name="csrf" value="${token}">
      <input name="name"><input type="password" name="${rules.passwordField}"><button>Sign in</button></form>`,
    );
  }

  async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const fields = new URLSearchParams(body);
    const isFresh = tokens.delete(fields.get('csrf') ?? '');
    if (!isFresh || fields.get(rules.passwordField) !== rules.password) {
      counts.refused += 1;
      return showForm(response);
    }
    counts.logins += 1;
    if (session && !session.isUsed) counts.unused += 1;
    else if (!isOver()) counts.needless += 1;
    session = {
      ...{ cookie: randomBytes(12).toString('hex'), left: rules.pagesPerSession },
      ...{ endsAtMs: Date.now() + rules.sessionMs, isUsed: false },
    };
    response.writeHead(303, { location: '/members/home', 'set-cookie': cookieOf(session.cookie) }).end();
  }

  function showPage(path: string, request: IncomingMessage, response: ServerResponse): void {
    const sent = /(?:^|; )session=([^;]*)/.exec(request.headers.cookie ?? '')?.[1];
    const token = path.slice('/members/'.length);
    hits.set(token, [...(hits.get(token) ?? []), Date.now()]);
    if (!session || sent !== session.cookie || isOver()) {
      counts.expired += 1;
      if (rules.answer === 401) return void response.writeHead(401).end();
      return void response.writeHead(302, { location: '/login' }).end();
    }
    if (token !== 'home') {
      session.left -= 1;
      session.isUsed = true;
      counts.pages += 1;
    }
    if (token.endsWith('-missing')) return void response.writeHead(404).end();
    if (rules.rotates) session.cookie = randomBytes(12).toString('hex');
    send(
      response,
      `<title>${path}</title><p class="account">Ann</p><h1>${path}</h1><p id="token">${token}</p><p id="agent">${request.headers['user-agent']}</p>
      <p id="seen"></p><script>
        const seen = Number(localStorage.getItem('seen') ?? 0);
        document.getElementById('seen').textContent = seen;
        localStorage.setItem('seen', seen + 1);
      </script>`,
      rules.rotates ? { 'set-cookie': cookieOf(session.cookie) } : {},
    );
  }

  return {
    ...site,
    ...{ rules, counts, hits },
    signOut() {
      session = undefined;
    },
  };
}

function cookieOf(value: string): string {
  return `session=${value}; Path=/; HttpOnly; Max-Age=3600`;
}

function send(response: ServerResponse, html: string, headers: Readonly<Record<string, string>> = {}): void {
  const page = `<!doctype html><html lang="en"><body>${html}</body></html>`;
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(page);
}
