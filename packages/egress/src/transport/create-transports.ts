import type { Route } from '../route/route.ts';
import { createTransport, type Transport, type TransportDeps } from './create-transport.ts';

/** One transport for each route, so that a connection through one proxy never serves a request through another. */
export interface Transports {
  /** The transport over a route; routes are few and live as long as this does. */
  over(route: Route): Transport;
  /** Closes what is idle on all of them. */
  close(): void;
}

/** Builds none yet. */
export function createTransports(deps: Omit<TransportDeps, 'route'>): Transports {
  const transports = new Map<Route, Transport>();
  return {
    over(route) {
      const known = transports.get(route);
      if (known) return known;
      const made = createTransport({ ...deps, route });
      transports.set(route, made);
      return made;
    },
    close() {
      for (const transport of transports.values()) transport.close();
    },
  };
}
