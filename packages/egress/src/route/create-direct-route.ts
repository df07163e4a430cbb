import { connect, type LookupFunction, type Socket } from 'node:net';
import { afterSilence } from '@gleaner/contracts';
import type { EgressPolicy } from '../policy/create-egress-policy.ts';
import type { CheckedAddress, Lookup } from './create-lookup.ts';
import type { Route, Target } from './route.ts';

/** Dependencies and settings of the direct route. */
export interface DirectRouteDeps {
  readonly policy: EgressPolicy;
  readonly lookup: Lookup;
  /** Longest time for the TCP handshakes with all of a host's addresses together; default 10 000. */
  readonly connectTimeoutMs?: number;
}

/** Node gives up an address before it connects to the next, so distant ones need more than its default of 250 ms. */
const ATTEMPT_TIMEOUT_MS = 2_500;

/**
 * Creates the route directly to the target: resolves it once, connects only to checked addresses (of both families; the
 * first to respond wins), and checks the remote address again once connected.
 */
export function createDirectRoute({ policy, lookup, connectTimeoutMs = 10_000 }: DirectRouteDeps): Route {
  return async (target, { signal, clock }) => {
    clock.enter('dns');
    const addresses = await lookup(target.host, target.port, signal);
    clock.enter('connect');
    const socket = await connectToAny(target, addresses, { signal, connectTimeoutMs });
    try {
      policy.checkAddress(socket.remoteAddress ?? '', target.host, target.port);
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
}

function connectToAny(
  target: Target,
  addresses: CheckedAddress[],
  { signal, connectTimeoutMs }: { readonly signal: AbortSignal; readonly connectTimeoutMs: number },
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: target.host,
      port: target.port,
      lookup: pinnedLookup(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
      noDelay: true,
      keepAlive: true,
    });
    const onAbort = () => socket.destroy(signal.reason);
    const stopWaiting = afterSilence(connectTimeoutMs, () => {
      socket.destroy(Object.assign(new Error('connecting timed out'), { code: 'ETIMEDOUT' }));
    });
    const settle = () => {
      stopWaiting();
      signal.removeEventListener('abort', onAbort);
      socket.off('error', fail);
    };
    const fail = (error: Error) => {
      settle();
      reject(error);
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      settle();
      resolve(socket.on('error', ignore));
    });
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Returns a lookup for node that always gives the checked addresses. */
function pinnedLookup(addresses: CheckedAddress[]): LookupFunction {
  return (_host, _options, callback) => callback(null, addresses);
}

/** Handles errors until the socket has an owner, which sees them too; without a listener they would end the process. */
function ignore(): void {}
