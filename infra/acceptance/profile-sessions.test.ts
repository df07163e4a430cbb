import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually, type Site, startSite } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { runningBrowser } from '../bench/processes.ts';
import { GLEANER } from '../stack/test/run-gleaner.ts';
import { HAS_BROWSER, type TestStack } from '../stack/test/test-stack.ts';
import { PATIENCE_MS } from './console/open-browser.ts';
import { joinStack } from './join-stack.ts';

let bed: TestStack;
let site: Site;
let browser: { readonly path: string; readonly env: Readonly<Record<string, string>> };

const OPEN = `const open = () => new Promise((resolve) => {
  const request = indexedDB.open('session', 2);
  request.onupgradeneeded = () => request.result.createObjectStore('keys', { keyPath: 'id' }).createIndex('at', 'at');
  request.onsuccess = () => resolve(request.result);
});`;
const ENTER = `document.cookie = "member=ann; path=/; max-age=3600";
  localStorage.setItem("token", "t1");
  open().then((database) => {
    const transaction = database.transaction('keys', 'readwrite');
    transaction.objectStore('keys').put({ id: 1, key: 'k1', at: new Date(0) });
    transaction.oncomplete = () => { location.href = "/members"; };
  });`;
const SHOW = `document.querySelector("#token").textContent = localStorage.getItem("token");
  open().then((database) => {
    database.transaction('keys').objectStore('keys').index('at').get(new Date(0)).onsuccess = ({ target }) => {
      document.querySelector("#key").textContent = target.result?.key ?? 'none';
      database.close();
    };
  });`;

/** Starts a site that signs its visitor in at `/enter`, by a cookie and the storage of the origin, and asks for both at `/members`. */
async function startOpenSite(): Promise<Site> {
  return await startSite(({ url, request, response }) => {
    const isKnown = request.headers.cookie?.includes('member=ann') === true;
    const script = OPEN + (url.pathname === '/enter' ? ENTER : SHOW);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(
      `<!doctype html><title>Members</title>${isKnown ? '<p class="account">Ann</p>' : '<form class="login"></form>'}
      <p id="token"></p><p id="key"></p><script>${script}</script>`,
    );
  });
}

(HAS_BROWSER ? describe : describe.skip)('sessions that a person has begun', () => {
  beforeAll(async () => {
    bed = await joinStack();
    site = await startOpenSite();
    await bed.ask('/v1/scrape', { url: bed.stack.demoUrl, render: true, timeout: 120_000 });
    browser = await runningBrowser(bed.stack);
  });
  afterAll(async () => {
    await site?.close();
    await bed?.[Symbol.asyncDispose]();
  });

  const launch = (): Promise<Browser> =>
    chromium.launch({
      executablePath: browser.path,
      env: { ...process.env, ...browser.env },
      args: ['--no-sandbox'],
      timeout: PATIENCE_MS,
    });

  async function createProfile(name: string, more: object = {}) {
    const login = { url: `${site.origin}/enter`, check: { present: '.account' } };
    return (await bed.ask('/v1/profiles', { name, login, ...more })).json.profile;
  }

  async function scrape(profile: string) {
    const selectors = { name: '.account', token: '#token', key: '#key' };
    const { json } = await bed.ask('/v1/scrape', {
      url: `${site.origin}/members`,
      render: true,
      profile,
      selectors,
      waitFor: '#key:not(:empty)',
    });
    return json.data ?? json.error;
  }

  it('come from Playwright’s storageState, and return to it', async () => {
    await using opened = await launch();
    const before = await opened.newContext();
    before.setDefaultTimeout(PATIENCE_MS);
    const page = await before.newPage();
    await page.goto(`${site.origin}/enter`);
    await page.locator('.account').waitFor();
    await page.locator('#key', { hasText: 'k1' }).waitFor();
    const storageState = await before.storageState({ indexedDB: true });
    const { id } = await createProfile('from Playwright', { storageState });
    expect(await scrape(id)).toEqual({ name: 'Ann', token: 't1', key: 'k1' });

    const { json } = await bed.ask(`/v1/profiles/${id}/state`);
    const after = await opened.newContext({ storageState: json.storageState });
    after.setDefaultTimeout(PATIENCE_MS);
    const again = await after.newPage();
    await again.goto(`${site.origin}/members`);
    expect(await again.locator('.account').textContent()).toBe('Ann');
    expect(await again.locator('#token').textContent()).toBe('t1');
    await again.locator('#key', { hasText: 'k1' }).waitFor();
    expect(await after.storageState({ indexedDB: true })).toEqual(storageState);
  });

  it('come from a window of a browser of this machine', async () => {
    const { id, status } = await createProfile('by hand');
    expect(status).toBe('expired');
    const folder = await mkdtemp(join(tmpdir(), 'gleaner-headed-'));
    // Tests have no display, and may run as root.
    const program = join(folder, 'browser');
    const variables = Object.entries(browser.env).map(([name, value]) => `export ${name}='${value}'`);
    const script = ['#!/bin/sh', ...variables, `exec '${browser.path}' --headless --no-sandbox "$@"`, ''];
    await writeFile(program, script.join('\n'));
    await chmod(program, 0o755);
    const env = {
      ...process.env,
      GLEANER_URL: bed.stack.url,
      GLEANER_API_KEY: bed.stack.apiKey,
      XDG_CONFIG_HOME: folder,
      CHROMIUM_PATH: program,
    };
    const args = [
      '--disable-warning=ExperimentalWarning',
      GLEANER,
      'profile',
      'login',
      'by hand',
      '--headed',
    ];
    const startedAtMs = Date.now();
    const running = promisify(execFile)(process.execPath, args, { cwd: folder, env });
    await eventually(() => {
      const isIn = site.fetches.some(({ url, atMs }) => url.endsWith('/members') && atMs > startedAtMs);
      expect(isIn).toBe(true);
    });
    running.child.stdin?.write('\n');
    const { stdout, stderr } = await running;
    expect(stderr).toContain(`Sign in at ${site.origin}/enter`);
    expect(JSON.parse(stdout)).toMatchObject({ id, status: 'ready', logins: 1 });
    expect(await scrape(id)).toEqual({ name: 'Ann', token: 't1', key: 'k1' });
    await rm(folder, { recursive: true, force: true });
  });
});
