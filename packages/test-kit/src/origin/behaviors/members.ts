import { randomUUID } from 'node:crypto';
import { type Exchange, type OriginRoute, page, sendHtml } from '../behavior.ts';

/** Pages behind a login whose form carries a token against forged requests: one that can be used once, and expires. */
export const MEMBER_ROUTES: readonly OriginRoute[] = [
  {
    path: '/members/login',
    behavior: (exchange) => (isPost(exchange) ? signIn(exchange) : askToSignIn(exchange)),
  },
  { path: '/members/logout', behavior: signOut },
  { path: '/members/orders', behavior: (exchange) => sendToMember(exchange, orders()) },
  {
    path: '/members/orders/:id',
    behavior: (exchange) => sendToMember(exchange, order(exchange.params.id ?? '')),
  },
];

/** Name and password that the login takes, and a session that never ends. */
export const MEMBER = { user: 'ada', password: 'kettle', cookie: 'members_session=endless' } as const;

/** A login that has been asked for, or a session. */
interface Pass {
  readonly expiresAtMs: number;
  /** Pages that it still opens. */
  pagesLeft: number;
}

const TOKEN_MS = 300_000;
const SESSION_MS = 1_800_000;
/** The oldest are forgotten beyond this. */
const MAX_PASSES = 10_000;

const tokens = new Map<string, Pass>();
const sessions = new Map<string, Pass>([
  ['endless', { expiresAtMs: Number.POSITIVE_INFINITY, pagesLeft: Number.POSITIVE_INFINITY }],
]);

const isPost = ({ request }: Exchange) => request.method === 'POST';

/**
 * Sends the form. `?tokenMs=` is the life of its token, `?sessionMs=` that of the session to come, and `?pages=` the number of
 * pages after which the session ends; all of them go into the form's address.
 */
function askToSignIn(exchange: Exchange, status = 200, notice = ''): void {
  const token = issue(tokens, { lifeMs: Number(exchange.query.get('tokenMs') ?? TOKEN_MS), pages: 1 });
  const action = `/members/login?${exchange.query}`.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const html = page(
    'Sign in',
    `<h1>Sign in</h1>${notice}<form method="post" action="${action}"><input type="hidden" name="csrf" value="${token}">
    <label>Name <input id="user" name="user"></label><label>Password <input id="password" name="password" type="password"></label>
    <button id="sign-in">Sign in</button></form>`,
  );
  exchange.response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'set-cookie': `members_form=${token}; Path=/members; HttpOnly; SameSite=Lax`,
  });
  exchange.response.end(html);
}

/** Takes a name and password with the token of the form that this visitor was sent. */
function signIn(exchange: Exchange): void {
  const { response, query, body } = exchange;
  const fields = new URLSearchParams(body.toString());
  const token = fields.get('csrf') ?? '';
  if (cookieOf(exchange, 'members_form') !== token || !use(tokens, token)) {
    askToSignIn(exchange, 403, '<p class="problem">This form has expired. Please try again.</p>');
    return;
  }
  if (fields.get('user') !== MEMBER.user || fields.get('password') !== MEMBER.password) {
    askToSignIn(exchange, 200, '<p class="problem">Wrong name or password.</p>');
    return;
  }
  const session = issue(sessions, {
    lifeMs: Number(query.get('sessionMs') ?? SESSION_MS),
    pages: Number(query.get('pages') ?? Number.POSITIVE_INFINITY),
  });
  const asked = query.get('return') ?? '';
  response.writeHead(303, {
    location: asked.startsWith('/members/') ? asked : '/members/orders',
    'set-cookie': `members_session=${session}; Path=/members; HttpOnly; SameSite=Lax`,
  });
  response.end();
}

function signOut(exchange: Exchange): void {
  const session = cookieOf(exchange, 'members_session');
  if (session !== 'endless') sessions.delete(session);
  exchange.response.writeHead(303, { location: '/members/login' });
  exchange.response.end();
}

function sendToMember(exchange: Exchange, html: string): void {
  const session = cookieOf(exchange, 'members_session');
  if (use(sessions, session)) {
    sendHtml(exchange, html, { 'cache-control': 'private, no-store' });
    return;
  }
  const asked = encodeURIComponent(exchange.request.url ?? '/');
  exchange.response.writeHead(302, { location: `/members/login?return=${asked}` });
  exchange.response.end();
}

const ORDERS = [
  { id: '1001', item: 'Kettle', total: '19.90' },
  { id: '1002', item: 'Teapot', total: '24.50' },
];
const ACCOUNT = `<p class="account">${MEMBER.user}</p><a href="/members/logout">Sign out</a>`;

function orders(): string {
  const rows = ORDERS.map(
    ({ id, item, total }) =>
      `<tr class="order"><td><a href="/members/orders/${id}">${id}</a><td class="item">${item}<td class="total">${total}`,
  );
  return page('Your orders', `${ACCOUNT}<h1>Your orders</h1><table>${rows.join('')}</table>`);
}

function order(id: string): string {
  const { item, total } = ORDERS[Number(id) % ORDERS.length] ?? { item: '', total: '' };
  return page(
    `Order ${Number(id)}`,
    `${ACCOUNT}<h1>Order ${Number(id)}</h1><p class="item">${item}</p><p class="total">${total}</p>`,
  );
}

function issue(passes: Map<string, Pass>, { lifeMs, pages }: { lifeMs: number; pages: number }): string {
  const id = randomUUID();
  passes.set(id, { expiresAtMs: Date.now() + lifeMs, pagesLeft: pages });
  const oldest = [...passes.keys()].find((each) => each !== 'endless');
  if (passes.size > MAX_PASSES && oldest !== undefined) passes.delete(oldest);
  return id;
}

/** Returns true if the pass is still good, and counts the use. */
function use(passes: Map<string, Pass>, id: string): boolean {
  const pass = passes.get(id);
  if (!pass || pass.pagesLeft < 1 || pass.expiresAtMs <= Date.now()) {
    passes.delete(id);
    return false;
  }
  pass.pagesLeft -= 1;
  return true;
}

function cookieOf({ request }: Exchange, name: string): string {
  const header = String(request.headers.cookie ?? '');
  const pairs = header.split(/;\s*/).map((pair) => pair.split('='));
  return pairs.find(([each]) => each === name)?.[1] ?? '';
}
