import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { type DocumentKind, parseDocument } from '../dom/parse-document.ts';
import { readHtml } from './extract-formats.ts';

const context = { baseUrl: 'https://example.org/', budget: new Budget() };
const htmlOfSource = (source: string, kind: DocumentKind = 'html') =>
  readHtml(parseDocument(source, { kind }), context);

describe('readHtml', () => {
  it('returns the document with its doctype and comments', () => {
    expect(
      htmlOfSource('<!-- a --><!doctype html><title>x</title><p>a&nbsp;&amp; b<!-- c --></html><!-- d -->'),
    ).toBe(
      '<!-- a --><!DOCTYPE html><html><head><title>x</title></head><body><p>a&nbsp;&amp; b<!-- c --></p></body></html><!-- d -->',
    );
  });

  it('returns XML as XML', () => {
    const xml =
      '<?xml-stylesheet href="a.css"?><rss><channel><link>https://example.org/</link><a/></channel></rss>';
    expect(htmlOfSource(`<?xml version="1.0"?>\n${xml}`, 'xml')).toBe(xml);
  });

  it('returns the same document when parsed again', () => {
    const once = htmlOfSource(
      '<table><tr><td>a<p>b<template><i>c</template><svg viewBox="0 0 1 1"><a/></svg>',
    );
    expect(htmlOfSource(once as string)).toBe(once);
  });
});
