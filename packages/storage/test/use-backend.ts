import { afterAll, beforeAll } from '@jest/globals';
import type { Database } from '../src/index.ts';
import type { Backend, RunningBackend } from './backends.ts';

/**
 * Starts a backend before the tests of the suite around, whose database it hands over, and stops it after them. While
 * they run, `connect` makes one more replica of a service.
 */
export function useBackend(
  start: Backend['start'],
  prepare: (database: Database, backend: RunningBackend) => Promise<void> | void,
): Pick<RunningBackend, 'connect'> {
  let backend: RunningBackend;
  beforeAll(async () => {
    backend = await start();
    await prepare(await backend.connect(), backend);
  });
  afterAll(() => backend.stop());
  return { connect: () => backend.connect() };
}
