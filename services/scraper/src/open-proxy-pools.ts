import { type Config, fromSettings } from '@gleaner/config';
import { AppError } from '@gleaner/contracts';
import {
  createProxyPools,
  type EgressPolicy,
  type ProxyPools,
  type ProxyUse,
  readProxies,
} from '@gleaner/egress';
import type { Logger, Metrics } from '@gleaner/service-kit';
import type { SCRAPER_SETTINGS } from './config.ts';

/** Dependencies of `openProxyPools`. */
export interface OpenPoolsDeps {
  readonly config: Pick<Config<typeof SCRAPER_SETTINGS>, 'PROXIES' | 'PROXIES_FILE'>;
  readonly policy: EgressPolicy;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Opens the configured proxies of every country and reports their health in metrics and log, by name (`us-2`). Throws when
 * the configuration is invalid.
 */
export function openProxyPools({ config, policy, logger, metrics }: OpenPoolsDeps): ProxyPools {
  const uses = metrics.counter({
    name: 'proxy_uses_total',
    help: 'Uses of each proxy by verdict: carried (a response came through), failed, doubtful, unknown.',
    labelNames: ['proxy', 'verdict'],
  });
  const onUse = (use: ProxyUse) => {
    uses.inc({ proxy: use.name, verdict: use.verdict });
    logRest(use, logger);
  };
  const proxies = fromSettings(() => readProxies(config, policy));
  const pools = createProxyPools({ proxies, policy, onUse });
  metrics.gauge({
    name: 'proxy_ready',
    help: 'State of each proxy: ready (1), or resting after failures (0).',
    labelNames: ['proxy', 'country'],
    collect() {
      for (const { name, country, isResting } of pools.states())
        this.set({ proxy: name, country }, isResting ? 0 : 1);
    },
  });
  return pools;
}

function logRest({ name, restMs, error }: ProxyUse, logger: Logger): void {
  if (restMs === undefined) return;
  logger.warn({ proxy: name, restMs, err: withoutUrl(error) }, 'A proxy failed and rests for a while.');
}

/** Returns an error of a proxy itself, or else the cause: the message of an error of a page quotes its URL, which may hold a key. */
function withoutUrl(error: unknown): unknown {
  return error instanceof AppError && error.code !== 'PROXY_ERROR' ? error.cause : error;
}
