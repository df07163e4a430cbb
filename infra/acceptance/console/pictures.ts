/**
 * `npm run pictures`: takes the pictures of the documentation from a running service, in the Chromium that it brings. Each is
 * written to docs/pictures.
 */
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { runningBrowser } from '../../bench/processes.ts';
import { buildConsole } from '../../stack/console/build-console.ts';
import { signInLink } from '../../stack/console/console-link.ts';
import { type Stack, startStack } from '../../stack/start-stack.ts';

const FOLDER = resolve(import.meta.dirname, '../../../docs/pictures');
/** Pictures are part of every clone. */
const MAX_BYTES = 200 * 1024;
const VIEWPORT = { width: 1280, height: 1000 };
const STEP_MS = 30_000;
/** Port in the examples; another one where it is taken. */
const DEMO_PORT = 8090;

const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-pictures-'));
const announce = (message: string) => console.log(message);
const stack = await startStack({ dataDir, demoPort: DEMO_PORT, egressAllow: [], settings: {}, announce });
try {
  if (!(await buildConsole(stack.consoleDir, join(stack.logs, 'console.log'), announce).done))
    process.exitCode = 1;
  const browser = await openBrowser(stack);
  try {
    await mkdir(FOLDER, { recursive: true });
    await takePicture('workbench', browser, showWorkbench);
  } finally {
    await browser.close();
  }
} finally {
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** Starts the browser of the scrapers, which the first rendered page unpacks. */
async function openBrowser({ url, apiKey, demoUrl }: Stack): Promise<Browser> {
  const response = await fetch(`${url}/v1/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: demoUrl, render: true }),
  });
  if (!response.ok) throw new Error(`The first rendered page answered ${response.status}.`);
  const { path, env } = await runningBrowser(stack);
  return chromium.launch({ executablePath: path, env: { ...process.env, ...env }, args: ['--no-sandbox'] });
}

async function takePicture(
  name: string,
  browser: Browser,
  show: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: VIEWPORT, colorScheme: 'light', locale: 'en-US' });
  context.setDefaultTimeout(STEP_MS);
  const page = await context.newPage();
  await page.goto(await signInLink(stack, stack.url));
  await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
  await show(page);
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path });
  const { size } = await stat(path);
  console.log(`${path}: ${Math.round(size / 1024)} KB`);
  if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes; at most ${MAX_BYTES} are allowed.`);
}

/** Picks the books of the demo shop, in four clicks. */
async function showWorkbench(page: Page): Promise<void> {
  const frame = page.frameLocator('iframe');
  await page.getByRole('link', { name: 'Workbench' }).click();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await frame.getByText('Middlemarch', { exact: true }).click();
  await frame.getByText('Moby-Dick', { exact: true }).click();
  await page
    .getByRole('region', { name: 'Values' })
    .getByRole('cell', { name: 'Moby-Dick', exact: true })
    .waitFor();
  await page.mouse.move(0, 0);
}
