import { afterTry, allowance, type BreakerState, HEALTHY, type TryReport } from './breaker.ts';
import { fitsInMemory, hasRoom, type Standing, weightOf } from './room.ts';

/** Leave to send to an endpoint; to be given back with what the try says of it, if it was made. */
export interface Pass {
  leave(report?: TryReport): void;
}

/** How many tries there may be at once. */
export interface GateRules {
  /** In all. */
  readonly places: number;
  /** At one endpoint. */
  readonly perEndpoint: number;
}

/** Who wants to be let through, and with how much. */
export interface Entrant {
  /** Which endpoint it is for. */
  readonly key: string;
  readonly bodyBytes: number;
}

interface Endpoint {
  inFlight: number;
  breaker: BreakerState;
  standing: Standing;
}

/** Endpoints that are remembered while nothing is sent to them. */
const MAX_REMEMBERED = 10_000;

/**
 * Lets only so many deliveries to each endpoint through at once, fewer to one that fails, and never so many to endpoints
 * that fail or were not heard of that there is no place for the others. What it knows is this process's own.
 */
export class EndpointGate {
  readonly #rules: GateRules;
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #taken: Record<Standing, number> = { proven: 0, unknown: 0, failing: 0 };
  #heldBytes = 0;

  constructor(rules: GateRules) {
    this.#rules = rules;
  }

  /** Leave to send to the endpoint, or undefined while there is no room. */
  enter({ key, bodyBytes }: Entrant, nowMs: number): Pass | undefined {
    const { places, perEndpoint } = this.#rules;
    const endpoint = this.#endpoints.get(key) ?? { inFlight: 0, breaker: HEALTHY, standing: 'unknown' };
    const { standing } = endpoint;
    const weight = weightOf(bodyBytes);
    if (endpoint.inFlight >= allowance(endpoint.breaker, nowMs, perEndpoint)) return undefined;
    if (!hasRoom(standing, this.#taken, places) || !fitsInMemory(weight, this.#heldBytes)) return undefined;
    endpoint.inFlight += 1;
    this.#taken[standing] += 1;
    this.#heldBytes += weight;
    this.#endpoints.set(key, endpoint);
    return {
      leave: (report) => {
        this.#taken[standing] -= 1;
        this.#heldBytes -= weight;
        this.#leave(key, endpoint, report);
      },
    };
  }

  #leave(key: string, endpoint: Endpoint, report: TryReport | undefined): void {
    endpoint.inFlight -= 1;
    if (report) {
      endpoint.breaker = afterTry(endpoint.breaker, report);
      endpoint.standing = report.isHealthy ? 'proven' : 'failing';
    }
    if (endpoint.inFlight > 0) return;
    this.#endpoints.delete(key);
    if (endpoint.standing === 'unknown') return;
    // Again at the end: the endpoints stand in the order of their last tries, and the oldest is forgotten first.
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
