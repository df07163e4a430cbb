import type { Counter, Histogram, Metrics } from '@gleaner/service-kit';
import type { Connections } from './server/connections.ts';

/** Metrics that the gateway counts itself. */
export interface GatewayMetrics {
  readonly requests: Counter<'route' | 'method' | 'status' | 'code'>;
  readonly durations: Histogram<'route'>;
}

/** Declares the gateway's own metrics. */
export function createGatewayMetrics(metrics: Metrics, connections: Connections): GatewayMetrics {
  metrics.gauge({
    name: 'http_requests_in_flight',
    help: 'Calls without a complete response.',
    collect() {
      this.set(connections.callsInFlight);
    },
  });
  return {
    requests: metrics.counter({
      name: 'http_requests_total',
      help: 'Calls by route (none: unknown route), method, HTTP status (aborted: the client disconnected) and error code.',
      labelNames: ['route', 'method', 'status', 'code'],
    }),
    durations: metrics.histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the arrival of a call to the end of its response, by route.',
      labelNames: ['route'],
    }),
  };
}
