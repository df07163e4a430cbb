import { statfs } from 'node:fs/promises';
import { type Gleaner, GleanerError, withScheme } from '@gleaner/client';
import type { Cli, GlobalOptions } from '../cli.ts';
import { findStack } from '../settings/find-stack.ts';
import { profilesFile } from '../settings/profiles.ts';
import type { Settings } from '../settings/resolve-settings.ts';
import { type Check, checkFileMode, checkFonts, checkSystem } from './check-system.ts';

const WITHIN_MS = 10_000;
const MIN_FREE_BYTES = 1024 ** 3;
const MAX_SKEW_MS = 60_000;
const SOON_MS = 7 * 86_400_000;
/** The address where clouds keep the credentials of a machine: a page there must never be fetched. */
const FORBIDDEN_PAGE = 'http://169.254.169.254/';

/** Runs the checks one after another; what depends on a failed one is left out. */
export async function* runChecks(
  cli: Cli,
  options: GlobalOptions,
  page: string | undefined,
): AsyncGenerator<Check> {
  yield checkNode();
  const stack = findStack(cli.folders, cli.env.GLEANER_DATA_DIR);
  if (stack) yield await checkDisk(stack.folder);
  if (stack) yield* checkFonts();
  if (stack) yield* checkFileMode(`${stack.folder}/api-key`);
  yield* checkFileMode(profilesFile(cli.env));
  let settings: Settings;
  try {
    settings = await cli.settings(options);
  } catch (error) {
    return yield failed('settings', error);
  }
  yield ok(
    'settings',
    `The service is ${settings.url} (from ${settings.urlFrom}); the key is from ${settings.keyFrom}.`,
  );
  const gleaner = await cli.connect(options);
  const call = { signal: cli.signal, timeoutMs: WITHIN_MS, maxRetries: 0 };
  const isReached = await attempt('service', 'The service answers.', () => gleaner.live(call));
  yield isReached;
  if (isReached.state === 'failed') return;
  yield await checkClock(settings.url, cli.signal);
  yield await attempt('backends', 'The broker and the database are reachable.', () => gleaner.ready(call));
  const key = await checkKey(gleaner, call);
  yield key;
  if (key.state === 'failed') return;
  yield* checkSystem(gleaner, call, { version: cli.version, stack: stack?.folder });
  yield* checkCredits(gleaner, call);
  yield await checkEgress(gleaner, call);
  yield* checkProxies(gleaner, call);
  if (!page) return;
  for (const render of [false, true]) {
    const name = render ? 'browser' : 'http';
    yield await attempt(name, `${page} can be scraped ${render ? 'in a browser' : 'by HTTP'}.`, () =>
      gleaner.scrape({ url: withScheme(page), render }, { signal: cli.signal, maxRetries: 0 }),
    );
  }
}

function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 12))
    return ok('node', `Node ${process.versions.node} is new enough.`);
  return {
    id: 'node',
    state: 'failed',
    found: `Node ${process.versions.node} is too old.`,
    remedy: 'Install Node 22.12 or newer.',
  };
}

async function checkDisk(folder: string): Promise<Check> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const found = `${(free / 1024 ** 3).toFixed(1)} GB are free for ${folder}.`;
  if (free >= MIN_FREE_BYTES) return ok('disk', found);
  return {
    id: 'disk',
    state: 'failed',
    found,
    remedy: 'Free at least 1 GB, or move the data with GLEANER_DATA_DIR.',
  };
}

async function checkClock(url: string, signal: AbortSignal): Promise<Check> {
  try {
    const response = await fetch(`${url.replace(/\/$/, '')}/livez`, { signal });
    await response.body?.cancel();
    const skewMs = Date.parse(response.headers.get('date') ?? '') - Date.now();
    if (!(Math.abs(skewMs) > MAX_SKEW_MS))
      return ok('clock', 'The clocks of the service and of this machine agree.');
    const found = `The clocks of the service and of this machine differ by ${Math.round(Math.abs(skewMs) / 1000)} s.`;
    return {
      id: 'clock',
      state: 'warning',
      found,
      remedy: 'Set both by NTP: webhooks are rejected, and schedules run at another time.',
    };
  } catch (error) {
    return failed('clock', error);
  }
}

async function checkKey(gleaner: Gleaner, call: object): Promise<Check> {
  try {
    const { name, scopes, expiresAt } = await gleaner.keys.current(call);
    const found = `The key "${name}" is valid, with the scopes ${scopes.join(', ')}.`;
    const leftMs = Date.parse(expiresAt ?? '') - Date.now();
    if (!(leftMs < SOON_MS)) return ok('key', found);
    const remedy = 'Create another one in time: gleaner key create';
    return { id: 'key', state: 'warning', found: `${found} It expires at ${expiresAt}.`, remedy };
  } catch (error) {
    return failed('key', error);
  }
}

async function* checkCredits(gleaner: Gleaner, call: object): AsyncGenerator<Check> {
  try {
    const { remaining } = await gleaner.usage({}, call);
    if (remaining === null) return yield ok('credits', 'Credits are unlimited.');
    if (remaining > 0) return yield ok('credits', `${remaining} credits are left.`);
    const remedy = 'Add credits with: npm run keys -- credit <account> <amount>';
    yield { id: 'credits', state: 'failed', found: 'The account has no credits left.', remedy };
  } catch (error) {
    if (!isForbidden(error)) yield failed('credits', error);
  }
}

/** Requests a nonexistent country: the error lists the existing ones. */
async function* checkProxies(gleaner: Gleaner, call: object): AsyncGenerator<Check> {
  try {
    await gleaner.scrape({ url: 'https://example.com/', proxy: 'zzz' }, call);
  } catch (error) {
    if (!(error instanceof GleanerError) || isForbidden(error)) return;
    const [, countries] = /available: (.+?)\.?$/.exec(error.message) ?? [];
    yield ok(
      'proxies',
      countries ? `Proxies are configured for: ${countries}.` : 'No proxies are configured.',
    );
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof GleanerError && error.code === 'FORBIDDEN';
}

async function checkEgress(gleaner: Gleaner, call: object): Promise<Check> {
  try {
    await gleaner.scrape({ url: FORBIDDEN_PAGE }, call);
  } catch (error) {
    if (!(error instanceof GleanerError)) throw error;
    if (error.code === 'INVALID_URL') return ok('egress', 'Addresses of private networks are rejected.');
    if (error.code === 'FORBIDDEN') {
      const found = 'The key lacks the scope scrape, so scrapes were not checked.';
      return { id: 'egress', state: 'warning', found, remedy: 'Use a key with the scope scrape.' };
    }
  }
  const remedy =
    'Remove 169.254.169.254 from EGRESS_ALLOW: a scrape can read the credentials of the machine.';
  return { id: 'egress', state: 'failed', found: `It opens ${FORBIDDEN_PAGE}.`, remedy };
}

async function attempt(id: string, found: string, act: () => Promise<unknown>): Promise<Check> {
  try {
    await act();
    return ok(id, found);
  } catch (error) {
    return failed(id, error);
  }
}

function ok(id: string, found: string): Check {
  return { id, state: 'ok', found };
}

function failed(id: string, error: unknown): Check {
  const { message, suggestion } = error as { message: string; suggestion?: string };
  return { id, state: 'failed', found: message, ...(suggestion && { remedy: suggestion }) };
}
