import type { Attempt } from '@gleaner/contracts';
import type { ProxyChoice } from '../scrape/scrape.ts';
import type { Rung } from './ladder.ts';

/** What the choice rests on. */
export interface ProxySituation {
  readonly rung: Rung;
  /** What was tried so far. */
  readonly attempts: readonly Attempt[];
  /** The proxy that got through to the host the last time. */
  readonly lastProxy: string | undefined;
}

/** A site that refuses may let another address in, so the rung for that takes one; all others keep to theirs. */
export function chooseProxies({ rung, attempts, lastProxy }: ProxySituation): ProxyChoice {
  const tried = triedProxies(attempts);
  if (rung.needsProxy && tried.length > 0) return { except: tried };
  const last = attempts.at(-1);
  return { prefer: last ? carriedBy(last) : lastProxy, except: [] };
}

/** The proxies that a request has gone out through. */
export function triedProxies(attempts: readonly Attempt[]): readonly string[] {
  return attempts.flatMap(({ proxy }) => proxy ?? []);
}

/** The proxy through which the site itself was heard. */
function carriedBy({ proxy, outcome }: Attempt): string | undefined {
  return outcome === 'BLOCKED' ? proxy : undefined;
}
