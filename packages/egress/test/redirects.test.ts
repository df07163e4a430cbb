import { routesOf, startOrigin } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { never, Origins } from './origins.ts';

const origins = Origins.forThisFile();

describe('fetchPage and redirects', () => {
  it.each([301, 302, 303, 307, 308])('follows %i and reports the redirects', async (status) => {
    const page = await origins.get(origins.plain, `/redirect/${status}?to=/product/1`);
    expect(page.finalUrl).toBe(`${origins.plain.url}/product/1`);
    expect(page.redirects).toEqual([
      { url: `${origins.plain.url}/redirect/${status}?to=/product/1`, statusCode: status },
    ]);
  });

  it('follows at most twenty redirects, as browsers do', async () => {
    expect((await origins.get(origins.plain, '/redirect-times/20')).redirects).toHaveLength(20);
    for (const path of ['/redirect-times/21', '/redirect-loop']) {
      await expect(origins.get(origins.plain, path)).rejects.toMatchObject({
        code: 'UPSTREAM_ERROR',
        message: expect.stringContaining('more than 20 times'),
      });
    }
  });

  it('returns a redirect that the caller does not want to follow, and its target', async () => {
    const page = await origins.get(origins.plain, '/redirect/302?to=/redirect/301%3Fto=/product/1', {
      mayFollow: ({ pathname }) => pathname !== '/product/1',
    });
    expect(page).toMatchObject({
      statusCode: 301,
      redirects: [{ statusCode: 302 }],
      redirectsTo: `${origins.plain.url}/product/1`,
    });
    expect(new URL(page.finalUrl).pathname).toBe('/redirect/301');
  });

  it('returns a redirect without Location as a page', async () => {
    expect((await origins.get(origins.plain, '/redirect-without-location')).statusCode).toBe(302);
  });

  it('returns a redirect with an empty Location as a page, as browsers do', async () => {
    const page = await origins.get(origins.plain, '/redirect/302?to=');
    expect([page.statusCode, page.body.toString()]).toEqual([302, 'Moved']);
  });

  it('follows a Location that comes after 3,000 Set-Cookie headers', async () => {
    const cookies = Array.from({ length: 3_000 }, (_, index) => `c=${index}`);
    const headers = { 'set-cookie': cookies, location: '/product/1' };
    await using site = await startOrigin({ routes: routesOf({ '/': { status: 302, headers, body: '' } }) });
    const client = origins.clientFor(site);
    const page = await client.fetchPage({ url: `${site.url}/` }, never);
    expect(page.finalUrl).toBe(`${site.url}/product/1`);
    client.close();
  });

  it('does not wait for the body of a redirect', async () => {
    expect((await origins.get(origins.plain, '/redirect-with-endless-body')).finalUrl).toBe(
      `${origins.plain.url}/`,
    );
  });

  it.each([
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2130706433:1/',
    'http://[::1]:1/',
    'http://localhost:1/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'http://user:pass@example.com/',
  ])('does not follow a redirect to %s, and names the URL that sent it', async (to) => {
    await expect(
      origins.get(origins.plain, `/redirect/302?to=${encodeURIComponent(to)}`),
    ).rejects.toMatchObject({
      code: 'INVALID_URL',
      source: 'target',
      message: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:\d+\/redirect\/302\?.* redirects to a URL that is not allowed\. /s,
      ),
    });
  });

  it('names only the last of the URLs that led to a forbidden one', async () => {
    const last = '/redirect/301?to=http://10.0.0.1/';
    const error = await origins
      .get(origins.plain, `/redirect/302?to=${encodeURIComponent(last)}`)
      .catch((thrown) => thrown);
    expect(error.message.match(/\S+ redirects to/g)).toEqual([`${origins.plain.url}${last} redirects to`]);
  });

  it('drops secret headers and cookies without a domain when the origin changes, and does not restore them', async () => {
    const headers = { Authorization: 'Bearer secret', Cookie: 'own=1', 'X-Api-Key': 'k', 'X-Mine': 'stays' };
    const away = `/redirect/302?to=${encodeURIComponent(`${origins.tls.url}/echo`)}`;
    expect(
      (await origins.echoed(origins.plain, '/redirect/302?to=/echo', { headers })).headers,
    ).toMatchObject({
      authorization: 'Bearer secret',
      cookie: 'own=1',
      'x-api-key': 'k',
    });
    const there = (await origins.echoed(origins.plain, away, { headers })).headers;
    expect(there).toMatchObject({ 'x-mine': 'stays' });
    expect(there).not.toHaveProperty('authorization');
    expect(there).not.toHaveProperty('cookie');
    expect(there).not.toHaveProperty('x-api-key');
    const cookies = [
      { name: 'own', value: '1' },
      { name: 'shared', value: '1', domain: '127.0.0.1' },
    ];
    expect((await origins.echoed(origins.plain, away, { cookies })).headers.cookie).toBe('shared=1');
    const back = `/redirect/302?to=${encodeURIComponent(`${origins.tls.url}/redirect/302?to=${encodeURIComponent(`${origins.plain.url}/echo`)}`)}`;
    expect((await origins.echoed(origins.plain, back, { headers })).headers).not.toHaveProperty(
      'authorization',
    );
  });
});

describe('fetchPage and cookies', () => {
  it('sends the caller’s cookies where they match, and cookies of hops to later hops', async () => {
    const path = `/cookies/set?cookie=${encodeURIComponent('hop=1; Path=/')}&cookie=${encodeURIComponent('own=new; Path=/')}`;
    const cookies = [
      { name: 'own', value: 'old' },
      { name: 'elsewhere', value: 'x', domain: 'other.example' },
      { name: 'deep', value: 'x', path: '/deep' },
      { name: 'safe', value: 'x', secure: true },
    ];
    expect((await origins.echoed(origins.tls, path, { cookies })).headers.cookie?.split('; ').sort()).toEqual(
      ['hop=1', 'own=new', 'safe=x'],
    );
    expect((await origins.echoed(origins.tls)).headers).not.toHaveProperty('cookie');
  });

  it('lets a cookie that a hop sets replace the caller’s header of the same name', async () => {
    const seen = await origins.echoed(origins.plain, '/cookies/set?cookie=a%3D2%3B%20Path%3D/', {
      headers: { cookie: 'a=1; b=1' },
    });
    expect(seen.headers.cookie?.split('; ').sort()).toEqual(['a=2', 'b=1']);
  });
});
