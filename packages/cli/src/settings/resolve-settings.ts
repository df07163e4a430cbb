import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { CommandError, UsageError } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { findStack, type NearbyStack } from './find-stack.ts';
import { type Profile, type Profiles, readProfiles } from './profiles.ts';

/** Options of every command that choose the service. */
export interface ServiceOptions {
  readonly url?: string;
  readonly keyFile?: string;
  readonly profile?: string;
}

/** Address and key of the service, and where each was found. */
export interface Settings {
  readonly url: string;
  readonly urlFrom: string;
  readonly apiKey: string | undefined;
  readonly keyFrom: string | undefined;
}

/** Places that may name the service, the strongest first. */
export interface Sources {
  readonly flags: { readonly url?: string | undefined; readonly apiKey?: string | undefined };
  readonly env: { readonly url?: string | undefined; readonly apiKey?: string | undefined };
  /** Name given by flag or variable; undefined for the current one. */
  readonly profileName: string | undefined;
  readonly profiles: Profiles;
  readonly stack: NearbyStack | undefined;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';

/**
 * Chooses address and key: flag, variable, profile, nearby stack. A key of a profile or of a stack goes only to the
 * address that it was stored with, never to one that was named elsewhere.
 */
export function resolveSettings(sources: Sources): Settings {
  const { flags, env, stack, profileName } = sources;
  const named = namedProfile(sources);
  const profile: Place | undefined = named && { ...named.profile, from: `profile ${named.name}` };
  const nearby: Place | undefined = stack && { url: stack.url, apiKey: stack.apiKey, from: stack.folder };
  // A profile that is named outright is stronger than a variable.
  const outright = profileName ? profile : undefined;
  const addresses: (Place | undefined)[] = [
    { url: flags.url, from: '--url' },
    outright,
    { url: env.url, from: 'GLEANER_URL' },
    profile,
    nearby,
    { url: DEFAULT_URL, from: 'the default' },
  ];
  const address = addresses.find((place) => place?.url);
  const url = (address?.url ?? DEFAULT_URL).trim();
  const isStoredFor = (place: Place | undefined) =>
    place?.url && isSameAddress(place.url, url) ? place : undefined;
  const keys: (Place | undefined)[] = [
    { apiKey: flags.apiKey, from: '--key-file' },
    isStoredFor(outright),
    { apiKey: env.apiKey, from: 'GLEANER_API_KEY' },
    isStoredFor(profile),
    isStoredFor(nearby),
  ];
  const key = keys.find((place) => place?.apiKey);
  return { url, urlFrom: address?.from ?? 'the default', apiKey: key?.apiKey?.trim(), keyFrom: key?.from };
}

/** A place that may hold an address, a key, or both. */
interface Place {
  readonly url?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly from: string;
}

function namedProfile({ profileName, profiles }: Sources): { name: string; profile: Profile } | undefined {
  const name = profileName ?? profiles.current;
  if (!name) return undefined;
  const profile = profiles.profiles[name];
  if (profile) return { name, profile };
  if (!profileName) return undefined;
  const names = Object.keys(profiles.profiles);
  throw new UsageError(
    `There is no profile ${name}.`,
    names.length > 0 ? `There are: ${names.join(', ')}.` : `Create it with: gleaner login --profile ${name}`,
  );
}

function isSameAddress(one: string, other: string): boolean {
  try {
    return new URL(one).href === new URL(other).href;
  } catch {
    return false;
  }
}

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folders: readonly string[];
  readonly terminal: Pick<Terminal, 'stdin'>;
}

/** Finds address and key. Throws when there is no key for the address. */
export async function readSettings(options: ServiceOptions, surroundings: Surroundings): Promise<Settings> {
  const { stack, leftOut, ...settings } = await findSettings(options, surroundings);
  if (settings.apiKey) return settings;
  if (stack && !stack.url && settings.urlFrom === 'the default') {
    throw new CommandError(`The Gleaner of ${stack.folder} is not running.`, {
      suggestion: 'Start it with npm start, or name another service with --url and GLEANER_API_KEY.',
    });
  }
  throw new CommandError(`No API key is known for ${settings.url}.`, {
    suggestion: [
      'Log in with: gleaner login, or set GLEANER_API_KEY, or give --key-file.',
      ...leftOut.map((folder) => `${folder} was left out: it is not yours, or others may write to it.`),
    ].join('\n'),
    exit: 'key',
  });
}

/** Finds the address, the key if there is one, and the stack nearby. */
export async function findSettings(
  { url, keyFile, profile }: ServiceOptions,
  { env, folders, terminal }: Surroundings,
): Promise<Settings & { readonly stack: NearbyStack | undefined; readonly leftOut: readonly string[] }> {
  const leftOut: string[] = [];
  const stack = findStack(folders, env.GLEANER_DATA_DIR, (folder) => leftOut.push(folder));
  const settings = resolveSettings({
    flags: { url, apiKey: keyFile === undefined ? undefined : await readKey(keyFile, terminal) },
    env: { url: env.GLEANER_URL, apiKey: env.GLEANER_API_KEY },
    profileName: profile ?? env.GLEANER_PROFILE,
    profiles: readProfiles(env),
    stack,
  });
  return { ...settings, stack, leftOut };
}

/** Reads a key from a file, or from the standard input for `-`. */
export async function readKey(file: string, terminal: Pick<Terminal, 'stdin'>): Promise<string> {
  try {
    const key = (file === '-' ? await text(terminal.stdin) : readFileSync(file, 'utf8')).trim();
    if (key) return key;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(`The key file ${file} could not be read (${code ?? message}).`, { exit: 'key' });
  }
  throw new CommandError(`The key file ${file} is empty.`, { exit: 'key' });
}
