import type { Environment } from './read-config.ts';

/** Returns the environment variables of this process; the only place that reads them. */
export function processEnv(): Environment {
  return process.env;
}
