import type { ScrapeRequest } from '@gleaner/contracts';
import { htmlPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

await describeWithBrowser('the frames of a page', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper(settings);
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  async function read(markup: string, options: Omit<ScrapeRequest, 'url'>) {
    const request = { url: htmlPath(`<!doctype html><body>${markup}`), frames: true, ...options };
    const reply = await scraper.scrape(request, { timeoutMs: 240_000 });
    if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
    const { dataJson = '{}', formatsJson = '{}', warnings, engine } = reply.result;
    return { data: JSON.parse(dataJson), ...JSON.parse(formatsJson), warnings, engine };
  }

  const REVIEWS = htmlPath(
    '<p class=stars>4.5</p><a href="../more?a=1&b=2">More</a><style>p { color: red }</style>',
  );

  it('follow their elements, with links of their own', async () => {
    const { data, markdown, warnings, engine } = await read(
      `<h1>Kettle</h1><iframe id=reviews src="${REVIEWS}">old</iframe><p class=end>End</p>`,
      {
        selectors: {
          stars: 'iframe#reviews + [data-frame] .stars',
          link: '[data-frame] a::attr(href)',
          source: '[data-frame]::attr(data-frame)',
          end: 'body > .end',
        },
        formats: ['markdown'],
      },
    );
    const { url } = scraper.origin;
    expect(data).toEqual({
      stars: '4.5',
      link: `${url}/more?a=1&b=2`,
      source: url + REVIEWS,
      end: 'End',
    });
    expect(markdown).toBe(`# Kettle\n\n4.5\n\n[More](${url}/more?a=1&b=2)\n\nEnd`);
    expect({ warnings, engine }).toEqual({ warnings: [], engine: 'browser' });
  });

  it('are left alone unless they are asked for, and no mark of theirs stays', async () => {
    const markup = `<iframe src="${REVIEWS}"></iframe><iframe src="about:blank"></iframe>`;
    const without = await read(markup, { frames: false, render: true, formats: ['html'] });
    expect(without.html).not.toContain('4.5');
    const { html: source } = await read(markup, { formats: ['html'] });
    expect(source.replace(/<div data-frame=.*<\/div>/s, '')).toBe(without.html);
  });

  it('are read when they are in frames, in shadow roots, written by scripts, or from another site', async () => {
    const { port } = new URL(scraper.origin.url);
    const inner = htmlPath('<b class=x>inner</b>');
    const outer = htmlPath(`<b class=x>outer</b><iframe src="http://127.0.0.1:${port}${inner}"></iframe>`);
    const { data } = await read(
      `<iframe srcdoc="<b class=x>written</b>"></iframe>
       <my-card></my-card><script>
       document.querySelector('my-card').attachShadow({ mode: 'open' }).innerHTML = '<iframe src="${outer}"></iframe>';
       const frame = document.body.appendChild(document.createElement('iframe'));
       frame.contentDocument.body.innerHTML = '<form><input name=setAttribute><b class=x>made</b></form><x-y></x-y>';
       frame.contentDocument.querySelector('x-y').attachShadow({ mode: 'open' }).innerHTML = '<b class=x>shadow</b>';
       </script>`,
      { selectors: { all: { selector: '.x', all: true } } },
    );
    expect(data.all.toSorted()).toEqual(['inner', 'made', 'outer', 'shadow', 'written']);
  });

  it('cannot end the element that they are in, nor pass for another frame', async () => {
    const { data } = await read(
      `<div class=page><iframe srcdoc="<p id=a></p><script>
        const style = document.createElement('style');
        style.textContent = '</sty' + 'le></div></div><i class=out>';
        const template = document.body.appendChild(document.createElement('template'));
        template.setAttribute('shadowrootmode', 'open');
        template.content.append(style.cloneNode(true));
        document.body.append(document.createComment('--' + '></div></div><i class=out>'));
        document.body.append(style, document.createElement('plaintext'));
        const xmp = document.body.appendChild(document.createElement('xmp'));
        xmp.textContent = '</xm' + 'p></div></div>';
        </script>"></iframe><b class=last>last</b></div>`,
      { selectors: { last: '.page > .last', out: '.out' } },
    );
    expect(data).toEqual({ last: 'last', out: null });
  });

  it('are left out where they are too many, too large, or at an address that may not be requested', async () => {
    const many = '<iframe srcdoc="<b class=x>x</b>"></iframe>'.repeat(25);
    const bomb = await read(many, { selectors: { all: { selector: '.x', all: true } } });
    expect(bomb.data.all).toHaveLength(20);
    expect(bomb.warnings).toEqual([
      { code: 'FRAMES_LEFT_OUT', message: expect.stringContaining('without 5 of its frames: at most 20') },
    ]);
    const {
      data,
      warnings,
      html: source,
    } = await read(
      `<iframe src="http://127.0.0.1:1/"></iframe><iframe src="http://10.0.0.1/"></iframe>
       <iframe srcdoc="<p><script>document.body.append('y'.repeat(2 ** 21 + 1))</script>"></iframe><p>Here</p>`,
      { selectors: { text: 'body > p', frame: '[data-frame]' }, formats: ['html'] },
    );
    expect(data).toEqual({ text: 'Here', frame: null });
    expect(source).not.toContain('gleaner');
    expect(warnings).toContainEqual({
      code: 'FRAMES_LEFT_OUT',
      message: expect.stringContaining('without 3 of its frames'),
    });
  });

  it('may hold the wall of a bot detection, which is not one before the page', async () => {
    const { data } = await read(
      `<h1>Kettle</h1><p>Boils water.</p><iframe srcdoc="<div id=sec-if-cpt-container>Wait</div>"></iframe>`,
      { selectors: { title: 'h1', wall: '[data-frame] div' } },
    );
    expect(data).toEqual({ title: 'Kettle', wall: 'Wait' });
  });

  it('end where a page frames itself', async () => {
    const { data } = await read(
      `<p class=x>x</p><script>if (self === top || location.hash.length < 9) {
        document.body.appendChild(document.createElement('iframe')).src = location.pathname + location.search + '#' + 'a'.repeat(location.hash.length);
      }</script>`,
      { selectors: { all: { selector: '.x', all: true } } },
    );
    expect(data.all.length).toBeGreaterThan(1);
    expect(data.all.length).toBeLessThan(22);
  });
});
