import { describe, expect, it } from '@jest/globals';
import type { Hop } from '../http/http-stack.ts';
import { isRedirect, nextHop, resolveLocation } from './next-hop.ts';

const POST: Hop = {
  url: new URL('https://a.example/form'),
  method: 'POST',
  headers: {
    authorization: 'Basic x',
    cookie: 'a=b',
    'x-api-key': 'k',
    'content-type': 'text/plain',
    'x-mine': '1',
  },
  body: Buffer.from('hello'),
};

describe('isRedirect', () => {
  it.each([301, 302, 303, 307, 308])('recognizes %i with a Location', (statusCode) => {
    expect(isRedirect(statusCode, '/')).toBe(true);
    expect(isRedirect(statusCode, undefined)).toBe(false);
  });

  it.each([200, 201, 300, 304, 305, 306])('does not treat %i as a redirect', (statusCode) => {
    expect(isRedirect(statusCode, '/')).toBe(false);
  });
});

describe('resolveLocation', () => {
  const from = new URL('https://a.example/dir/page?q#part');

  it.each([
    ['/x', 'https://a.example/x#part'],
    ['x', 'https://a.example/dir/x#part'],
    ['?r', 'https://a.example/dir/page?r#part'],
    ['//b.example/y', 'https://b.example/y#part'],
    ['http://b.example/#other', 'http://b.example/#other'],
    ['/x#', 'https://a.example/x#'],
    ['', 'https://a.example/dir/page?q#part'],
    ['/a b', 'https://a.example/a%20b#part'],
    ['/\xc3\xa9', 'https://a.example/%C3%A9#part'],
    ['/\xe9', 'https://a.example/%E9#part'],
    ['//b\xc3\xbccher.example/', 'https://xn--bcher-kva.example/#part'],
    ['http:\\\\127.0.0.1\\', 'http://127.0.0.1/#part'],
  ])('reads %j as %s', (location, href) => {
    expect(resolveLocation(location, from)).toBe(href);
  });

  it('rejects a Location that is not a valid URL', () => {
    expect(resolveLocation('http://[', from)).toBeUndefined();
  });
});

describe('nextHop', () => {
  it.each([301, 302, 303])('turns a POST into a GET without a body after %i', (statusCode) => {
    const hop = nextHop(POST, statusCode, new URL('https://a.example/done'));
    expect(hop).toMatchObject({ method: 'GET', body: undefined });
    expect(Object.keys(hop.headers)).toEqual(['authorization', 'cookie', 'x-api-key', 'x-mine']);
  });

  it.each([307, 308])('keeps method and body of a POST after %i', (statusCode) => {
    expect(nextHop(POST, statusCode, new URL('https://a.example/done'))).toMatchObject({
      method: 'POST',
      body: POST.body,
      headers: POST.headers,
    });
  });

  it.each([
    [301, 'PUT', 'PUT'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [302, 'GET', 'GET'],
  ])('after %i turns %s into %s', (statusCode, method, next) => {
    expect(nextHop({ ...POST, method }, statusCode, POST.url).method).toBe(next);
  });

  it('keeps secret headers on a redirect from http to https of the same host', () => {
    const http = { ...POST, url: new URL('http://a.example/form') };
    expect(nextHop(http, 307, new URL('https://a.example/form')).headers).toEqual(POST.headers);
  });

  it.each(['https://b.example/', 'http://a.example/', 'https://a.example:8443/', 'https://www.a.example/'])(
    'drops secret headers on a redirect to %s',
    (url) => {
      expect(nextHop(POST, 307, new URL(url)).headers).toEqual({
        'content-type': 'text/plain',
        'x-mine': '1',
      });
    },
  );

  it('drops conditions, which hold for the content of one URL', () => {
    const headers = {
      'if-none-match': '"1"',
      'if-modified-since': 'Mon, 01 Jan 2024 00:00:00 GMT',
      'x-mine': '1',
    };
    const hop = nextHop({ ...POST, method: 'GET', headers }, 302, new URL('https://a.example/other'));
    expect(hop.headers).toEqual({ 'x-mine': '1' });
  });
});
