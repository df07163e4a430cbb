import { describe, expect, it } from '@jest/globals';
import { notADocument } from './not-a-document.ts';

const url = 'https://shop.example/report?token=secret';

describe('notADocument', () => {
  it.each<[string, number, Record<string, string>, string, string]>([
    [
      'an archive',
      200,
      { 'content-type': 'application/zip' },
      'https://shop.example/report is a download of type application/zip: a browser saves it and shows no page.',
      'Scrape the HTML page that links to it instead.',
    ],
    [
      'a text to be saved',
      200,
      { 'content-type': 'text/html; charset=utf-8', 'content-disposition': 'attachment; filename=x.html' },
      'https://shop.example/report is a download of type text/html; charset=utf-8 (Content-Disposition: attachment): a browser saves it and shows no page.',
      'Scrape it without render, waitFor and screenshot: a plain fetch reads text that is meant to be saved.',
    ],
    [
      'bytes without a type',
      200,
      {},
      'https://shop.example/report is a download: a browser saves it and shows no page.',
      'Scrape the HTML page that links to it instead.',
    ],
    [
      'nothing',
      204,
      {},
      'https://shop.example/report answered with status 204, at which a browser stays where it is: there is no page.',
      'Such an address only takes note of a visit. Scrape the page from which it is called.',
    ],
  ])('says of %s what it is and what to do', (_what, statusCode, headers, message, suggestion) => {
    const error = notADocument({ url, statusCode, headers });
    expect(error).toMatchObject({ code: 'UNSUPPORTED_CONTENT', message, suggestion });
  });
});
