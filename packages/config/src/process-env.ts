import type { Environment } from './read-config.ts';

/** The variables of this process: the one place in the product that reads them. */
export function processEnv(): Environment {
  return process.env;
}
