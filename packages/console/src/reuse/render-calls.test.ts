import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { renderClient, renderCommand, renderCurl, renderFirecrawl, renderPython } from './render-calls.ts';

const SERVICE = 'http://127.0.0.1:8080';
const URL = "https://example.com/?q=it's";

/** Returns the words that a shell makes of a command, with a function instead of the program. */
function wordsOf(command: string, program: string): string[] {
  const script = `${program}() { printf '%s\\0' "$@"; }\n${command}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8', env: { GLEANER_API_KEY: 'gl_1' } })
    .split('\0')
    .slice(0, -1);
}

describe('renderCurl', () => {
  it('is one call whose body is the request, with any characters in it', () => {
    const request = { url: URL, selectors: { title: 'h1' } };
    const words = wordsOf(renderCurl(SERVICE, request), 'curl');
    expect(words.slice(0, 4)).toEqual(['-s', `${SERVICE}/v1/scrape`, '-H', 'Authorization: Bearer gl_1']);
    expect(JSON.parse(words.at(-1) ?? '')).toEqual(request);
  });
});

describe('renderCommand', () => {
  it('has an option for everything in the request', () => {
    const request = {
      url: URL,
      selectors: { title: 'h1' },
      formats: ['markdown'] as ['markdown'],
      antiBot: true,
      headers: { 'X-A': 'b' },
      waitFor: 500,
      screenshot: true,
      overlays: 'reject' as const,
      actions: [{ click: '.more' }, { fill: '#q', value: 'a' }],
      frames: true,
      pdf: { maxPages: 7 },
    };
    expect(wordsOf(renderCommand(SERVICE, request), 'gleaner')).toEqual([
      ...['scrape', URL, '-s', 'title=h1', '--formats', 'markdown'],
      ...['--action', 'click=.more', '--action', '{"fill":"#q","value":"a"}'],
      ...['--anti-bot', '--wait-for', '500', '--overlays', 'reject', '--frames', '--pdf-pages', '7'],
      ...['--header', 'X-A: b', '--screenshot', 'page.png'],
    ]);
  });

  it('has what the page is kept with, and its session', () => {
    const request = {
      url: URL,
      locale: 'de',
      snapshot: true,
      freshContext: true,
      profile: { id: 'prof_1' },
      maxCredits: 9,
      onSuspect: 'fail' as const,
    };
    expect(wordsOf(renderCommand(SERVICE, request), 'gleaner').slice(2)).toEqual([
      ...['--locale', 'de', '--on-suspect', 'fail', '--snapshot', '--fresh-context'],
      ...['--site-profile', 'prof_1', '--max-credits', '9'],
    ]);
  });

  it('keeps a file', () => {
    const request = { url: URL, download: true };
    expect(wordsOf(renderCommand(SERVICE, request), 'gleaner')).toEqual(['scrape', URL, '--download']);
    expect(renderPython(SERVICE, request)).toContain('print(page["file"])');
    expect(renderClient(SERVICE, request)).toContain('const { file } = await');
  });

  it('has the method and the body', () => {
    const request = { url: URL, form: { q: "it's", tag: ['a', 'b'] }, repeatable: true };
    expect(wordsOf(renderCommand(SERVICE, request), 'gleaner')).toEqual([
      ...['scrape', URL, '--form', "q=it's", '--form', 'tag=a', '--form', 'tag=b', '--repeatable'],
    ]);
    const json = { url: URL, json: { q: [1] }, method: 'PUT' as const };
    expect(wordsOf(renderCommand(SERVICE, json), 'gleaner')).toEqual([
      ...['scrape', URL, '--data-json', '{"q":[1]}', '--method', 'PUT'],
    ]);
  });

  it('has what is captured, as JSON where it says more than a glob', () => {
    const capture = { a: { url: '**/api/*' }, b: { url: { regex: 'x$' }, wait: 1 } };
    expect(wordsOf(renderCommand(SERVICE, { url: URL, capture }), 'gleaner')).toEqual([
      ...['scrape', URL, '--capture', 'a=**/api/*', '--capture', 'b={"url":{"regex":"x$"},"wait":1}'],
    ]);
  });

  it('says how a screenshot is taken', () => {
    const screenshot = {
      format: 'webp',
      selector: '#a',
      viewport: { width: 800, height: 600, scale: 2 },
    } as const;
    expect(wordsOf(renderCommand(SERVICE, { url: URL, screenshot }), 'gleaner').slice(2)).toEqual([
      ...['--screenshot', 'page.webp', '--screenshot-of', '#a', '--viewport', '800x600@2'],
    ]);
  });

  it('says how a page is rendered', () => {
    const words = (render: boolean | 'auto') =>
      wordsOf(renderCommand(SERVICE, { url: URL, render }), 'gleaner');
    expect(words(true)).toContain('--render');
    expect(words('auto')).toContain('--render-auto');
    expect(words(false).join(' ')).not.toContain('--render');
  });

  it('names formats with options in JSON', () => {
    const formats = ['links' as const, { type: 'text' as const, main: true, exclude: "[title='a']" }];
    const words = wordsOf(renderCommand(SERVICE, { url: URL, selectors: { a: 'b' }, formats }), 'gleaner');
    expect(JSON.parse(words.at(-1) ?? '')).toEqual(formats);
  });

  it('sends selectors with options by the standard input', () => {
    const command = renderCommand(SERVICE, {
      url: URL,
      selectors: { price: { selector: '.p', type: 'price' } },
    });
    expect(command).toContain('{"price":{"selector":".p","type":"price"}}');
    expect(wordsOf(command, 'gleaner')).toEqual(['scrape', URL, '--selectors', '-']);
  });
});

describe('renderPython', () => {
  it('writes the request as Python does', () => {
    const selectors = { a: 'h1', price: { selector: '.p', default: null, required: false } };
    const request = { url: URL, render: true, selectors, formats: [], timeout: 5000 };
    expect(renderPython(SERVICE, request)).toBe(`import os
from gleaner_client import Gleaner

gleaner = Gleaner("http://127.0.0.1:8080", os.environ["GLEANER_API_KEY"])

page = gleaner.scrape({
    "url": "https://example.com/?q=it's",
    "render": True,
    "selectors": {
        "a": "h1",
        "price": {
            "selector": ".p",
            "default": None,
            "required": False,
        },
    },
    "formats": [],
    "timeout": 5000,
})
print(page["data"])
`);
  });

  it('prints the formats where nothing else was asked for', () => {
    expect(renderPython(SERVICE, { url: URL, formats: ['markdown'] })).toContain('print(page["formats"])');
  });
});

describe('renderFirecrawl', () => {
  it.each([
    [{ selectors: { title: 'h1' } }, ['markdown']],
    [
      { formats: ['links' as const, { type: 'html' as const }, 'metadata' as const, 'text' as const] },
      ['links', 'rawHtml', 'markdown'],
    ],
  ])('asks for formats that both have: %j', (request, formats) => {
    expect(renderFirecrawl(SERVICE, { url: URL, ...request })).toContain(
      `apiUrl: '${SERVICE}', apiKey: process.env.GLEANER_API_KEY });

const page = await firecrawl.scrape("${URL}", {"formats":${JSON.stringify(formats)}});`,
    );
  });
});

describe('renderClient', () => {
  it('holds the request', () => {
    expect(renderClient(SERVICE, { url: URL })).toContain(`"url": "${URL}"`);
  });
});
