import { closest, distance } from 'fastest-levenshtein';
import { redact } from './redact.ts';
import type { Config, ConfigTable, Setting } from './setting.ts';
import { EXIT_CODES, StartupError } from './startup-error.ts';

/** Environment variables of a process. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the values of all settings from the environment, or takes their defaults; an empty variable counts as not set.
 * Throws one StartupError that lists every error, without the values of secrets.
 */
export function readConfig<const Table extends ConfigTable>(table: Table, env: Environment): Config<Table> {
  const readings = Object.entries(table).map(([name, setting]) => ({ name, ...read(name, setting, env) }));
  const errors = readings.flatMap(({ error }) => error ?? []);
  if (errors.length > 0) throw misconfigured(errors, table, env);
  return Object.fromEntries(readings.map(({ name, value }) => [name, value])) as Config<Table>;
}

interface Reading {
  readonly value?: unknown;
  readonly error?: string;
}

function read(name: string, setting: Setting<unknown>, env: Environment): Reading {
  const text = env[name]?.trim();
  if (!text) {
    return 'default' in setting
      ? { value: setting.default }
      : { error: describe(name, 'is not set', setting) };
  }
  const value = setting.type.parse(text);
  if (value !== undefined) return { value };
  return {
    error: describe(
      name,
      setting.isSecret ? 'is wrong (its value is a secret)' : `is ${quote(text)}`,
      setting,
    ),
  };
}

function describe(name: string, problem: string, { type }: Setting<unknown>): string {
  return `${name} ${problem}: expected ${type.expected}; for example ${name}=${type.example}`;
}

const MAX_QUOTED_LENGTH = 100;

function quote(text: string): string {
  const shown = redact(text);
  return JSON.stringify(shown.length > MAX_QUOTED_LENGTH ? `${shown.slice(0, MAX_QUOTED_LENGTH)}…` : shown);
}

function misconfigured(errors: readonly string[], table: ConfigTable, env: Environment): StartupError {
  const hints = findMisspelledNames(table, env).map(
    ({ name, meant }) => `${name} is set: did you mean ${meant}?`,
  );
  const count = errors.length === 1 ? '1 setting is wrong' : `${errors.length} settings are wrong`;
  return new StartupError([`${count}:`, ...errors, ...hints].join('\n  '), {
    suggestion: 'Correct the environment variables named above; --help lists all settings.',
    exitCode: EXIT_CODES.misconfigured,
  });
}

/** Finds variables that are set, are not in the table, and resemble one in it that is not set. */
export function findMisspelledNames(table: ConfigTable, env: Environment): MisspelledName[] {
  const known = Object.keys(table);
  const missing = known.filter((name) => !env[name]);
  const unknown = Object.keys(env).filter((name) => !known.includes(name) && env[name]);
  return unknown.flatMap((name) => {
    const meant = missing.length > 0 ? closest(name.toUpperCase(), missing) : undefined;
    return meant && isSimilar(name.toUpperCase(), meant) ? [{ name, meant }] : [];
  });
}

/** Name of a variable, and the setting that was probably meant. */
interface MisspelledName {
  readonly name: string;
  readonly meant: string;
}

/**
 * Accepts one wrong letter in four: MONGO_URL resembles MONGODB_URI, HOST does not resemble PORT. A name with one more word in
 * front is the setting of another service: RUN_RETRY_DELAY_MS is not RETRY_DELAY_MS.
 */
function isSimilar(name: string, candidate: string): boolean {
  if (candidate.endsWith(`_${name}`) || name.endsWith(`_${candidate}`)) return false;
  return distance(name, candidate) <= Math.round(candidate.length / 4);
}

/** Returns the environment variables of this process; the only place that reads them. */
export function processEnv(): Environment {
  return process.env;
}
