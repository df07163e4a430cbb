import { describe, expect, it } from '@jest/globals';
import { documentKindIn, documentKindOf, isHtml } from './content-type.ts';

describe('documentKindOf', () => {
  it.each([
    'text/plain; charset=utf-8',
    'text/css',
    'text/csv',
    'text/markdown',
    'text/javascript',
    'application/javascript',
  ])('returns text for %s', (contentType) => {
    expect(documentKindOf(contentType)).toBe('text');
  });

  it.each(['Application/JSON', 'text/json', 'application/ld+json; charset=utf-8'])(
    'returns json for %s',
    (contentType) => {
      expect(documentKindOf(contentType)).toBe('json');
    },
  );

  it.each([undefined, '', '*/*', 'text/html; charset=utf-8', 'application/octet-stream'])(
    'returns html for %s',
    (contentType) => {
      expect(documentKindOf(contentType)).toBe('html');
    },
  );

  it.each([
    'text/xml',
    'Application/XML; charset=utf-8',
    'application/xhtml+xml',
    'application/rss+xml',
    'application/atom+xml',
    'image/svg+xml',
  ])('returns xml for %s', (contentType) => {
    expect(documentKindOf(contentType)).toBe('xml');
  });
});

describe('isHtml', () => {
  it.each(['text/html', 'Text/HTML; charset=koi8-r', 'application/xhtml+xml'])(
    'is true for %s, whatever the text looks like',
    (contentType) => {
      expect(isHtml('words', contentType)).toBe(true);
    },
  );

  it.each(['text/plain', 'application/json', 'text/javascript', 'text/xml', 'image/svg+xml'])(
    'is false for %s, even if the text looks like HTML',
    (contentType) => {
      expect(isHtml('<!DOCTYPE html><html>', contentType)).toBe(false);
    },
  );

  it.each([
    ['<!DOCTYPE html>', true],
    ['\r\n\t <HTML lang=en>', true],
    ['<!-- a page -->', true],
    ['<script\nsrc=x>', true],
    ['<p>', true],
    ['<plist>', false],
    ['<?xml version="1.0"?><html>', false],
    ['{"a":"<p>"}', false],
    ['words <p>', false],
    ['', false],
  ])('is decided by the beginning of %j without a type: %s', (text, expected) => {
    expect(isHtml(text, undefined)).toBe(expected);
    expect(isHtml(text, '*/*')).toBe(expected);
  });
});

describe('documentKindIn', () => {
  it.each([
    '<rss version="2.0">',
    '\ufeff\n<?xml version="1.0"?>\n<!-- a > b --><feed>',
    '<!DOCTYPE x>\n<rdf:RDF xmlns="a">',
  ])('takes a feed for XML although it was sent as HTML: %j', (text) => {
    for (const type of ['text/html; charset=utf-8', undefined])
      expect(documentKindIn(text, type)).toBe('xml');
    expect(documentKindIn(text, 'text/plain')).toBe('text');
  });

  it.each(['<html><rss>', '<rssx>', 'text <rss>', '<!-- <rss>', '<p>', '<?xml <rss>', ''])(
    'leaves %j HTML',
    (text) => {
      expect(documentKindIn(text, 'text/html')).toBe('html');
    },
  );
});
