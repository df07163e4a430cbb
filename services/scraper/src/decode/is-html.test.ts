import { describe, expect, it } from '@jest/globals';
import { isHtml } from './is-html.ts';

describe('isHtml', () => {
  it.each(['text/html', 'Text/HTML; charset=koi8-r', 'application/xhtml+xml'])(
    'believes the type %s, whatever the text looks like',
    (contentType) => {
      expect(isHtml('words', contentType)).toBe(true);
    },
  );

  it.each(['text/plain', 'application/json', 'text/javascript', 'text/xml', 'image/svg+xml'])(
    'believes the type %s, however much the text looks like HTML',
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
  ])('takes %j without a type for HTML: %s', (text, isOne) => {
    expect(isHtml(text, undefined)).toBe(isOne);
    expect(isHtml(text, '*/*')).toBe(isOne);
  });
});
