import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { checkDocuments, type Database } from '../src/index.ts';
import type { Backend, RunningBackend } from './backends.ts';

/**
 * Starts a backend before the tests of the surrounding suite, passes its database to `prepare`, and stops it after
 * them. Checks every stored document against its schema after each test. `connect` acts as another replica of a service.
 */
export function useBackend(
  start: Backend['start'],
  prepare: (database: Database, backend: RunningBackend) => Promise<void> | void,
): Pick<RunningBackend, 'connect'> {
  let backend: RunningBackend;
  let database: Database;
  beforeAll(async () => {
    backend = await start();
    database = await backend.connect();
    await prepare(database, backend);
  });
  afterEach(() => checkDocuments(database.models));
  afterAll(() => backend.stop());
  return { connect: () => backend.connect() };
}
