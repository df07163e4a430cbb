import { describe, expect, it } from '@jest/globals';
import { documentKindOf } from './document-kind.ts';

describe('documentKindOf', () => {
  it.each([
    'text/plain; charset=utf-8',
    'text/css',
    'text/csv',
    'text/markdown',
    'text/javascript',
    'Application/JSON',
    'application/ld+json',
    'application/javascript',
  ])('takes %s for text', (contentType) => {
    expect(documentKindOf(contentType)).toBe('text');
  });

  it.each([undefined, '', '*/*', 'text/html; charset=utf-8', 'application/octet-stream'])(
    'takes %s for HTML',
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
  ])('takes %s for XML', (contentType) => {
    expect(documentKindOf(contentType)).toBe('xml');
  });
});
