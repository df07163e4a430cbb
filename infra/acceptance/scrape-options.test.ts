import { htmlPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HAS_BROWSER, type TestAnswer, type TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

let bed: TestStack;

beforeAll(async () => {
  bed = await joinStack();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const LATE_MS = 150;
const SELECTORS = { heading: 'h1', late: '.late', cookie: '#cookie' };

/** Body fields of each option; merged, they make the body of a scrape. */
const OPTIONS = {
  render: { render: true },
  'waitFor a selector': { waitFor: '.late' },
  'waitFor a number': { waitFor: 3 * LATE_MS },
  screenshot: { screenshot: true },
  cookies: {
    cookies: [
      { name: 'basket', value: 'full' },
      { name: 'elsewhere', value: '1', path: '/nowhere' },
    ],
  },
  headers: { headers: { 'X-Test': 'yes', 'Accept-Language': 'cy' } },
  timeout: { timeout: 120_000 },
  selectors: { selectors: SELECTORS },
  antiBot: { antiBot: true },
} as const;
type OptionName = keyof typeof OPTIONS;
const NAMES = Object.keys(OPTIONS) as OptionName[];

/** Every option alone and every pair; a request has only one `waitFor`. */
const EVERY_CASE = [
  [],
  ...NAMES.map((name) => [name]),
  ...NAMES.flatMap((first, index) => NAMES.slice(index + 1).map((second) => [first, second])),
].filter((names) => !(names.includes('waitFor a selector') && names.includes('waitFor a number')));

const RENDERED: readonly string[] = ['render', 'waitFor a selector', 'waitFor a number', 'screenshot'];
const WAITED: readonly string[] = ['waitFor a selector', 'waitFor a number'];
const CASES = EVERY_CASE.filter((names) => HAS_BROWSER || !names.some((name) => RENDERED.includes(name)));

/** A page with an image that a script changes at once and again later; its query is unique to the test case. */
function pageOf(name: string): string {
  const markup = `<!doctype html><title>Page</title><h1>before</h1><p id=cookie></p>
    <img src="/type?as=image/gif&of=${encodeURIComponent(name)}"><script>
    document.querySelector('h1').textContent = 'after';
    document.querySelector('#cookie').textContent = document.cookie;
    setTimeout(() => { document.body.append(Object.assign(document.createElement('p'), { className: 'late', textContent: 'late' })) }, ${LATE_MS})</script>`;
  return `${htmlPath(markup)}&case=${encodeURIComponent(name)}`;
}

function bodyOf(names: readonly OptionName[], path: string): object {
  return Object.assign({ url: bed.origin.url + path }, ...names.map((name) => OPTIONS[name]));
}

describe('a scrape over REST', () => {
  it.each(CASES.map((names) => [names.join(' and ') || 'no option', names] as const))(
    'does with %s what it says',
    async (title, names) => {
      const answer = await bed.ask('/v1/scrape', bodyOf(names, pageOf(title)));
      expect([answer.status, answer.json.error]).toEqual([200, undefined]);
      expectAnswer(answer, names);
      expectRequests(title, names);
    },
  );

  it('ends at its timeout and costs nothing, with every option', async () => {
    const usedBefore = await used();
    const alone = CASES.filter((names) => names.length < 2 && !names.includes('timeout'));
    const answers = await Promise.all(
      alone.map(async (names) => {
        const body = { ...bodyOf(names, '/stall/mid-body'), timeout: 8000 };
        return [names, await bed.ask('/v1/scrape', body)] as const;
      }),
    );
    for (const [names, { status, json }] of answers) {
      expect([names, status, json.error?.code]).toEqual([names, 408, 'TIMEOUT']);
    }
    expect(await used()).toBe(usedBefore);
  });

  it.each<[string, object, string]>([
    ['a country name instead of a code', { proxy: 'Germany' }, 'proxy'],
    ['a text as antiBot', { antiBot: 'yes' }, 'antiBot'],
    ['a wait that is too long', { waitFor: 60_001 }, 'waitFor'],
    ['a header that callers cannot set', { headers: { Host: 'other.test' } }, 'headers.Host'],
    ['a Cookie header beside cookies', { headers: { Cookie: 'a=b' }, cookies: [] }, 'headers.Cookie'],
    ['a cookie without a name', { cookies: [{ value: '1' }] }, 'cookies.0.name'],
    ['a timeout that is too short', { timeout: 999 }, 'timeout'],
    ['an option that there is not', { scroll: true }, 'scroll'],
  ])('rejects %s with its path', async (_what, options, path) => {
    const { status, json } = await bed.ask('/v1/scrape', { url: `${bed.origin.url}/`, ...options });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });
});

async function used(): Promise<number> {
  return (await bed.ask('/v1/usage')).json.usage.used;
}

/** Asserts the response. */
function expectAnswer({ json }: TestAnswer, names: readonly string[]): void {
  const isRendered = names.some((name) => RENDERED.includes(name));
  const isWaitedFor = names.some((name) => WAITED.includes(name));
  const hasPicture = names.includes('screenshot');
  const heading = isRendered ? 'after' : 'before';
  if (names.includes('selectors')) {
    expect(json.data).toMatchObject({
      heading,
      cookie: isRendered && names.includes('cookies') ? 'basket=full' : '',
      // Changes after the page has settled need not be in the result.
      ...((isWaitedFor || !isRendered) && { late: isWaitedFor ? 'late' : null }),
    });
  } else {
    const text = expect.stringContaining(heading);
    expect(json.data).toEqual({ title: 'Page', description: null, text, links: [] });
  }
  const credits = 1 + (isRendered ? 4 : 0) + (hasPicture ? 1 : 0);
  expect(json.metadata).toMatchObject({ statusCode: 200, engine: isRendered ? 'browser' : 'http' });
  // The cost of antiBot depends on the rung that succeeded.
  if (!names.includes('antiBot')) expect(json.metadata.credits).toBe(credits);
  const picture = Buffer.from(json.screenshot ?? '', 'base64');
  expect(picture.subarray(1, 4).toString()).toBe(hasPicture ? 'PNG' : '');
  if (names.includes('waitFor a number')) expect(json.metadata.duration).toBeGreaterThanOrEqual(3 * LATE_MS);
}

/** Asserts the requests that the site received. */
function expectRequests(title: string, names: readonly string[]): void {
  const of = (parameter: string) =>
    bed.origin
      .requestsTo('/type')
      .filter(({ url }) => new URLSearchParams(url.split('?')[1]).get(parameter) === title);
  const [page, ...again] = of('case');
  expect(again).toEqual([]);
  expect(page?.headers.cookie).toBe(names.includes('cookies') ? 'basket=full' : undefined);
  const isSent = names.includes('headers');
  expect(page?.headers['x-test']).toBe(isSent ? 'yes' : undefined);
  expect(page?.headers['accept-language'] === 'cy').toBe(isSent);
  // Images are loaded only for a screenshot.
  expect(of('of').length).toBe(names.includes('screenshot') ? 1 : 0);
}
