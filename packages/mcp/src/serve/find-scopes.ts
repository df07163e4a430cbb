import { type Gleaner, GleanerError } from '@gleaner/client';

/** Time in which the service has to answer before its scopes count as unknown. */
const WITHIN_MS = 5000;

/** Returns the scopes of the key; undefined when the service is away. Throws UNAUTHORIZED when it does not know the key. */
export async function findScopes(gleaner: Gleaner): Promise<readonly string[] | undefined> {
  try {
    return (await gleaner.keys.current({ timeoutMs: WITHIN_MS, maxRetries: 0 })).scopes;
  } catch (error) {
    if (error instanceof GleanerError && error.code === 'UNAUTHORIZED') throw error;
    return undefined;
  }
}
