import { describe, expect, it } from '@jest/globals';
import { notADocument } from './explain-navigation.ts';

const url = 'https://shop.example/report?id=7';

describe('notADocument', () => {
  it.each<[string, number, Record<string, string>, string, string]>([
    [
      'an archive',
      200,
      { 'content-type': 'application/zip' },
      'https://shop.example/report?id=7 is a download of type application/zip, which a browser saves instead of showing a page.',
      'Scrape the HTML page that links to it instead.',
    ],
    [
      'a text that is sent as an attachment',
      200,
      { 'content-type': 'text/html; charset=utf-8', 'content-disposition': 'attachment; filename=x.html' },
      'https://shop.example/report?id=7 is a download of type text/html; charset=utf-8 (Content-Disposition: attachment), which a browser saves instead of showing a page.',
      'Scrape it without render, waitFor and screenshot: a plain fetch reads PDFs, and downloads that are text.',
    ],
    [
      'bytes without a type',
      200,
      {},
      'https://shop.example/report?id=7 is a download, which a browser saves instead of showing a page.',
      'Scrape the HTML page that links to it instead.',
    ],
    [
      'a response without a page',
      204,
      {},
      'https://shop.example/report?id=7 answered with status 204, which has no page.',
      'Scrape the page that calls this URL instead.',
    ],
  ])('explains %s and suggests what to do', (_what, statusCode, headers, message, suggestion) => {
    const error = notADocument({ url, statusCode, headers });
    expect(error).toMatchObject({ code: 'UNSUPPORTED_CONTENT', message, suggestion });
  });
});
