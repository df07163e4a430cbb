import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { SOCKET_TIMEOUTS_MS } from './connection-options.ts';

/** Collaborators of `keepUsable`. */
export interface KeepUsableDeps {
  /** Pings the server through the client; rejects if there is no answer in time. */
  readonly ping: () => Promise<void>;
  /** Pings the server over a separate connection; rejects if there is no answer in time. */
  readonly pingDirectly: () => Promise<void>;
  readonly pool: () => PoolWatch;
  /** Replaces the client with a new one. */
  readonly renew: () => Promise<void>;
  readonly onRenewal: (reason: string) => void;
}

const INTERVAL_MS = 10_000;
/** The same once the client seems to be stuck. */
const SUSPICIOUS_INTERVAL_MS = 2000;
/** Checks in a row with an answering server and a stuck client, after which the client will not recover by itself. */
const MAX_STRIKES = 2;
/** Longer than even the slowest operation holds a connection. */
const MAX_LOAN_MS = SOCKET_TIMEOUTS_MS.operations * 2;

/**
 * Checks the client at intervals and replaces it when it is stuck although the server answers. The driver never
 * gets back a connection that is closed while an operation waits for room in its socket, so stalls drain the pool
 * permanently. Returns a function that stops the checks.
 */
export function keepUsable(deps: KeepUsableDeps): () => void {
  const stopping = new AbortController();
  run(deps, stopping.signal).catch((error: unknown) => {
    deps.onRenewal(`checking it failed: ${String(error)}`);
  });
  return () => stopping.abort();
}

async function run(deps: KeepUsableDeps, signal: AbortSignal): Promise<void> {
  let strikes = 0;
  for (;;) {
    const intervalMs = strikes > 0 ? SUSPICIOUS_INTERVAL_MS : INTERVAL_MS;
    await delay(intervalMs, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    const isSilent = !(await succeeds(deps.ping));
    const isDrained = deps.pool().longestLoanMs() > MAX_LOAN_MS;
    const isStuck = (isSilent || isDrained) && (await succeeds(deps.pingDirectly));
    strikes = isStuck ? strikes + 1 : 0;
    if (strikes < MAX_STRIKES || signal.aborted) continue;
    deps.onRenewal(
      isSilent ? 'it does not answer although the server does' : 'its pool has lost connections',
    );
    if (await succeeds(deps.renew)) strikes = 0;
  }
}

async function succeeds(act: () => Promise<void>): Promise<boolean> {
  return await act().then(
    () => true,
    () => false,
  );
}

/** View of the loans of a connection pool. */
interface PoolWatch {
  /** Returns for how long the connection that was lent first has been out, in milliseconds. */
  longestLoanMs(): number;
}

/** Tracks which connections of a client's pool are lent to operations, until the client closes. */
export function watchPool(connection: Connection): PoolWatch {
  const lentAtMs = new Map<string, number>();
  const client = connection.getClient();
  client.on('connectionCheckedOut', ({ connectionId }) =>
    lentAtMs.set(String(connectionId), performance.now()),
  );
  client.on('connectionCheckedIn', ({ connectionId }) => lentAtMs.delete(String(connectionId)));
  return {
    longestLoanMs() {
      const [oldest] = lentAtMs.values();
      return oldest === undefined ? 0 : performance.now() - oldest;
    },
  };
}

/** Pool of the driver, as far as its checks go. */
export interface DriverPool {
  readonly options: { readonly minPoolSize: number; readonly maxIdleTimeMS: number };
  readonly minPoolSizeTimer?: NodeJS.Timeout;
  ensureMinPoolSize(): void;
}

/** Returns the pools of a client, one for each server. */
export function poolsOf(connection: Connection): DriverPool[] {
  const { topology } = connection.getClient() as unknown as {
    readonly topology?: {
      readonly s: { readonly servers: ReadonlyMap<string, { readonly pool: DriverPool }> };
    };
  };
  return [...(topology?.s.servers.values() ?? [])].map(({ pool }) => pool);
}

/**
 * Ends the checks that the driver makes ten times a second, of a pool that keeps no number of connections and closes no idle ones:
 * they have nothing to do there, and no option changes their interval (docs/decisions/patches.md).
 */
export function endPoolChecks(connection: Connection): void {
  const end = () => {
    for (const pool of poolsOf(connection)) {
      const { minPoolSize, maxIdleTimeMS } = pool.options;
      if (minPoolSize === 0 && maxIdleTimeMS === 0) pool.ensureMinPoolSize = () => {};
    }
  };
  connection.getClient().on('connectionPoolReady', end);
  end();
}
