import type { Gleaner } from '@gleaner/client';
import type { Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { FORMAT_NAMES, PAGE_KINDS, RESETTABLE_SETTINGS, SCOPES } from '../generated/words.ts';
import { FORMATS, RESULT_FORMATS } from '../output/output.ts';
import { readProfiles } from '../settings/profiles.ts';

/** A possible next word, with its description. */
export interface Suggestion {
  readonly word: string;
  readonly about: string;
}

/** Stands for the files of this machine, which the shell completes itself. */
export const FILES = 'files';

type Source = (unfinished: string, place: Place, cli: Cli) => Suggestion[] | Promise<Suggestion[]>;

/** Commands that print the results of a job. */
const TAKES_PARQUET: ReadonlySet<string> = new Set(['job results', 'crawl']);

/** Values of options that take more than fixed choices. */
const BY_OPTION: Readonly<Record<string, Source>> = {
  '--format': (_unfinished, { path }) => toSuggestions(TAKES_PARQUET.has(path) ? RESULT_FORMATS : FORMATS),
  '--formats': listOf(FORMAT_NAMES),
  '--job': (_unfinished, place, cli) => findIds('job', place, cli),
  '--schedule': (_unfinished, place, cli) => findIds('schedule', place, cli),
  '--profile': (_unfinished, _place, cli) => profilesOf(cli),
  '--recipe': async (_unfinished, place, cli) => [
    { word: 'auto', about: 'the one that matches the URL' },
    ...(await findIds('recipe', place, cli)),
  ],
  '--reset': () => toSuggestions(RESETTABLE_SETTINGS),
  '--scopes': listOf(SCOPES),
  '--since': (_unfinished, place, cli) => findIds('job', { ...place, path: 'job results' }, cli),
  '--verdict': listOf(PAGE_KINDS),
  '--timezone': () => toSuggestions(['UTC', ...Intl.supportedValuesOf('timeZone')]),
};

/** Returns the values of an option; none for what only the person knows. */
export async function valuesOfOption(
  option: Option,
  unfinished: string,
  place: Place,
  cli: Cli,
): Promise<Suggestion[] | typeof FILES> {
  if (option.argChoices) return toSuggestions(option.argChoices);
  if (option.flags.endsWith('<file>')) return FILES;
  return (await BY_OPTION[option.long ?? '']?.(unfinished, place, cli)) ?? [];
}

/** Returns the values of the argument that is due. */
export async function valuesOfArgument(place: Place, cli: Cli): Promise<Suggestion[]> {
  const argument = place.command.registeredArguments[place.operands];
  if (argument?.argChoices) return toSuggestions(argument.argChoices);
  if (argument?.name() === 'id') return await findIds(place.path.split(' ')[0] ?? '', place, cli);
  return place.path === 'profiles' && argument ? profilesOf(cli) : [];
}

/** Completes the last entry of a list with commas. */
function listOf(words: readonly string[]): Source {
  return (unfinished) => {
    const before = unfinished.slice(0, unfinished.lastIndexOf(',') + 1);
    const taken = before.split(',');
    return toSuggestions(words.filter((word) => !taken.includes(word)).map((word) => before + word));
  };
}

function profilesOf({ env }: Cli): Suggestion[] {
  return Object.entries(readProfiles(env).profiles).map(([word, { url }]) => ({ word, about: url }));
}

function toSuggestions(words: readonly string[]): Suggestion[] {
  return words.map((word) => ({ word, about: '' }));
}

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
  async recipe({ recipes }, _query, call) {
    const found = await recipes.list(call);
    return found.map(({ id, version, name }) => ({ id, state: '', about: `${name}, version ${version}` }));
  },
  async key({ keys }, query, call) {
    const { items } = await keys.list(query, call).page();
    return items.map(({ id, revokedAt, name, prefix }) => ({
      id,
      state: revokedAt ? 'revoked' : 'active',
      about: `${name}, ${prefix}…`,
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
async function findIds(
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

/** Place in a command line that has been typed up to here. */
export interface Place {
  readonly command: Command;
  /** Names of the command, such as `job show`. */
  readonly path: string;
  /** Number of arguments so far. */
  readonly operands: number;
  /** Options so far, by attribute, with their values. */
  readonly given: ReadonlyMap<string, string | undefined>;
  /** Option that a value is due for. */
  readonly expects: Option | undefined;
  /** True after `--`, where words are arguments even if they begin with a dash. */
  readonly isAfterDashes: boolean;
}

/** Follows the words to their command. */
export function readPlace(program: Command, words: readonly string[]): Place {
  let command = program;
  const names: string[] = [];
  const given = new Map<string, string | undefined>();
  let operands = 0;
  let expects: Option | undefined;
  let isAfterDashes = false;
  for (const word of words) {
    if (expects) {
      given.set(expects.attributeName(), word);
      expects = undefined;
    } else if (word === '--') {
      isAfterDashes = true;
    } else if (word.startsWith('-') && !isAfterDashes) {
      const [, flag = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
      const option = command.options.find(({ short, long }) => flag === short || flag === long);
      if (option) given.set(option.attributeName(), value);
      if (option?.required && value === undefined) expects = option;
    } else {
      const next = operands === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      if (next) names.push(word);
      else operands += 1;
      command = next ?? command;
    }
  }
  return { command, path: names.join(' '), operands, given, expects, isAfterDashes };
}
