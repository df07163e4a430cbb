import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { ProcessDefinition } from './restarted-process.ts';

/** Database of a run: its own, which may be killed, or an external one. */
export const DATABASE_KINDS = ['embedded', 'url'] as const;
export type DatabaseKind = (typeof DATABASE_KINDS)[number];

/** Returns the process of the run's own database. */
export function databaseProcess({
  dataDir,
  port,
}: {
  readonly dataDir: string;
  readonly port: number;
}): ProcessDefinition {
  return {
    name: 'database',
    entry: resolve(import.meta.dirname, 'backend-process.ts'),
    env: { BACKEND: 'database', BACKEND_DATA_DIR: join(dataDir, 'database'), BACKEND_PORT: String(port) },
    logFile: join(dataDir, 'database.log'),
    reach: 'process',
  };
}

/** Returns the address of a new database on an external server; its clients stay at the address that they are given. */
export function externalDatabase(serverUri: string): URL {
  const url = new URL(serverUri);
  url.pathname = `/gleaner_chaos_${randomBytes(6).toString('hex')}`;
  // A member of a replica set would send its clients past the proxies.
  url.searchParams.set('directConnection', 'true');
  url.searchParams.delete('replicaSet');
  return url;
}
