import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { act as actOn, logging as page, type Rest } from './acting.ts';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

await describeWithBrowser('actions on long lists', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper(settings);
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  const act = (...args: Rest<typeof actOn>) => actOn(scraper, ...args);

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

  it('end a list that has no end', async () => {
    const endless = page(
      '<div id=list></div>',
      `let n = 0; const more = () => { for (let i = 0; i < 20; i++) {
      const p = document.createElement('p'); p.className = 'item'; p.textContent = 'Item ' + ++n; p.style.height = '90px'; $('#list').append(p); } };
      more(); addEventListener('scroll', () => { if (scrollY + innerHeight > document.body.scrollHeight - 100) more(); });`,
    );
    const { items, actions } = await act(endless, [{ repeat: [{ scroll: 'end' }], times: 7 }], {
      selectors: { items: { selector: '.item', all: true } },
    });
    expect(actions[0].rounds).toBe(7);
    expect(items).toHaveLength(160);
  });

  it('keep the rows of pages that are filled in place, and what is kept once', async () => {
    const rows = { selectors: { rows: { selector: '.row', all: true }, end: '#end' } };
    const { rows: turned, end } = await act(
      page(
        `<table>${'<tr class=row><td></td></tr>'.repeat(3)}</table><p id=end>End</p><button>Next</button>`,
        `let n = 0; const fill = () => { for (const cell of document.querySelectorAll('td')) cell.textContent = 'Row ' + ++n; if (n >= 12) $('button').remove(); };
         fill(); $('button').onclick = fill;`,
      ),
      [{ collect: '.row' }, { repeat: [{ click: 'button' }] }, { collect: '.row' }],
      rows,
    );
    expect(turned.toSorted((a: string, b: string) => Number(a.slice(4)) - Number(b.slice(4)))).toEqual(
      Array.from({ length: 12 }, (_, index) => `Row ${index + 1}`),
    );
    expect(end).toBe('End');
    const { rows: ticking } = await act(
      page(
        '<div class=row><a href="/1">One</a> <i>0</i></div><div class=row><a href="/2">Two</a> <i>0</i></div>',
        `let n = 0; setInterval(() => { for (const each of document.querySelectorAll('i')) each.textContent = ++n; }, 20)`,
      ),
      [{ collect: '.row' }, { waitFor: 500 }],
      rows,
    );
    expect(ticking).toHaveLength(2);
  });
});
