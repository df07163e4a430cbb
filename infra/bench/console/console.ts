import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSite } from '@gleaner/test-kit';
import { type Browser, chromium, type Page } from 'playwright-core';
import { buildConsole } from '../../stack/console/build-console.ts';
import type { Stack } from '../../stack/start-stack.ts';
import { percentile } from '../percentile.ts';
import { runningBrowser } from '../running-browser.ts';
import { startScrapeStack } from '../start-scrape-stack.ts';
import { LARGE_PAGE, measurePicking } from './measure-picking.ts';
import { measureScrolling } from './measure-scrolling.ts';
import { measureStart } from './measure-start.ts';

const PAGES = 10_000;
const JOBS = 1_000;
const ROUNDS = 7;
const JOB_WITHIN_MS = 600_000;
const WITHIN_MS = 120_000;

/** Prints how soon the console can be used, and how it bears long lists and a large page. */
export async function benchConsole(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-bench-console-'));
  const site = await startSite(({ url, response }) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      url.pathname === '/rows'
        ? LARGE_PAGE
        : `<title>${url.pathname}</title><h1>Page ${url.pathname}</h1><p class=price>9.99`,
    );
  });
  const stack = await startScrapeStack({
    ...{ dataDir, originPort: Number(new URL(site.origin).port) },
    settings: { RATE_LIMIT_CREATE: '1000000', RATE_LIMIT_READ: '1000000', MAX_PAGES_PER_HOST: '30' },
  });
  const { consoleDir, logs } = stack;
  await buildConsole(consoleDir, join(logs, 'console.log'), console.error).done;
  const browser = await openBrowser(stack);
  try {
    for (const slowdown of [1, 4]) await measureStart({ browser, stack, slowdown, rounds: ROUNDS });
    await measureResults(browser, stack, site.origin);
    await measureList(browser, stack, site.origin);
    await measurePicking({
      open: () => openView(browser, stack, '/workbench', 'Workbench'),
      url: `${site.origin}/rows`,
      rounds: ROUNDS,
    });
  } finally {
    await browser.close();
    await stack.stop();
    await site.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function openBrowser(stack: Stack): Promise<Browser> {
  await ask(stack, '/v1/scrape', { url: stack.demoUrl, render: true });
  const { path, env } = await runningBrowser(stack);
  return chromium.launch({ executablePath: path, env: { ...process.env, ...env }, args: ['--no-sandbox'] });
}

// biome-ignore lint/suspicious/noExplicitAny: a bench reads few fields of many answers.
async function ask(stack: Stack, path: string, body?: unknown): Promise<any> {
  const response = await fetch(stack.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Opens a view of the console as someone who is signed in. */
async function openView(browser: Browser, stack: Stack, path: string, heading: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(WITHIN_MS);
  const page = await context.newPage();
  const { code } = await ask(stack, '/v1/session/codes', {});
  await page.goto(`${stack.url}/console/#code=${code}`);
  await page.getByRole('button', { name: 'Scrape', exact: true }).waitFor();
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`);
  // The view before it has fields of the same names.
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  return page;
}

async function measureResults(browser: Browser, stack: Stack, origin: string): Promise<void> {
  const urls = Array.from({ length: PAGES }, (_, at) => `${origin}/pages/${at}`);
  const selectors = { title: 'title', heading: 'h1', price: '.price' };
  const { job } = await ask(stack, '/v1/jobs', { name: 'Results', urls, selectors });
  await untilFinished(stack, job.id);
  const startedAt = performance.now();
  const page = await openView(browser, stack, `/jobs/${job.id}`, 'Results');
  await page.getByRole('region', { name: 'Results' }).getByRole('cell', { name: 'Page /pages/0' }).waitFor();
  const shownMs = performance.now() - startedAt;
  const frames = await measureScrolling(page, 'Results');
  const over = frames.filter((ms) => ms > 100).length;
  console.log(
    `results   ${PAGES} shown after ${shownMs.toFixed(0)} ms; ${frames.length} frames while scrolling: p50 ${percentile(frames, 0.5).toFixed(0)} ms, p99 ${percentile(frames, 0.99).toFixed(0)} ms, longest ${Math.max(...frames).toFixed(0)} ms, ${over} over 100 ms`,
  );
  await page.context().close();
}

async function untilFinished(stack: Stack, id: string): Promise<void> {
  const giveUpAt = performance.now() + JOB_WITHIN_MS;
  while (performance.now() < giveUpAt) {
    const { job } = await ask(stack, `/v1/jobs/${id}?resultsLimit=0`);
    if (job.completedAt) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`The job ${id} did not finish.`);
}

async function measureList(browser: Browser, stack: Stack, origin: string): Promise<void> {
  const names = Array.from({ length: JOBS }, (_, at) => `Job ${at}`);
  const work = async () => {
    for (let name = names.pop(); name; name = names.pop())
      await ask(stack, '/v1/jobs', { name, urls: [`${origin}/pages/0`] });
  };
  await Promise.all([work(), work(), work(), work()]);
  const page = await openView(browser, stack, '/usage', 'Usage');
  const samples: number[] = [];
  for (let offset = 0; offset < JOBS; offset += 50) {
    const startedAt = performance.now();
    await page.evaluate(`location.hash = '/jobs?offset=${offset}'`);
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByText(new RegExp(`^${(offset + 1).toLocaleString('en-US')}–`))
      .waitFor();
    samples.push(performance.now() - startedAt);
  }
  console.log(
    `jobs      ${JOBS} listed by 50: p50 ${percentile(samples, 0.5).toFixed(0)} ms a page, longest ${Math.max(...samples).toFixed(0)} ms`,
  );
  await page.context().close();
}
