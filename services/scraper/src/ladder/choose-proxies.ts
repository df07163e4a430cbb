import type { Attempt } from '@gleaner/contracts';
import type { ProxyChoice } from '../scrape/scrape.ts';
import type { Rung } from './ladder.ts';

/** Facts for the choice of proxies. */
export interface ProxySituation {
  readonly rung: Rung;
  /** Attempts so far. */
  readonly attempts: readonly Attempt[];
  /** The proxy that reached the host the last time. */
  readonly lastProxy: string | undefined;
}

/** Chooses another proxy on the rung for that, since the site may accept another address; keeps the same one otherwise. */
export function chooseProxies({ rung, attempts, lastProxy }: ProxySituation): ProxyChoice {
  const tried = triedProxies(attempts);
  if (rung.needsProxy && tried.length > 0) return { except: tried };
  const last = attempts.at(-1);
  return { prefer: last ? workingProxyOf(last) : lastProxy, except: [] };
}

/** Returns the proxies that a request has used. */
export function triedProxies(attempts: readonly Attempt[]): readonly string[] {
  return attempts.flatMap(({ proxy }) => proxy ?? []);
}

/** Returns the attempt's proxy if the site itself answered through it. */
function workingProxyOf({ proxy, outcome }: Attempt): string | undefined {
  return outcome === 'BLOCKED' ? proxy : undefined;
}
