import type { Action } from '@gleaner/contracts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { act as actOn, failToAct, logging as page, type Rest } from './acting.ts';
import { describeWithBrowser } from './browser-tests.ts';
import { html } from './page-path.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

await describeWithBrowser('actions', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper(settings);
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  const act = (...args: Rest<typeof actOn>) => actOn(scraper, ...args);
  const fail = (...args: Rest<typeof failToAct>) => failToAct(scraper, ...args);

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
      '<button id=x style="position:absolute">x</button><script>let n=0;(function move(){x.style.left=(n+=3)%500+"px";requestAnimationFrame(move)})()</script>',
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
});
