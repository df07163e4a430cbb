import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { GlobalOptions } from '../cli.ts';
import { CommandError } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { findStack, type NearbyStack } from './find-stack.ts';
import { readProfiles } from './profiles.ts';
import { resolveSettings, type Settings } from './resolve-settings.ts';

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folders: readonly string[];
  readonly terminal: Pick<Terminal, 'stdin'>;
}

/** Finds address and key. Throws when there is no key for the address. */
export async function readSettings(options: GlobalOptions, surroundings: Surroundings): Promise<Settings> {
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
  { url, keyFile, profile }: GlobalOptions,
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
