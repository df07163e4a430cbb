import type { Action, StepScreenshots } from '@gleaner/contracts';
import { htmlPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { act as actOn, failToAct, logging as page, type Rest } from './acting.ts';
import { describeWithBrowser } from './browser-tests.ts';
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

  const inner = `<button>Pay</button><input><select><option>S<option>L</select><label><input type=checkbox>ok</label>
    <p style=height:500px></p><a href=#>Terms</a><script>
      const tell = (text) => parent.postMessage(text, '*');
      for (const name of ['mouseover', 'click', 'keydown', 'change']) addEventListener(name, ({ type, isTrusted, target, key }) => {
        tell([type, isTrusted, target.localName, key ?? target.value].filter((each) => each !== undefined).join(':'));
      });
    </script>`;
  const telling = "addEventListener('message', ({ data }) => log(data));";
  const framed = (attributes: string, around = '') =>
    page(
      `<p style="height:2000px"></p><iframe class=pay ${attributes} srcdoc="${inner.replaceAll('"', '&quot;')}"></iframe>${around}`,
      telling,
    );

  it.each([
    ['of the same origin', 'style="border:7px solid;padding:11px;height:200px"'],
    ['of another origin', 'sandbox="allow-scripts"'],
  ])('work in a frame %s, wherever it is in the page', async (_origin, attributes) => {
    const frame = '.pay';
    const { log } = await act(framed(attributes), [
      { waitFor: 'button', frame },
      { hover: 'a', frame },
      { click: 'button', frame },
      { fill: 'input', value: 'x', frame },
      { select: 'select', value: 'L', frame },
      { check: '[type=checkbox]', frame },
      { click: 'a', frame },
    ]);
    for (const event of ['click:true:button:', 'keydown:true:input:x', 'change:false:select:L'])
      expect(log).toContain(event);
    for (const event of ['change:true:input:on', 'mouseover:true:a', 'click:true:a'])
      expect(log).toContain(event);
  });

  const nested = (content: string, attributes = '', around = '') => {
    const source = (html: string) => `src="${scraper.origin.url}${htmlPath(html)}"`;
    const middle = `<p style="height:1500px"></p>${around}<iframe class=pay ${attributes} ${source(content)}></iframe>`;
    return page(
      `<p style="height:2000px"></p><iframe class=shop style="border:7px solid" ${source(middle)}></iframe>`,
      telling,
    );
  };

  it.each([
    ['of the same origin', ''],
    ['of another origin', 'sandbox="allow-scripts"'],
  ])('work in a frame in a frame, %s', async (_origin, attributes) => {
    const frame = ['.shop', '.pay'];
    const { log } = await act(nested(inner.replace('parent.', 'top.'), attributes), [
      { click: 'button', frame },
      { fill: 'input', value: 'x', frame },
      { check: '[type=checkbox]', frame },
      { scroll: 'a', frame },
      { hover: 'a', frame },
    ]);
    for (const event of [
      'click:true:button:',
      'keydown:true:input:x',
      'change:true:input:on',
      'mouseover:true:a',
    ])
      expect(log).toContain(event);
  });

  it.each<[string, string, string, string]>([
    ['that is not there', '.card', '', '".card": nothing in the page matches it'],
    [
      'that is covered',
      '.pay',
      '<div class=veil style="position:fixed;inset:0;background:#fff;z-index:1"></div>',
      '".pay": it is covered by div.veil',
    ],
  ])('fail in a frame in a frame %s', async (_name, own, around, message) => {
    const action: Action = { click: 'button', frame: ['.shop', own] };
    expect(await fail(nested(inner, '', around), [action], 4000)).toMatchObject({ details: [{ message }] });
  });

  it('scroll a list in frames to its end, again and again', async () => {
    const list = (
      isPage: boolean,
    ) => `<ul style="margin:0;${isPage ? '' : 'height:120px;overflow:auto'}"></ul><script>
      const list = document.querySelector('ul');
      const add = () => { for (let i = 0; i < 20; i += 1) list.append(document.createElement('li')); };
      add();
      const scroller = ${isPage ? 'document.scrollingElement' : 'list'};
      (${isPage ? 'window' : 'list'}).addEventListener('scroll', () => {
        if (scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 2 || list.children.length > 60) return;
        add();
        top.postMessage(list.children.length, '*');
      });
    </script>`;
    const frame = ['.shop', '.pay'];
    for (const [isPage, step] of [
      [true, { scroll: 'end', frame }],
      [false, { scroll: 'end', in: 'ul', frame }],
    ] as const) {
      const { log } = await act(nested(list(isPage)), [{ repeat: [step] }]);
      expect(log).toBe('40 60 80');
    }
  });

  it.each<[string, string, Action, string]>([
    [
      'that is not there',
      'class=x',
      { click: 'button', frame: 'iframe.card' },
      '"iframe.card": nothing in the',
    ],
    ['that is something else', '', { click: 'button', frame: 'p' }, '"p": it is not a frame'],
    ['without the element', '', { click: 'h6', frame: '.pay' }, '"h6": nothing in the page matches it'],
  ])('fail in a frame %s', async (_name, attributes, action, message) => {
    expect(await fail(framed(attributes), [action], 4000)).toMatchObject({
      code: 'ACTION_FAILED',
      details: [{ path: 'actions.0', message: expect.stringContaining(message) }],
    });
  });

  it('fail in a frame that is covered, and name what covers it', async () => {
    const veil = '<div class=veil style="position:fixed;inset:0;background:#fff"></div>';
    expect(await fail(framed('', veil), [{ click: 'button', frame: '.pay' }], 4000)).toMatchObject({
      details: [{ message: '".pay": it is covered by div.veil' }],
    });
  });

  it('go on in a frame that goes to another document', async () => {
    const next = htmlPath('<b onclick="parent.postMessage(`there`, `*`)">b</b>');
    const { log } = await act(
      page(`<iframe srcdoc='<a href="${scraper.origin.url}${next}">Next</a>'></iframe>`, telling),
      [
        { click: 'a', frame: 'iframe' },
        { click: 'b', frame: 'iframe' },
      ],
    );
    expect(log).toBe('there');
  });

  it('are shown by a small image after each of the first of them, if that is asked for', async () => {
    const url = page(
      '<button>More</button>',
      "$('button').onclick = () => { document.body.style.background = 'red'; };",
    );
    const steps: Action[] = [{ waitFor: 'button' }, { click: 'button' }];
    const { attempts } = await act(url, steps, { stepScreenshots: true });
    const images: StepScreenshots = attempts.at(-1)?.stepScreenshots ?? [];
    expect(images.map(({ index }) => index)).toEqual([0, 1]);
    const [before, after] = images.map(({ image }) => Buffer.from(image, 'base64'));
    expect([before?.subarray(0, 3).toString('hex'), after?.equals(before ?? Buffer.alloc(0))]).toEqual([
      'ffd8ff',
      false,
    ]);
    const { attempts: onPhone } = await act(url, steps, {
      stepScreenshots: true,
      screenshot: { mobile: true },
    });
    const [small]: StepScreenshots = onPhone.at(-1)?.stepScreenshots ?? [];
    expect(
      [before, Buffer.from(small?.image ?? '', 'base64')].map((image) => image && widthOf(image)),
    ).toEqual([640, 640]);
    const many = Array.from({ length: 25 }, () => ({ waitFor: 0 }));
    const { attempts: ofMany } = await act(url, many, { stepScreenshots: true });
    expect(ofMany.at(-1)?.stepScreenshots).toHaveLength(20);
    const { attempts: without } = await act(url, steps);
    expect(without.at(-1)).not.toHaveProperty('stepScreenshots');
  });

  it('lead to another document, which is waited for', async () => {
    const next = htmlPath(
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

/** Returns the width of a JPEG, from the segment that begins its frame. */
function widthOf(image: Buffer): number | undefined {
  for (let at = 2; at < image.length; at += 2 + image.readUInt16BE(at + 2)) {
    if ([0xc0, 0xc2].includes(image[at + 1] ?? 0)) return image.readUInt16BE(at + 7);
  }
  return undefined;
}
