import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from '../exit-codes.ts';

/** A service that was logged in to. */
export interface Profile {
  readonly url: string;
  readonly apiKey: string;
}

/** Content of the configuration file. */
export interface Profiles {
  readonly current?: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the path of the configuration file. */
export function profilesFile(env: Env): string {
  const base = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  return join(base, 'gleaner', 'config.json');
}

/** Reads the profiles; none when there is no file. Throws when the file is not one. */
export function readProfiles(env: Env): Profiles {
  const file = profilesFile(env);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return { profiles: {} };
  }
  try {
    const { current, profiles = {} } = JSON.parse(text) as Partial<Profiles>;
    return { current, profiles };
  } catch (error) {
    throw new CommandError(`${file} is not valid JSON (${(error as Error).message}).`, {
      suggestion: 'Correct the file, or remove it and log in again: gleaner login',
    });
  }
}

/** Replaces the profiles. Only their owner can read the file. */
export function writeProfiles(env: Env, profiles: Profiles): void {
  const file = profilesFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  renameSync(next, file);
}
