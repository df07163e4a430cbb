import { type Config, fromSettings } from '@gleaner/config';
import {
  createProxyPools,
  type EgressPolicy,
  type ProxyPools,
  type ProxyUse,
  readProxies,
} from '@gleaner/egress';
import type { Logger, Metrics } from '@gleaner/service-kit';
import type { SCRAPER_SETTINGS } from '../config.ts';

/** What opening the pools takes. */
export interface OpenPoolsDeps {
  readonly config: Pick<Config<typeof SCRAPER_SETTINGS>, 'PROXIES' | 'PROXIES_FILE'>;
  readonly policy: EgressPolicy;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * The proxies of every country as they are configured, their health in metrics and log, always by name (`us-2`). Throws when
 * they are not configured well.
 */
export function openProxyPools({ config, policy, logger, metrics }: OpenPoolsDeps): ProxyPools {
  const uses = metrics.counter({
    name: 'proxy_uses_total',
    help: 'Uses of each proxy by what they say of it: carried (an answer came through), failed, doubtful, unknown.',
    labelNames: ['proxy', 'verdict'],
  });
  const onUse = (use: ProxyUse) => {
    uses.inc({ proxy: use.name, verdict: use.verdict });
    tell(use, logger);
  };
  const proxies = fromSettings(() => readProxies(config, policy));
  const pools = createProxyPools({ proxies, policy, onUse });
  metrics.gauge({
    name: 'proxy_ready',
    help: 'Whether each proxy is ready (1), or rests after failures (0).',
    labelNames: ['proxy', 'country'],
    collect() {
      for (const { name, country, isResting } of pools.states())
        this.set({ proxy: name, country }, isResting ? 0 : 1);
    },
  });
  return pools;
}

function tell({ name, restMs, error }: ProxyUse, logger: Logger): void {
  if (restMs === undefined) return;
  logger.warn({ proxy: name, restMs, err: error }, 'A proxy failed and rests for a while.');
}
