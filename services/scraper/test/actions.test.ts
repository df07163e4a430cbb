import type { Action, ScrapeRequest } from '@gleaner/contracts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { html } from './page-path.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

/** A page that writes what happens to it into `#log`. */
function page(markup: string, script = ''): string {
  return html(`<!doctype html><meta charset=utf-8><body>${markup}<p id=log></p><script>
    const log = (text) => { document.querySelector('#log').textContent += text + ' '; };
    const $ = (selector) => document.querySelector(selector);
    ${script}</script>`);
}

await describeWithBrowser('actions', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper(settings);
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  async function act(
    url: string,
    actions: readonly Action[],
    { timeoutMs = 60_000, ...options }: Partial<ScrapeRequest> & { readonly timeoutMs?: number } = {},
  ) {
    const selectors = { log: '#log', title: 'h1' };
    const answer = await scraper.scrape({ url, actions, selectors, ...options }, { timeoutMs });
    if (!answer.ok) throw new Error(`${answer.failure.code}: ${answer.failure.message}`);
    const { result } = answer;
    return { ...result, ...JSON.parse(result.dataJson ?? '{}') };
  }

  async function fail(url: string, actions: readonly Action[], timeoutMs = 6000) {
    const selectors = { log: '#log' };
    const answer = await scraper.scrape({ url, actions, selectors }, { timeoutMs });
    if (answer.ok) throw new Error('It did not fail.');
    return answer.failure;
  }

  it('click with real events', async () => {
    const { log, actions, engine } = await act(
      page(
        '<button>More</button>',
        `for (const name of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
          $('button').addEventListener(name, (event) => log(name + ':' + event.isTrusted));
        }`,
      ),
      [{ click: 'button' }],
    );
    expect(log).toBe('pointerdown:true mousedown:true pointerup:true mouseup:true click:true');
    expect(engine).toBe('browser');
    expect(actions).toEqual([{ index: 0, outcome: 'done', durationMs: expect.any(Number) }]);
  });

  it('fill, press and select', async () => {
    const { log } = await act(
      page(
        `<form><input id=q value=old><textarea></textarea><select><option value=S>Small<option value=L>Large</select></form>
         <div contenteditable>old</div><input type=date>`,
        `$('#q').addEventListener('keydown', ({ key, isTrusted }) => log(key + (isTrusted ? '!' : '?')));
         $('form').addEventListener('submit', (event) => { event.preventDefault(); log('submit=' + $('#q').value); });
         $('select').addEventListener('change', () => log('size=' + $('select').value));
         $('[type=date]').addEventListener('change', () => log($('[type=date]').value));
         $('textarea').addEventListener('input', () => log($('textarea').value.length + 'c'));
         $('[contenteditable]').addEventListener('input', ({ target }) => log('[' + target.textContent + ']'));`,
      ),
      [
        { fill: '#q', value: 'té' },
        { press: 'Enter' },
        { select: 'select', value: 'Large' },
        { fill: 'textarea', value: 'x'.repeat(500) },
        { fill: '[contenteditable]', value: 'a' },
        { fill: '[type=date]', value: '2026-01-31' },
      ],
    );
    expect(log).toBe('t! Enter! submit=té size=L 500c [a] 2026-01-31');
  });

  it('lead to another document, which is waited for', async () => {
    const next = html(
      '<h1>Pot</h1><p id=log></p><button onclick="document.querySelector(`#log`).append(`clicked`)">x</button>',
    );
    const { log, title, actions, finalUrl } = await act(page(`<h1>Kettle</h1><a href="${next}">Next</a>`), [
      { click: 'a' },
      { click: 'button' },
    ]);
    const url = scraper.origin.url + next;
    expect({ log, title, finalUrl }).toEqual({ log: 'clicked', title: 'Pot', finalUrl: url });
    expect(actions).toEqual([
      { index: 0, outcome: 'done', durationMs: expect.any(Number), url },
      { index: 1, outcome: 'done', durationMs: expect.any(Number) },
    ]);
  });

  it('wait for an element that comes late, stops moving, is enabled or uncovered late', async () => {
    const { log } = await act(
      page(
        `<button id=moving style="position:fixed;top:200px;left:0">m</button>
         <button id=disabled disabled>d</button>
         <button id=covered style="position:fixed;top:300px">c</button>
         <div id=cover style="position:fixed;inset:0"></div>`,
        `document.addEventListener('click', ({ target }) => log(target.id));
         setTimeout(() => { const late = document.createElement('button'); late.id = 'late'; document.body.append(late); late.textContent = 'late'; }, 400);
         setTimeout(() => $('#disabled').disabled = false, 600);
         setTimeout(() => $('#cover').remove(), 300);
         let left = 0; const timer = setInterval(() => { $('#moving').style.left = (left += 10) + 'px'; if (left > 500) clearInterval(timer); }, 16);`,
      ),
      [{ click: '#covered' }, { click: '#late' }, { click: '#moving' }, { click: '#disabled' }],
    );
    expect(log).toBe('covered late moving disabled');
  });

  it.each<[string, string, string, Action]>([
    ['is absent', '', '"#x": nothing in the page matches it', { click: '#x' }],
    ['is hidden', '<button id=x hidden>x</button>', '"#x": it is not visible', { click: '#x' }],
    [
      'is disabled',
      '<fieldset disabled><button id=x>x</button></fieldset>',
      '"#x": it is disabled',
      { click: '#x' },
    ],
    [
      'is covered',
      '<button id=x>x</button><div class="veil a b" style="position:fixed;inset:0"></div>',
      '"#x": it is covered by div.veil.a',
      { click: '#x' },
    ],
    [
      'moves',
      '<button id=x style="position:absolute">x</button><script>let n=0;setInterval(()=>x.style.left=(n+=3)%500+"px",5)</script>',
      '"#x": it does not stop moving',
      { click: '#x' },
    ],
    ['is read-only', '<input id=x readonly>', '"#x": it is read-only', { fill: '#x', value: 'a' }],
    ['takes no text', '<p id=x>x</p>', '"#x": it is not a field for text', { fill: '#x', value: 'a' }],
    [
      'lacks the option',
      '<select id=x><option>a</select>',
      '"#x": it has no option with this value or text',
      { select: '#x', value: 'b' },
    ],
    [
      'is a radio button',
      '<input type=radio id=x checked>',
      '"#x": it is a radio button, which only another one of its group can uncheck',
      { uncheck: '#x' },
    ],
    [
      'does not take the value',
      '<input type=number id=x>',
      '"#x": it does not take the value',
      { fill: '#x', value: 'abc' },
    ],
    [
      'does not change',
      '<input type=checkbox id=x onclick="return false">',
      '"#x": the click did not change its state',
      { check: '#x' },
    ],
  ])('say which step cannot be done, since its element %s', async (_name, markup, message, action) => {
    const failure = await fail(page(markup), [{ press: 'Tab' }, action]);
    expect(failure).toMatchObject({
      code: 'ACTION_FAILED',
      source: 'target',
      details: [{ path: 'actions.1', message }],
    });
  });

  it('are skipped where they are optional', async () => {
    const { log, actions } = await act(
      page('<button>x</button>', `$('button').onclick = () => log('clicked')`),
      [{ click: '#x', optional: true }, { repeat: [{ click: '#y' }] }, { click: 'button' }],
      { timeoutMs: 8000 },
    );
    expect(log).toBe('clicked');
    expect(actions).toEqual([
      { index: 0, outcome: 'skipped', durationMs: expect.any(Number) },
      { index: 1, outcome: 'done', rounds: 0, durationMs: expect.any(Number) },
      { index: 2, outcome: 'done', durationMs: expect.any(Number) },
    ]);
  });

  it('check, uncheck and hover', async () => {
    const { log } = await act(
      page(
        `<input type=checkbox id=a><input type=checkbox id=b checked>
         <input type=checkbox id=c style="display:none"><label for=c>c</label>
         <div role=switch aria-checked=false id=d onclick="this.setAttribute('aria-checked', 'true'); log('d')">d</div>
         <nav>n</nav>`,
        `document.addEventListener('change', ({ target }) => log(target.id + target.checked));
         $('nav').addEventListener('mouseenter', () => log('over'));`,
      ),
      [
        { check: '#a' },
        { check: '#b' },
        { uncheck: '#b' },
        { check: '#c' },
        { check: '#d' },
        { hover: 'nav' },
      ],
    );
    expect(log).toBe('atrue bfalse ctrue d over');
  });

  /** Items that come as the page is scrolled, or as a button is clicked, from a site that takes its time. */
  const MORE = `let n = 0; let isBusy = false;
    const more = async () => { if (isBusy || n >= 300) return; isBusy = true;
      await fetch('/delay?ms=30').catch(() => {}); for (let i = 0; i < 20; i++) { const p = document.createElement('p');
      p.className = 'item'; p.textContent = 'Item ' + ++n; p.style.height = '80px'; $('#list').append(p); }
      isBusy = false; if (n >= 300) $('#more')?.remove(); };`;

  it('load more until there is no more', async () => {
    const { items, actions } = await act(
      page('<div id=list></div><button id=more onclick="more()">More</button>', MORE),
      [{ repeat: [{ click: '#more' }], times: 50 }],
      { selectors: { items: { selector: '.item', all: true } } },
    );
    expect(items).toHaveLength(300);
    expect(actions[0]).toMatchObject({ outcome: 'done', rounds: 15 });
  });

  it('scroll without end, as long as something comes', async () => {
    const { items, actions } = await act(
      page(
        '<div id=list></div><div id=end>.</div>',
        `${MORE} new IntersectionObserver(async ([entry], observer) => {
        if (!entry.isIntersecting) return; await more(); observer.unobserve(entry.target); observer.observe(entry.target);
      }).observe($('#end'))`,
      ),
      [{ repeat: [{ scroll: 'end' }], times: 100 }],
      { selectors: { items: { selector: '.item', all: true } } },
    );
    expect(items).toHaveLength(300);
    expect(items.at(-1)).toBe('Item 300');
    expect(actions[0].rounds).toBeLessThan(20);
  });

  const ROWS = { selectors: { rows: { selector: '.row', all: true } } };
  const expected = Array.from({ length: 1000 }, (_, index) => `Row ${index + 1} of ${(index * 7) % 10}`);
  const TEXT = "'Row ' + (i + 1) + ' of ' + (i * 7) % 10";

  it.each([
    ['removes', 'new', 'box'],
    ['fills again', 'recycled', 'box'],
    ['removes', 'new', 'page'],
    ['fills again, as they come', 'late', 'box'],
  ])('collect the rows of a virtual table that %s them (%s, in the %s)', async (_name, kind, place) => {
    const isBox = place === 'box';
    const { rows, warnings } = await act(
      page(
        `<div id=box style="${isBox ? 'height:600px;overflow:auto' : ''}"><div id=all style="position:relative;height:30000px"></div></div>`,
        `const scroller = ${isBox ? "$('#box')" : 'document'};
        const pool = Array.from({ length: 27 }, () => { const row = document.createElement('div'); row.className = 'row'; return row; });
        const fillRow = async (row, i) => { row.style.cssText = 'position:absolute;height:30px;top:' + i * 30 + 'px';
          if (${kind === 'late'}) { row.textContent = ''; await fetch('/delay?ms=20').catch(() => {}); if (row.i !== i) return; }
          row.textContent = ${TEXT}; };
        const draw = () => { const top = ${isBox ? 'scroller.scrollTop' : 'scrollY'}; const first = Math.max(0, Math.min(973, Math.floor(top / 30) - 1));
          if (${kind === 'new'}) { $('#all').replaceChildren(...pool.map((_, k) => { const row = document.createElement('div'); row.className = 'row'; fillRow(row, first + k); return row; })); return; }
          for (let i = first; i < first + 27; i++) { const row = pool[i % 27]; if (row.i === i) continue; row.i = i; fillRow(row, i); $('#all').append(row); } };
        scroller.addEventListener('scroll', draw); draw();`,
      ),
      [{ collect: '.row' }, { scroll: 'end' }],
      ROWS,
    );
    expect(rows.toSorted()).toEqual(expected.toSorted());
    if (kind !== 'recycled') expect(rows.slice(0, 3)).toEqual(expected.slice(0, 3));
    expect(warnings).toEqual([]);
  });
});
