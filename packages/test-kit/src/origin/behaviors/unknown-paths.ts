import { randomUUID } from 'node:crypto';
import { type Behavior, type OriginRoute, page, sendHtml } from '../behavior.ts';

/**
 * Folders with one short page, `kettle`, and different manners of answering every other path. None of them says in words that a
 * page is missing.
 */
export const UNKNOWN_PATH_ROUTES: readonly OriginRoute[] = [
  { path: '/unknown-paths/:manner/kettle', behavior: (exchange) => answerKnown(exchange) },
  { path: '/unknown-paths/:manner/:page', behavior: (exchange) => answerUnknown(exchange) },
];

const KETTLE = page(
  'Kettle',
  '<h1>Kettle</h1><p>It boils water quickly and quietly, for <b class="price">19.90</b>.</p>',
);
const SORRY = (asked: string) =>
  page(
    'An honest shop',
    `<h1>Hello!</h1><p>${asked}Have a look at our kettles and teapots, or write to us.</p>`,
  );
const SHELL =
  '<!doctype html><title>Shop</title><noscript>Please enable JavaScript.</noscript><div id="app"></div><script src="/app.js"></script>';

/** Answers to paths that do not exist, by their manners. */
const MANNERS: Readonly<Record<string, Behavior>> = {
  soft: (exchange) => sendHtml(exchange, SORRY('')),
  echo: (exchange) => sendHtml(exchange, SORRY(`You asked for ${exchange.params.page}. `)),
  fresh: (exchange) =>
    sendHtml(exchange, page('Shop', `<h1>${randomWords()}</h1><p>${randomWords()} ${randomWords()}</p>`)),
  missing: ({ response }) => {
    response.writeHead(404, { 'content-type': 'text/html' });
    response.end(SORRY(''));
  },
  blocked: ({ response }) => {
    response.writeHead(403, { 'content-type': 'text/html' });
    response.end(page('Denied', '<h1>Access denied</h1>'));
  },
  redirects: ({ response }) => {
    response.writeHead(302, { location: '/' });
    response.end();
  },
  stalls: ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100000' });
    response.write('<!doctype html><title>Half</title><p>and then');
  },
  endless: async ({ response, wire }) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    while (!wire.destroyed && response.write('<p>more and more</p>'.repeat(5000)));
    response.end();
  },
  same: (exchange) => sendHtml(exchange, KETTLE),
  shell: (exchange) => sendHtml(exchange, SHELL),
};

const answerKnown: Behavior = (exchange) => {
  const { manner } = exchange.params;
  sendHtml(exchange, manner === 'shell' ? SHELL : KETTLE);
};

const answerUnknown: Behavior = (exchange) => {
  const answer = MANNERS[exchange.params.manner ?? ''];
  if (!answer) throw new Error(`There is no manner ${exchange.params.manner}.`);
  return answer(exchange);
};

function randomWords(): string {
  return randomUUID().replaceAll('-', ' ');
}
