import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { type DocumentKind, parseDocument } from '../dom/parse-document.ts';
import { extractFormats } from './extract-formats.ts';
import { planFormats } from './plan-formats.ts';
import { readImages } from './read-images.ts';

const imagesIn = (source: string, kind: DocumentKind = 'html') =>
  readImages(parseDocument(source, { kind }), { baseUrl: 'https://example.org/a/', budget: new Budget() });

/** Returns the URLs below https://example.org/a/. */
const urlsIn = (source: string): string[] =>
  (imagesIn(source) as { url: string }[]).map(({ url }) => url.replace('https://example.org/a/', ''));

describe('readImages', () => {
  it('leaves out images whose URL is the page itself', () => {
    expect(imagesIn('<img src="#"><img src=" "><img src="?"><img src="#a" data-src="1.png">')).toMatchObject([
      { url: 'https://example.org/a/1.png' },
    ]);
  });

  it('returns absolute URLs with alternative text and size', () => {
    expect(
      imagesIn('<base href=/b/><img src=1.png alt=" A  kettle " width=300 height="200px"><img src=2.png>'),
    ).toEqual([
      { url: 'https://example.org/b/1.png', alt: 'A kettle', width: 300, height: 200 },
      { url: 'https://example.org/b/2.png', alt: null, width: null, height: null },
    ]);
    expect(imagesIn('<img src=1.png alt width=50% height=many>')).toMatchObject([
      { alt: null, width: null, height: null },
    ]);
  });

  it('returns each URL once, in order of appearance, with the first alternative text that there is', () => {
    expect(
      imagesIn('<img src=1.png><img src=2.png><img src=./1.png alt=one><img src=1.png alt=two>'),
    ).toMatchObject([
      { url: 'https://example.org/a/1.png', alt: 'one' },
      { url: 'https://example.org/a/2.png' },
    ]);
  });

  it.each([
    ['<img src=s.png srcset="m.png 300w, l.png 600w,  xs.png 60w">', 'l.png'],
    ['<img src=s.png srcset="m.png 1.5x,l.png 2x">', 'l.png'],
    ['<img src=s.png srcset="m.png, , l.png 3x">', 'l.png'],
    ['<img src=s.png srcset="m.png">', 's.png'],
    ['<img srcset="a,b.png 2x, c.png">', 'a,b.png'],
    ['<img srcset="data:image/png;base64,AA== 900w, l.png 20w">', 'l.png'],
    ['<picture><source srcset="l.webp 900w, m.webp 300w"><img src=s.jpg></picture>', 'l.webp'],
    ['<picture><source srcset=s.webp type=image/webp><img src=s.jpg></picture>', 's.jpg'],
    ['<picture><source srcset=s.webp><img></picture>', 's.webp'],
    ['<img src=blank.gif data-src=real.jpg>', 'real.jpg'],
    ['<img src=data:image/gif;base64,R0 data-lazy-src=real.jpg>', 'real.jpg'],
    ['<img src=blank.gif data-srcset="s.jpg 100w, l.jpg 900w">', 'l.jpg'],
  ])('takes the best file of %s', (html, url) => {
    expect(urlsIn(html)).toEqual([url]);
  });

  it('leaves out images without an address, and those that people do not see', () => {
    expect(
      urlsIn(`<img><img src><img src="data:image/png;base64,AA=="><img src="blob:x"><img src="https://">
        <img src=pixel.gif width=1 height=1><img src=pixel.gif height=0><noscript><img src=n.png></noscript>
        <template><img src=t.png></template><img src=seen.png>`),
    ).toEqual(['seen.png']);
  });

  it('reads XHTML, and finds none in feeds', () => {
    const xhtml = '<html xmlns="http://www.w3.org/1999/xhtml"><body><img src="x.png"/></body></html>';
    expect(imagesIn(xhtml, 'xml')).toMatchObject([{ url: 'https://example.org/a/x.png' }]);
    expect(imagesIn('<rss><img src="x.png"/></rss>', 'xml')).toEqual([]);
  });

  it('reads those of the main content', () => {
    const page = parseDocument('<header><img src=/logo.png></header><main><img src=/kettle.png></main>');
    const formats = planFormats([{ type: 'images', main: true }]);
    const { json } = extractFormats(page, formats, { baseUrl: 'https://example.org/' });
    expect(JSON.parse(json).images).toMatchObject([{ url: 'https://example.org/kettle.png' }]);
  });

  it('reads a picture of many sources and images in linear time', () => {
    const sources = Array.from({ length: 20_000 }, (_, index) => `<source srcset="${index}.png ${index}w">`);
    const images = Array.from({ length: 20_000 }, (_, index) => `<img src=i${index % 9}.png>`);
    expect(urlsIn(`<picture>${sources.join('')}${images.join('')}</picture>`)[0]).toBe('19999.png');
    expect(urlsIn(`<img srcset="${'a, '.repeat(100_000)}b 2x">`)).toEqual(['b']);
    expect(urlsIn(`<img src=x srcset="${','.repeat(100_000)}${'\t'.repeat(100_000)}">`)).toEqual(['x']);
  });

  it('stops at 10,000 URLs', () => {
    const many = Array.from({ length: 10_500 }, (_, index) => `<img src=${index}>`).join('');
    expect(imagesIn(many)).toHaveLength(10_000);
  });
});
