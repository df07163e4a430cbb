import type { Browser } from 'playwright-core';
import type { Stack } from '../../stack/start-stack.ts';
import { percentile } from '../percentile.ts';

/** A measurement of first visits. */
export interface StartOptions {
  readonly browser: Browser;
  readonly stack: Stack;
  /** Factor by which the processor of the page is slowed down. */
  readonly slowdown: number;
  readonly rounds: number;
}

interface Load {
  readonly ms: number;
  readonly script: number;
  readonly style: number;
}

/** Prints the time from the link of the banner to a form that can be sent, with an empty cache, and what was loaded for it. */
export async function measureStart({ browser, stack, slowdown, rounds }: StartOptions): Promise<void> {
  const loads: Load[] = [];
  for (let round = 0; round < rounds; round++) loads.push(await load(browser, stack, slowdown));
  const times = loads.map(({ ms }) => ms);
  const kb = (bytes: number | undefined) => `${((bytes ?? 0) / 1024).toFixed(0)} KB`;
  const { script, style } = loads.at(-1) ?? {};
  console.log(
    `start     processor ÷ ${slowdown}: usable after p50 ${percentile(times, 0.5).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms; ${kb(script)} of script, ${kb(style)} of style as sent`,
  );
}

async function load(browser: Browser, stack: Stack, slowdown: number): Promise<Load> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const response = await fetch(`${stack.url}/v1/session/codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const { code } = (await response.json()) as { code: string };
  const startedAt = performance.now();
  await page.goto(`${stack.url}/console/#code=${code}`, { waitUntil: 'commit' });
  // It is disabled until the form holds the example.
  await page.locator('button[type=submit]:not([data-disabled]):not(:disabled)').waitFor({ timeout: 60_000 });
  const ms = performance.now() - startedAt;
  const sent = (await page.evaluate(`performance.getEntriesByType('resource').map(
    ({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize])`)) as [string, number][];
  const sum = (ending: string) =>
    sent.filter(([path]) => path.endsWith(ending)).reduce((bytes, [, size]) => bytes + size, 0);
  await context.close();
  return { ms, script: sum('.js'), style: sum('.css') };
}
