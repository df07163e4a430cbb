import type { Broker } from '@gleaner/broker';
import { AccountPlaces } from '@gleaner/service-kit';
import type { RunningScrapes } from '../capacity/running-scrapes.ts';
import { type MapDeps, mapSite } from './map-site.ts';

/** Maps of one account that run in this process at once. */
const MAX_PER_ACCOUNT = 3;
/** Maps taken before they have a place, so that maps of other accounts are seen behind them. */
const MAX_WAITING = 20;

/** Dependencies of the work on maps. */
export interface ServeMapsDeps extends MapDeps {
  readonly broker: Pick<Broker, 'respond'>;
  readonly running: RunningScrapes;
}

/** Maps sites until it is stopped. A map ends when its caller disconnects. */
export function serveMaps({ broker, running, ...deps }: ServeMapsDeps) {
  const places = new AccountPlaces({ perAccount: MAX_PER_ACCOUNT });
  return broker.respond(
    'maps.commands',
    async ({ body, signal }) => {
      const endsAtMs = Date.now() + body.timeoutMs;
      using map = running.start({ id: body.requestId }, signal);
      using _place = await places.take(body.accountId, map.signal);
      return await mapSite(body, { ...deps, endsAtMs }, map.signal);
    },
    { concurrency: places.total + MAX_WAITING },
  );
}
