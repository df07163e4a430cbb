import { AppError } from '@gleaner/contracts';
import { BLOCK_PAGE_VENDORS, type Origin, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BLOCK_SIGNATURES } from './block-signatures.ts';
import { classifyResponse, type TargetResponse } from './classify-response.ts';

const NOW = Date.UTC(2026, 0, 1);
const URL_ASKED_FOR = 'https://shop.example/a/page?id=7#top';
const PAGE = '<!doctype html><title>Fine</title><p>A page.';

/** Returns what classifyResponse throws for a response; undefined when it accepts it. */
function verdict(response: Partial<TargetResponse> & { readonly bytes?: Uint8Array }): AppError | undefined {
  const html = response.html ?? PAGE;
  const body = response.bytes ?? Buffer.from(html);
  const headers = { 'content-type': 'text/html', ...response.headers };
  try {
    classifyResponse({ url: URL_ASKED_FOR, statusCode: 200, ...response, html, body, headers }, NOW);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

describe('classifyResponse by status', () => {
  it.each([200, 201, 203, 206])('accepts %i', (statusCode) => {
    expect(verdict({ statusCode })).toBeUndefined();
  });

  it.each([401, 404, 429, 500])(
    'quotes the URL of a page that answered %i with its query and without its fragment',
    (statusCode) => {
      const message = verdict({ statusCode })?.message;
      expect(message).toContain('https://shop.example/a/page?id=7');
      expect(message).not.toContain('#top');
    },
  );

  it('accepts an empty response as an empty document', () => {
    expect(verdict({ statusCode: 204, html: '' })).toBeUndefined();
  });

  it.each([
    [401, 'BLOCKED'],
    [403, 'BLOCKED'],
    [407, 'BLOCKED'],
    [451, 'BLOCKED'],
    [404, 'NOT_FOUND'],
    [410, 'NOT_FOUND'],
    [429, 'RATE_LIMITED'],
    [300, 'UPSTREAM_ERROR'],
    [302, 'UPSTREAM_ERROR'],
    [304, 'UPSTREAM_ERROR'],
    [400, 'UPSTREAM_ERROR'],
    [405, 'UPSTREAM_ERROR'],
    [418, 'UPSTREAM_ERROR'],
    [500, 'UPSTREAM_ERROR'],
    [503, 'UPSTREAM_ERROR'],
    [599, 'UPSTREAM_ERROR'],
    [999, 'UPSTREAM_ERROR'],
  ])('reports %i as %s with the target as source and its status', (statusCode, code) => {
    expect(verdict({ statusCode })).toMatchObject({ code, source: 'target', targetStatusCode: statusCode });
  });

  it.each([
    ['120', 120],
    ['Thu, 01 Jan 2026 00:01:30 GMT', 90],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
    ['soon', 60],
    ['-5', 60],
  ])('reads Retry-After %j as %i seconds', (value, retryAfterSeconds) => {
    expect(verdict({ statusCode: 429, headers: { 'retry-after': value } })).toMatchObject({
      retryAfterSeconds,
    });
  });

  it.each([
    [503, '120', 120],
    [503, 'soon', undefined],
    [500, '120', undefined],
  ])('reads the Retry-After of status %i when it is %j', (statusCode, value, retryAfterSeconds) => {
    const error = verdict({ statusCode, headers: { 'retry-after': value } });
    expect([error?.code, error?.retryAfterSeconds]).toEqual(['UPSTREAM_ERROR', retryAfterSeconds]);
  });
});

describe('classifyResponse by wall', () => {
  let origin: Origin;
  beforeAll(async () => {
    origin = await startOrigin();
  });
  afterAll(() => origin.close());

  /** Fetches a page of the origin with Node's fetch. */
  async function read(path: string): Promise<TargetResponse> {
    const response = await fetch(`${origin.url}${path}`);
    const body = new Uint8Array(await response.arrayBuffer());
    const headers = Object.fromEntries(response.headers);
    return {
      url: response.url,
      statusCode: response.status,
      headers,
      body,
      html: Buffer.from(body).toString(),
    };
  }

  const named = BLOCK_PAGE_VENDORS.filter((vendor) => vendor !== 'generic-captcha');

  it.each(named)('recognizes the wall of %s under its own status, 200, 429 and 503', async (vendor) => {
    for (const query of ['', '?status=200', '?status=429', '?status=503']) {
      const error = verdict(await read(`/blocked/${vendor}${query}`));
      expect(error).toMatchObject({ code: 'BLOCKED', source: 'target' });
      expect(error?.message).toContain('blocked the request');
    }
  });

  it('blames the status where no vendor is recognized', async () => {
    expect(verdict(await read('/blocked/generic-captcha'))?.message).toContain('403');
  });

  it.each(['/talks-about-blocking', '/protected-but-open', '/', '/wide/1000'])(
    'accepts the good page %s',
    async (path) => {
      expect(verdict(await read(path))).toBeUndefined();
    },
  );

  it.each([
    [
      'a script that quotes a challenge',
      '<script>self.push([1,"window._cf_chl_opt = {}; var dd={}"])</script><p>Text',
    ],
    [
      'a frame that shows a captcha',
      '<iframe src="https://geo.captcha-delivery.com/captcha/"></iframe><p>Text',
    ],
    [
      'a comment with a wall in it',
      '<!-- <div id="px-captcha"></div><script>window._pxAppId=1</script> --><p>Text',
    ],
    ['a title about access', '<title>Access Denied: a film</title><p>Reference #18'],
    [
      'the title of a block page, but its own content',
      '<title>Access Denied</title><h1>Access Denied</h1><p>Reference #18.1 is explained <a href="/help">here</a>',
    ],
    ['an id in a textarea', '<textarea><div id="sec-if-cpt-container"></textarea><p>Text'],
    [
      'the words of an interruption',
      '<title>Pardon Our Interruption</title><script>window.onProtectionInitialized = function() {}</script><p>Text',
    ],
    [
      'a script that quotes an interruption',
      '<script>const page = `window.onProtectionInitialized = function() {}; window.reeseSkipExpirationCheck = true`</script>',
    ],
    ['a script about a firewall', '<script>const marks = ["sucuri_cloudproxy_js=\'\'"]</script><p>Text'],
    [
      'the title of a rejection, but its own content',
      '<title>Request Rejected</title><h1>Help</h1><p>"The requested URL was rejected. Please consult with your administrator."',
    ],
    ['a heading about a challenge', '<h2 id="anubis_challenge">How it works</h2><p>Text'],
    ['a heading about another', '<h2 id="sec-if-cpt-container">How it works</h2><p>Text'],
    ['a wall in a template', `<template><div id="sec-if-cpt-container"></div></template><p>Text`],
    [
      'a wall in a template of a template',
      '<template><p><template>x</template><script>var dd={"host":"geo.captcha-delivery.com"}</script></template><p>Text',
    ],
    [
      'a captcha that waits to be needed',
      '<script>window._pxAppId="PX1";window._pxJsClientSrc="/PX1/init.js"</script><div id="px-captcha" hidden></div><p>Text',
    ],
    [
      'an address that a challenge has led to',
      '<link rel="canonical" href="/?bm-verify=AAQ"><meta http-equiv="refresh" content="300"><a href="/?bm-verify=AAQ">Text</a>',
    ],
    [
      'a script that quotes an interstitial',
      `<script>const wall = '<meta http-equiv="refresh" content="5; URL=/?bm-verify=AAQ">'</script><p>Text`,
    ],
    [
      'a link to the form of a captcha',
      '<a href="/errors/validateCaptcha">Robot check</a><form action="/search?q=/errors/validateCaptcha"></form>',
    ],
    [
      'the form of a captcha in a comment',
      '<!-- <form method="get" action="/errors/validateCaptcha"></form> --><p>Text',
    ],
    [
      'the sensor of Imperva on a page with content',
      '<script src="/_Incapsula_Resource?SWJIYLWA=1"></script><p>Text',
    ],
  ])('accepts a page with %s', (_what, html) => {
    expect(verdict({ html })).toBeUndefined();
  });

  const CHALLENGE = '<script>(function(){window._cf_chl_opt={}})()</script>';

  it.each([
    ['application/json', JSON.stringify({ sample: CHALLENGE })],
    ['application/ld+json', JSON.stringify({ sample: CHALLENGE })],
    ['text/plain; charset=utf-8', `# Walls\n<title>Access Denied</title> Reference&#32;&#35;18`],
    ['text/markdown', CHALLENGE],
    ['text/csv', `1,${CHALLENGE}`],
    ['text/javascript', 'const wall = \'<iframe src="/_Incapsula_Resource?CWUDNSAI=1">\';'],
    ['application/rss+xml', `<rss><description><![CDATA[${CHALLENGE}]]></description></rss>`],
    ['', JSON.stringify({ sample: CHALLENGE })],
    ['*/*', `How walls begin: ${CHALLENGE}`],
  ])('accepts a document of type %j that quotes a wall', (type, html) => {
    expect(verdict({ html, headers: { 'content-type': type } })).toBeUndefined();
  });

  it.each(['text/html;charset=utf-8', 'TEXT/HTML', 'application/xhtml+xml', '', 'unknown/unknown'])(
    'recognizes a wall of type %j',
    (type) => {
      const html = `\n<!DOCTYPE html><html>${CHALLENGE}`;
      expect(verdict({ html, headers: { 'content-type': type } })?.message).toContain('Cloudflare');
    },
  );

  it.each([
    ['behind a template', '<template><p>later</template><div id="sec-if-cpt-container"></div>', 'Akamai'],
    [
      'in a shadow root, which is a part of the document',
      '<div><template shadowrootmode="open"><template>x</template><div id="sec-if-cpt-container"></div></template></div>',
      'Akamai',
    ],
    [
      'that a browser has written, with its reload escaped',
      `<meta http-equiv="refresh" content="5; URL='/s?k=1&amp;bm-verify=AAQ'">`,
      'Akamai',
    ],
    [
      'whose form goes to an absolute address',
      '<form action="https://www.amazon.de/errors/validateCaptcha" name=""><img src="/captcha/x.jpg"></form>',
      'Amazon',
    ],
    [
      'whose captcha is loaded by a tag of its own',
      '<div id="px-captcha"></div><script>window._pxAppId="PX1"</script><script src="https://captcha.px-cdn.net/PX1/captcha.js?a=c"></script>',
      'PerimeterX',
    ],
  ])('recognizes a wall %s', (_where, html, vendor) => {
    expect(verdict({ html })?.message).toContain(vendor);
  });

  it('recognizes walls that send no page by their headers and their status', () => {
    const json = { 'content-type': 'application/json' };
    const ofAws = verdict({
      statusCode: 202,
      html: '{}',
      headers: { ...json, 'x-amzn-waf-action': 'captcha' },
    });
    expect(ofAws?.message).toContain('AWS WAF');
    const html = '{"url":"https://geo.captcha-delivery.com/captcha/?initialCid=A&t=fe"}';
    const headers = { ...json, 'x-datadome': 'protected', 'x-dd-b': '1' };
    expect(verdict({ statusCode: 403, html, headers })).toMatchObject({ code: 'BLOCKED', source: 'target' });
  });

  it('names a public source for every signature', () => {
    for (const { source } of BLOCK_SIGNATURES) expect(source).toMatch(/^https:\/\//);
  });

  // A scan that is not linear would not end within the timeout.
  it.each([
    '<a',
    '<a b="',
    '<script>',
    '<!--',
    '<template>',
    '</template>',
    "<a b='",
    '<a x ',
    '</',
    '<title>',
    '<a =',
  ])('scans a page that consists of %j in linear time and finds no wall', (piece) => {
    expect(verdict({ html: `px-captcha _Incapsula_Resource ${piece.repeat(200_000)}` })).toBeUndefined();
  });
});

describe('classifyResponse by content', () => {
  const as = (type: string | undefined, hex: string) =>
    verdict({
      bytes: Buffer.from(hex, 'hex'),
      html: Buffer.from(hex, 'hex').toString('latin1'),
      headers: { 'content-type': type ?? '' },
    });
  const TEXT = Buffer.from('<p>words').toString('hex');

  it.each([
    'text/html; charset=utf-8',
    'TEXT/HTML',
    'application/xhtml+xml',
    'application/xml',
    'text/xml',
    'application/rss+xml',
    'image/svg+xml',
    'application/json',
    'application/ld+json',
    'text/plain',
    'text/markdown',
    undefined,
    'unknown/unknown',
    'rubbish',
  ])('accepts text of type %s', (type) => {
    expect(as(type, TEXT)).toBeUndefined();
  });

  it.each([
    ['image/png', TEXT],
    ['application/pdf', TEXT],
    ['application/zip', TEXT],
    ['application/octet-stream', TEXT],
    ['video/mp4', TEXT],
    ['font/woff2', TEXT],
    ['text/html', '89504e470d0a1a0a0000'],
    ['text/html', '504b0304140000'],
    ['text/plain', '000102030405'],
    [undefined, 'ffd8ffe000104a46'],
    [undefined, '474946383961'],
    [undefined, '1f8b0800'],
    [undefined, '00000018667479706d703432'],
    [undefined, '68656c6c6f00'],
    ['*/*', '7f454c46'],
  ])('rejects %s with the bytes %s', (type, hex) => {
    expect(as(type, hex)).toMatchObject({ code: 'UNSUPPORTED_CONTENT', source: 'target' });
  });

  it.each([
    ['text/plain; charset=utf-16le', '680065006c006c006f00'],
    ['text/plain; charset=UTF-16BE', '00680065'],
    ['text/plain; charset=gbk', 'c4e3bac31a'],
    ['text/plain; charset=Shift_JIS', '82b1020d0a'],
    ['text/plain; charset=utf-8', '68650c0106'],
    ['text/plain;charset=UTF-8', '68650c0106'],
  ])('accepts %s, which no server sends as a default, with the bytes %s', (type, hex) => {
    expect(as(type, hex)).toBeUndefined();
  });

  it.each([
    'text/plain',
    'text/plain; charset=ISO-8859-1',
    'text/plain; charset=iso-8859-1',
    'text/plain; charset=UTF-8',
  ])('examines the bytes of %s, which servers send as a default', (type) => {
    expect(as(type, '68656c6c6f00')?.message).toContain('binary data');
  });

  it.each([undefined, 'text/html', 'application/octet-stream', 'application/pdf'])(
    'accepts a PDF of type %s',
    (type) => {
      expect(as(type, '255044462d312e37')).toBeUndefined();
      expect(as('application/pdf', '0a255044462d312e37')).toBeUndefined();
    },
  );

  it('accepts UTF-16 text without a type by its byte order mark', () => {
    expect(as(undefined, 'fffe3c0070003e00')).toBeUndefined();
  });
});
