import { closest, distance } from 'fastest-levenshtein';
import type { Environment } from './read-config.ts';
import type { ConfigTable } from './setting.ts';

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
export interface MisspelledName {
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
