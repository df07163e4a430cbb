import { setTimeout as delay } from 'node:timers/promises';
import { SOCKET_TIMEOUTS_MS } from './connection-options.ts';
import type { PoolWatch } from './watch-pool.ts';

/** What keeping a client usable takes. */
export interface KeepUsableDeps {
  /** Asks the server through the client; rejects when there is no answer in time. */
  readonly ask: () => Promise<void>;
  /** Asks the server past the client, over a connection of its own; rejects alike. */
  readonly askDirectly: () => Promise<void>;
  readonly pool: () => PoolWatch;
  /** Replaces the client by a new one. */
  readonly renew: () => Promise<void>;
  readonly onRenewal: (reason: string) => void;
}

const INTERVAL_MS = 2000;
/** So often in a row the server answers and the client does not: it will not come back by itself. */
const MAX_STRIKES = 2;
/** No operation holds a connection for longer, the slowest included. */
const MAX_LOAN_MS = SOCKET_TIMEOUTS_MS.operations * 2;

/**
 * Looks at intervals whether the client can still be used, and renews it when it cannot although the server answers.
 * The driver never gets a connection back that is closed while an operation waits for room in its socket, so stalls
 * empty the pool for good. Returns what ends it.
 */
export function keepUsable(deps: KeepUsableDeps): () => void {
  const stopping = new AbortController();
  void run(deps, stopping.signal);
  return () => stopping.abort();
}

async function run(deps: KeepUsableDeps, signal: AbortSignal): Promise<void> {
  let strikes = 0;
  for (;;) {
    await delay(INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    const isSilent = !(await succeeds(deps.ask));
    const isDrained = deps.pool().longestLoanMs() > MAX_LOAN_MS;
    const isFault = (isSilent || isDrained) && (await succeeds(deps.askDirectly));
    strikes = isFault ? strikes + 1 : 0;
    if (strikes < MAX_STRIKES || signal.aborted) continue;
    deps.onRenewal(isSilent ? 'it does not answer, and the server does' : 'its pool has lost connections');
    if (await succeeds(deps.renew)) strikes = 0;
  }
}

async function succeeds(act: () => Promise<void>): Promise<boolean> {
  return await act().then(
    () => true,
    () => false,
  );
}
