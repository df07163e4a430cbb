import { strict as assert } from 'node:assert';
import type { Origin } from '@gleaner/test-kit';

/** Output of check_handler.py. */
export interface HandlerReport {
  // biome-ignore lint/suspicious/noExplicitAny: the check asserts the shape.
  readonly found: Readonly<Record<string, any>>;
  readonly stats: Readonly<Record<string, number>>;
}

/** Checks the outcome of each request, and the requests at the site. Throws an error of assertion. */
export function checkRequests({ found, stats }: HandlerReport, origin: Origin): void {
  checkResponses(found);
  checkErrors(found);
  const posts = origin.requests.filter(({ method }) => method === 'POST');
  assert.deepEqual(
    posts.map(({ url, body }) => [url, body.toString()]),
    [['/echo?form', 'q=ä&q=b']],
  );
  assert.equal(stats['gleaner/error/NOT_FOUND'], 1);
  assert.ok((stats['gleaner/credits'] ?? 0) > 3, JSON.stringify(stats));
  assert.ok((stats['gleaner/verdict/content'] ?? 0) >= 2, JSON.stringify(stats));
  assert.ok(
    Object.keys(stats).some((name) => name.startsWith('retry/reason_count/503')),
    JSON.stringify(stats),
  );
  console.log(`${Object.keys(found).length} requests came back as they should`);
}

function checkResponses(found: HandlerReport['found']): void {
  for (const name of ['own', 'off']) {
    assert.match(found[name].echo.headers['user-agent'], /^Scrapy/);
    assert.equal(found[name].result, null);
  }
  const { plain, rendered, echo, form, redirected } = found;
  assert.deepEqual([plain.class, plain.status, plain.heading], ['HtmlResponse', 200, 'Emma']);
  assert.deepEqual(plain.result.data, { title: 'Emma' });
  assert.equal(plain.result.metadata.verdict.page, 'content');
  assert.ok(plain.result.formats.links.length > 5 && !('html' in plain.result.formats));
  assert.equal(rendered.result.metadata.engine, 'browser');
  assert.ok(rendered.links > 5);
  assert.equal(echo.class, 'TextResponse');
  assert.equal(echo.echo.headers['x-own'], '1');
  assert.equal(echo.echo.headers.cookie, 'session=s1');
  assert.doesNotMatch(echo.echo.headers['user-agent'] ?? '', /Scrapy/);
  assert.deepEqual([form.echo.method, form.echo.body], ['POST', 'q=ä&q=b']);
  assert.match(redirected.url, /\/product\/1$/);
}

function checkErrors(found: HandlerReport['found']): void {
  for (const [name, status, code] of [
    ['missing', 404, 'NOT_FOUND'],
    ['down', 503, 'UPSTREAM_ERROR'],
  ] as const) {
    assert.deepEqual([found[name].status, found[name].result.error.code], [status, code]);
  }
  for (const [name, ...expected] of [
    ['slow', 'TIMEOUT', true, 1],
    ['login', 'LOGIN_REQUIRED', false, 0],
    ['captcha', 'BLOCKED', true, 0],
    ['wrong', 'INVALID_REQUEST', false, 0],
    ['twice', 'INVALID_OPTION', false, 0],
    ['binary', 'INVALID_OPTION', false, 0],
  ] as const) {
    const { error, temporary, retries, message } = found[name];
    assert.deepEqual([error, temporary, retries], expected, `${name}: ${message}`);
  }
}
