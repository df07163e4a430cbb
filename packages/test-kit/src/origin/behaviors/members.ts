import { randomUUID } from 'node:crypto';
import { type Exchange, type OriginRoute, page, sendHtml } from '../behavior.ts';

/** Behavior of pages behind a login, which may change while they are served. */
export interface MembersRules {
  password: string;
  /** Pages that a session lasts for, and the time. */
  pagesPerSession: number;
  sessionMs: number;
  /** Each page replaces the cookie of the session; the one before is refused. */
  rotates: boolean;
  /** Sessions that are known; a further one ends the oldest. */
  sessionsAtOnce: number;
  /** The name of the field for the password. */
  passwordField: string;
  /** Answer to a page without a session. */
  answer: 'login page' | 401;
}

/** Counts of logins and pages so far. */
export interface MembersCounts {
  /** Logins with the right password, and with a wrong one. */
  logins: number;
  refused: number;
  /** Pages that were shown, and requests without a session. */
  pages: number;
  expired: number;
  /** Logins that replaced a valid session with access to pages. */
  needless: number;
  /** Sessions that no page was asked for with, before another login ended them. */
  unused: number;
}

interface Session {
  cookie: string;
  pagesLeft: number;
  readonly endsAtMs: number;
  isUsed: boolean;
}

const ENDLESS = 'endless';
/** A session without end, and a name and password for the login of the range. */
export const MEMBER = { cookie: `session=${ENDLESS}`, name: 'ada', password: 'kettle' } as const;

const TOKEN_MS = 300_000;

/**
 * Pages behind a login whose form carries a token against forged requests: it is for the visitor who was sent the form,
 * can be used once, and expires. `/members/<any>` shows a page with the class `account` and two orders, or leads to
 * `/members/login`; those that end in `-missing` are 404.
 */
export class Members {
  readonly rules: MembersRules;
  readonly counts: MembersCounts = { logins: 0, refused: 0, pages: 0, expired: 0, needless: 0, unused: 0 };
  readonly routes: readonly OriginRoute[] = [
    {
      path: '/members/login',
      behavior: (exchange) =>
        exchange.request.method === 'POST' ? this.#signIn(exchange) : this.#showForm(exchange),
    },
    { path: '/members/:token', behavior: (exchange) => this.#showPage(exchange) },
  ];
  /** Times of the requests for each page below `/members/`, in milliseconds since 1970. */
  readonly hits = new Map<string, number[]>();
  readonly #tokens = new Map<string, number>();
  #sessions: Session[] = [];

  constructor(given: Partial<MembersRules> = {}) {
    this.rules = {
      password: 'correct horse',
      rotates: false,
      sessionsAtOnce: 1,
      pagesPerSession: Number.POSITIVE_INFINITY,
      sessionMs: Number.POSITIVE_INFINITY,
      passwordField: 'password',
      answer: 'login page',
      ...given,
    };
  }

  /** Ends the session. */
  signOut(): void {
    this.#sessions = [];
  }

  #showForm(exchange: Exchange): void {
    const token = randomUUID();
    this.#tokens.set(token, Date.now() + TOKEN_MS);
    sendHtml(
      exchange,
      page(
        'Sign in',
        `<form class="login" method="post" action="/members/login"><input type="hidden" name="csrf" value="${token}">
        <label>Name <input id="user" name="name"></label>
        <label>Password <input id="password" type="password" name="${this.rules.passwordField}"></label><button>Sign in</button></form>`,
      ),
      { 'set-cookie': `form=${token}; Path=/; HttpOnly` },
    );
  }

  #signIn(exchange: Exchange): void {
    const fields = new URLSearchParams(exchange.body.toString());
    const token = fields.get('csrf') ?? '';
    const isFresh = (this.#tokens.get(token) ?? 0) > Date.now() && cookieOf(exchange, 'form') === token;
    this.#tokens.delete(token);
    if (!isFresh || fields.get(this.rules.passwordField) !== this.rules.password) {
      this.counts.refused += 1;
      return void this.#showForm(exchange);
    }
    this.counts.logins += 1;
    const ended = this.#sessions.length >= this.rules.sessionsAtOnce ? this.#sessions.shift() : undefined;
    if (ended && !ended.isUsed) this.counts.unused += 1;
    else if (ended && !isOver(ended)) this.counts.needless += 1;
    const cookie = randomUUID();
    const endsAtMs = Date.now() + this.rules.sessionMs;
    this.#sessions.push({ cookie, pagesLeft: this.rules.pagesPerSession, endsAtMs, isUsed: false });
    const cookies = [sessionCookie(cookie), 'form=; Path=/; Max-Age=0'];
    exchange.response.writeHead(303, { location: '/members/home', 'set-cookie': cookies });
    exchange.response.end();
  }

  #turnAway({ response }: Exchange): void {
    this.counts.expired += 1;
    if (this.rules.answer === 401) response.writeHead(401);
    else response.writeHead(302, { location: '/members/login' });
    response.end();
  }

  #showPage(exchange: Exchange): void {
    const { token = '' } = exchange.params;
    this.hits.set(token, [...(this.hits.get(token) ?? []), Date.now()]);
    const sent = cookieOf(exchange, 'session');
    if (sent === ENDLESS) return void sendHtml(exchange, memberPage(exchange));
    const session = this.#sessions.find(({ cookie }) => cookie === sent);
    if (!session || isOver(session)) return void this.#turnAway(exchange);
    if (token !== 'home') {
      session.pagesLeft -= 1;
      session.isUsed = true;
      this.counts.pages += 1;
    }
    const isMissing = token.endsWith('-missing');
    if (this.rules.rotates && !isMissing) session.cookie = randomUUID();
    exchange.response.writeHead(isMissing ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      ...(this.rules.rotates && { 'set-cookie': sessionCookie(session.cookie) }),
    });
    exchange.response.end(isMissing ? '' : memberPage(exchange));
  }
}

function isOver({ pagesLeft, endsAtMs }: Session): boolean {
  return pagesLeft <= 0 || endsAtMs <= Date.now();
}

/** Pages behind a login that everyone who visits the process shares. */
export const MEMBERS_ROUTES = new Members({ password: MEMBER.password, sessionsAtOnce: 1000 }).routes;

/** A page with orders that counts its visits in the storage of its origin. */
function memberPage({ request, params: { token } }: Exchange): string {
  return page(
    `/members/${token}`,
    `<p class="account">Ada</p><h1>/members/${token}</h1><p id="token">${token}</p><p id="agent">${request.headers['user-agent']}</p>
    <p id="seen"></p>
    <ul><li class="order"><span class="item">Kettle</span> <span class="total">19.90</span>
    <li class="order"><span class="item">Teapot</span> <span class="total">24.50</span></ul><script>
      const seen = Number(localStorage.getItem('seen') ?? 0);
      document.getElementById('seen').textContent = seen;
      localStorage.setItem('seen', seen + 1);
    </script>`,
  );
}

function sessionCookie(value: string): string {
  return `session=${value}; Path=/; HttpOnly; Max-Age=3600`;
}

function cookieOf({ request }: Exchange, name: string): string {
  const pairs = String(request.headers.cookie ?? '')
    .split(/;\s*/)
    .map((pair) => pair.split('='));
  return pairs.find(([each]) => each === name)?.[1] ?? '';
}
