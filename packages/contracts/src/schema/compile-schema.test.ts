import { describe, expect, it } from '@jest/globals';
import { AppError } from '../errors/app-error.ts';
import { toErrorEnvelope } from '../errors/error-envelope.ts';
import { ROUTES } from '../routes/route-table.ts';
import { ScrapeRequestSchema } from '../scrape/scrape-request.ts';
import { compileSchema } from './compile-schema.ts';

const check = compileSchema(ScrapeRequestSchema);

/** Returns the errors of a scrape request, as `path: message`. */
function errorsOf(value: unknown): string[] {
  const checked = check(value);
  return checked.ok ? [] : checked.details.map(({ path, message }) => `${path}: ${message}`);
}

describe('a compiled schema', () => {
  it('returns a value that matches', () => {
    const request = { url: 'https://example.com/', selectors: { title: 'h1' }, waitFor: 200, render: 'auto' };
    expect(check(request)).toEqual({ ok: true, value: request });
  });

  it('lists every error at once', () => {
    const faults = errorsOf({ render: 'yes', timeout: 1.5, cookies: [{ path: 'x' }] });
    expect(faults).toEqual(
      expect.arrayContaining([
        'url: is required',
        'render: must be true, false or "auto"',
        'timeout: must be an integer, not 1.5',
        'cookies.0.value: is required',
        'cookies.0.name: is required',
        'cookies.0.path: must be a path that begins with "/", of at most 1024 characters',
      ]),
    );
  });

  it.each([
    [{ url: 'x', selecters: {} }, 'selecters: is not a known field; did you mean "selectors"?'],
    [{ url: 'x', antibot: true }, 'antibot: is not a known field; did you mean "antiBot"?'],
    [JSON.parse('{"url":"x","__proto__":{"a":1}}'), '__proto__: is not a known field.'],
    [{ url: 'x', constructor: 1 }, 'constructor: is not a known field.'],
    [{ url: 'x', rl: 1 }, 'rl: is not a known field; did you mean "url"?'],
    [{ url: 'x', x: 1 }, 'x: is not a known field. Known: url'],
    [{ url: 'x', cr: 1 }, 'cr: is not a known field. Known: url'],
  ])('names the unknown field in %j', (body, expected) => {
    expect(errorsOf(body).join('\n')).toContain(expected);
  });

  it('lists the known fields only where it has no better advice', () => {
    expect(errorsOf({ url: 'x', selecters: {} }).join('\n')).not.toContain('Known:');
  });

  it.each([
    ['x', 'actions: must be a list of steps such as [{"click": ".more"}]'],
    [[5], 'actions.0: must be an object, not 5'],
    [[{ clik: '.more' }], 'actions.0.clik: is not a known field; did you mean "click"?'],
    [[{ press: 'Enter' }, {}], 'actions.1.click: is required, or fill or press or waitFor'],
    [[{ click: 'a', hover: 'b' }], 'actions.0.hover: must be left out when click is given'],
    [[{ fill: '#q' }], 'actions.0.value: is required'],
    [[{ click: 'a', value: 'b' }], 'actions.0.value: is not a known field.'],
    [[{ click: '' }], 'actions.0.click: must be a CSS selector such as ".more"'],
    [[{ press: 'Entr' }], 'actions.0.press: must be one character, or one of Enter, Tab'],
    [[{ waitFor: 20_000 }], 'actions.0.waitFor: must be at most 10000'],
    [[{ repeat: [] }], 'actions.0.repeat: must have at least 1 entry'],
    [[{ repeat: [{ repeat: [{ click: 'a' }] }] }], 'actions.0.repeat.0.repeat: is not a known field'],
    [[{ repeat: [{ click: 'a' }], times: 0 }], 'actions.0.times: must be at least 1'],
    [[{ click: 'a', optinal: true }], 'actions.0.optinal: is not a known field; did you mean "optional"?'],
  ])('names the step of actions that is not valid in %j', (actions, expected) => {
    expect(errorsOf({ url: 'x', actions }).join('\n')).toContain(expected);
  });

  it('takes every kind of step', () => {
    const actions = [
      ...[
        { click: '.more', optional: true },
        { fill: '#q', value: '' },
        { press: 'Shift+Tab' },
        { press: '+' },
      ],
      ...[{ waitFor: '.results' }, { waitFor: 10_000 }, { select: '#size', value: 'L' }, { check: '#a' }],
      ...[{ uncheck: '#a' }, { hover: 'nav' }, { scroll: 'end' }, { scroll: 'end', in: '.grid' }],
      ...[{ repeat: [{ collect: '.card' }, { scroll: 'end' }], times: 5 }, { collect: '.card' }],
    ];
    expect(errorsOf({ url: 'x', actions })).toEqual([]);
  });

  it.each([
    [{ a: 1 }, 'selectors.a: must be a selector string such as "h1::text"'],
    [{ a: { slector: 'x' } }, 'selectors.a.slector: is not a known field; did you mean "selector"?'],
    [{ a: { selector: 'p', type: 'nubmer' } }, 'markdown, count; did you mean "number"?'],
    [{ a: { selector: 'p', type: 'thing' } }, 'selectors.a.type: must be one of: string, number, integer'],
    [{ a: { json: '' } }, 'selectors.a.json: must be a JSONPath such as "$.offers[*].price"'],
    [{ a: { selector: 'p', pattern: 5 } }, 'must be a regular expression such as "(\\d+) left"'],
    [{ a: { selector: 'p', type: true } }, 'selectors.a.type: must be one of: string, number, integer'],
    [{ a: { selector: 2 } }, 'selectors.a.selector: must be a string, not 2'],
    [
      { a: { selector: 'p', fields: { b: { selector: 'i', al: true } } } },
      'selectors.a.fields.b.al: is not a known field; did you mean "all"?',
    ],
    [{ 'a\nb': 1 }, 'selectors.a\nb: must be a selector string'],
  ])('checks inside the selectors %j', (selectors, expected) => {
    expect(errorsOf({ url: 'x', selectors }).join('\n')).toContain(expected);
  });

  it.each([[[]], ['text'], [null], [7]])('rejects %j instead of an object', (body) => {
    expect(errorsOf(body).join()).toContain('must be an object');
  });

  it('describes a union when no branch has the type of the value, else the errors of that branch', () => {
    expect(errorsOf({ url: 'x', waitFor: true })).toEqual([
      'waitFor: must be a CSS selector, or a number of milliseconds from 0 to 60000',
    ]);
    expect(errorsOf({ url: 'x', waitFor: -1 })).toEqual(['waitFor: must be at least 0']);
  });

  it('finds a thousand errors, of which a response lists a hundred and counts the others', () => {
    const shownOf = (count: number) => {
      const checked = compileSchema(ROUTES.createJob.body)({ urls: Array.from({ length: count }, () => 1) });
      const error = new AppError('INVALID_REQUEST', checked.ok ? {} : { details: checked.details });
      return toErrorEnvelope(error, 'req_1').error.details ?? [];
    };
    expect(shownOf(100)).toHaveLength(100);
    for (const [count, message] of [
      [101, 'has 1 more error'],
      [150, 'has 50 more errors'],
      [100_000, 'has at least 900 more errors'],
    ] as const) {
      const shown = shownOf(count);
      expect([shown.length, shown.at(-1)]).toEqual([101, { path: '', message }]);
    }
  });

  it('finds at most a thousand errors in a step of unknown fields', () => {
    const many = Object.fromEntries(Array.from({ length: 24_000 }, (_, index) => [`f${index}`, 1]));
    expect(errorsOf({ url: 'x', actions: [many] })).toHaveLength(1000);
  });

  it('names a limit that is exceeded, and nothing of what is inside', () => {
    const { body } = ROUTES.createJob;
    const many = Array.from({ length: 200_000 }, () => ({}));
    const fields = Object.fromEntries(many.map((_, index) => [`f${index}`, index]));
    for (const [value, detail] of [
      [{ urls: many }, { path: 'urls', message: 'must have at most 100000 entries' }],
      [
        { urls: ['x'], crawl: { include: many } },
        { path: 'crawl.include', message: 'must have at most 100 entries' },
      ],
      [
        { urls: ['x'], formats: many },
        { path: 'formats', message: 'must have at most 8 entries' },
      ],
      [
        { urls: ['x'], selectors: fields },
        { path: 'selectors', message: 'must have at most 100 fields' },
      ],
      [
        { urls: ['x'], webhook: { url: 'x', metadata: fields } },
        { path: 'webhook.metadata', message: 'must have at most 50 fields' },
      ],
    ] as const) {
      expect(compileSchema(body)(value)).toEqual({ ok: false, details: [detail] });
    }
  });

  it('cuts a path that a caller made long', () => {
    const name = 'n'.repeat(1000);
    expect(errorsOf({ url: 'x', [name]: 1 })[0]).toMatch(/^n{500}…: is not a known field/);
  });

  it('allows unknown fields at every level of an open schema, and nothing else', () => {
    const checkOpen = compileSchema(ScrapeRequestSchema, 'open');
    const body = { url: 'x', later: 1, selectors: { a: { selector: 'b', later: 2 } } };
    expect(checkOpen(body)).toEqual({ ok: true, value: body });
    expect(check(body).ok).toBe(false);
    expect(checkOpen({ ...body, timeout: 'soon' })).toMatchObject({ details: [{ path: 'timeout' }] });
    expect(checkOpen({ later: 1 })).toMatchObject({ details: [{ path: 'url' }] });
  });

  it('reads lists from query strings', () => {
    const checkQuery = compileSchema(ROUTES.getJobResults.query, 'from-text');
    expect(checkQuery({ verdict: 'login, wall' })).toEqual({
      ok: true,
      value: { verdict: ['login', 'wall'] },
    });
    expect(checkQuery({ verdict: 'login,walls' })).toEqual({
      ok: false,
      details: [{ path: 'verdict.1', message: expect.stringContaining('notice; did you mean "wall"?') }],
    });
  });

  it('reads numbers from query strings', () => {
    const checkQuery = compileSchema(ROUTES.listKeys.query, 'from-text');
    expect(checkQuery({ limit: '20' })).toEqual({ ok: true, value: { limit: 20 } });
    expect(checkQuery({ limit: '101' })).toEqual({
      ok: false,
      details: [{ path: 'limit', message: 'must be at most 100' }],
    });
    for (const [limit, quoted] of [
      ['ten', '"ten"'],
      ['1.5', '"1.5"'],
      ['', '""'],
      ['0x10', '"0x10"'],
      ['1e1', '"1e1"'],
      [' 1', '" 1"'],
      ['99999999999999999999', '"99999999999999999999"'],
      ['x'.repeat(30), `"${'x'.repeat(20)}…"`],
    ]) {
      expect(checkQuery({ limit })).toEqual({
        ok: false,
        details: [{ path: 'limit', message: `must be an integer, not ${quoted}` }],
      });
    }
  });
});
