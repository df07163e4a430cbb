import type { Gleaner } from '@gleaner/client';
import type { Cli, GlobalOptions } from '../cli.ts';
import type { Place } from './read-place.ts';

/** A person waits for the completion of an id. */
const WITHIN_MS = 1500;
const MAX_READ = 100;
const MAX_SHOWN = 20;

/** A thing with an id. */
interface Entry {
  readonly id: string;
  readonly state: string;
  readonly about: string;
}

type Query = { readonly limit: number };
type Call = { readonly signal: AbortSignal; readonly maxRetries: number };

/** Reads the newest entries, by the noun of their commands. */
const LISTS: Readonly<Record<string, (gleaner: Gleaner, query: Query, call: Call) => Promise<Entry[]>>> = {
  async job({ jobs }, query, call) {
    const { items } = await jobs.list(query, call).page();
    return items.map(({ id, status, name }) => ({ id, state: status, about: `${name}, ${status}` }));
  },
  async schedule({ schedules }, query, call) {
    const { items } = await schedules.list(query, call).page();
    return items.map(({ id, status, name, cron }) => ({ id, state: status, about: `${name}, ${cron}` }));
  },
  async key({ keys }, query, call) {
    const { items } = await keys.list(query, call).page();
    return items.map(({ id, revokedAt, name, prefix }) => ({
      ...{ id, state: revokedAt ? 'revoked' : 'active', about: `${name}, ${prefix}…` },
    }));
  },
  async webhook({ webhooks }, query, call) {
    const { items } = await webhooks.deliveries(query, call).page();
    return items.map(({ id, status, type, url }) => ({
      id,
      state: status,
      about: `${type}, ${status}, ${url}`,
    }));
  },
};

const FINISHED = ['completed', 'partial', 'failed', 'cancelled'];

/** States of the entries that a command is for; the other commands take every entry. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  'job cancel': ['pending', 'running'],
  'job watch': ['pending', 'running'],
  'job rerun': FINISHED,
  'job extract': FINISHED,
  'schedule pause': ['active'],
  'schedule resume': ['paused'],
  'key revoke': ['active'],
  'webhook redeliver': ['delivered', 'failed', 'gone'],
};

/** Returns the newest ids that fit the command. Without a service there are none. */
export async function findIds(
  noun: string,
  { path, given }: Place,
  cli: Cli,
): Promise<{ word: string; about: string }[]> {
  const [url, keyFile, profile] = ['url', 'keyFile', 'profile'].map((name) => given.get(name));
  const options: GlobalOptions = {
    ...(url && { url }),
    ...(profile && { profile }),
    // The standard input is that of the shell.
    ...(keyFile && keyFile !== '-' && { keyFile }),
  };
  try {
    const gleaner = await cli.connect(options);
    const signal = AbortSignal.any([cli.signal, AbortSignal.timeout(WITHIN_MS)]);
    const entries = (await LISTS[noun]?.(gleaner, { limit: MAX_READ }, { signal, maxRetries: 0 })) ?? [];
    const fitting = entries.filter(({ state }) => STATES[path]?.includes(state) ?? true);
    return fitting.slice(0, MAX_SHOWN).map(({ id, about }) => ({ word: id, about }));
  } catch {
    return [];
  }
}
