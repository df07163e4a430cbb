import { type AttemptReport, afterAttempt, allowance, type BreakerState, HEALTHY } from './breaker.ts';
import { type EndpointHealth, fitsInMemory, hasRoom, weightOf } from './room.ts';

/** Permission for one attempt at an endpoint; return it with a report if the attempt was made. */
export interface Pass {
  leave(report?: AttemptReport): void;
}

/** Limits on attempts at once. */
export interface GateRules {
  /** In all. */
  readonly places: number;
  /** At one endpoint. */
  readonly perEndpoint: number;
}

/** A request for one attempt. */
export interface EntryRequest {
  /** Identifies the endpoint. */
  readonly key: string;
  readonly bodyBytes: number;
}

interface Endpoint {
  inFlight: number;
  breaker: BreakerState;
  health: EndpointHealth;
}

/** Idle endpoints that are remembered. */
const MAX_REMEMBERED = 10_000;

/**
 * Limits the deliveries to each endpoint at once, more strictly for one that fails, and keeps places free for healthy and
 * new endpoints. Its state is this process's own.
 */
export class EndpointGate {
  readonly #rules: GateRules;
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #taken: Record<EndpointHealth, number> = { proven: 0, unknown: 0, failing: 0 };
  #heldBytes = 0;

  constructor(rules: GateRules) {
    this.#rules = rules;
  }

  /** Returns permission for one attempt, or undefined while there is no room. */
  enter({ key, bodyBytes }: EntryRequest, nowMs: number): Pass | undefined {
    const { places, perEndpoint } = this.#rules;
    const endpoint = this.#endpoints.get(key) ?? { inFlight: 0, breaker: HEALTHY, health: 'unknown' };
    const { health } = endpoint;
    const weight = weightOf(bodyBytes);
    if (endpoint.inFlight >= allowance(endpoint.breaker, nowMs, perEndpoint)) return undefined;
    if (!hasRoom(health, this.#taken, places) || !fitsInMemory(weight, this.#heldBytes)) return undefined;
    endpoint.inFlight += 1;
    this.#taken[health] += 1;
    this.#heldBytes += weight;
    this.#endpoints.set(key, endpoint);
    return {
      leave: (report) => {
        this.#taken[health] -= 1;
        this.#heldBytes -= weight;
        this.#leave(key, endpoint, report);
      },
    };
  }

  #leave(key: string, endpoint: Endpoint, report: AttemptReport | undefined): void {
    endpoint.inFlight -= 1;
    if (report) {
      endpoint.breaker = afterAttempt(endpoint.breaker, report);
      endpoint.health = report.isHealthy ? 'proven' : 'failing';
    }
    if (endpoint.inFlight > 0) return;
    this.#endpoints.delete(key);
    if (endpoint.health === 'unknown') return;
    // Endpoints are kept in the order of their last attempts; the oldest is forgotten first.
    this.#endpoints.set(key, endpoint);
    if (this.#endpoints.size > MAX_REMEMBERED) this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const [key, { inFlight }] of this.#endpoints) {
      if (inFlight > 0) continue;
      this.#endpoints.delete(key);
      return;
    }
  }
}
