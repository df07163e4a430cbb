import { closest, distance } from 'fastest-levenshtein';
import type { Environment } from './read-config.ts';
import type { ConfigTable } from './setting.ts';

/** Variables that are set, are not in the table, and look like one in it that is not set. */
export function findMisspeltNames(table: ConfigTable, env: Environment): MisspeltName[] {
  const known = Object.keys(table);
  const missing = known.filter((name) => !env[name]);
  const strangers = Object.keys(env).filter((name) => !known.includes(name) && env[name]);
  return strangers.flatMap((name) => {
    const meant = missing.length > 0 ? closest(name.toUpperCase(), missing) : undefined;
    return meant && isAlike(name.toUpperCase(), meant) ? [{ name, meant }] : [];
  });
}

/** A variable's name and the setting that was probably meant. */
export interface MisspeltName {
  readonly name: string;
  readonly meant: string;
}

/** One letter in four may be wrong: MONGO_URL is alike MONGODB_URI, HOST is not alike PORT. */
function isAlike(name: string, candidate: string): boolean {
  return distance(name, candidate) <= Math.round(candidate.length / 4);
}
