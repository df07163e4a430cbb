import { type Backoff, backoffMs } from '@gleaner/contracts';

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

/** Health of an endpoint by its last attempt: it accepted the event, it failed, or there was no attempt yet. */
type EndpointHealth = 'proven' | 'unknown' | 'failing';

/** Number of places that endpoints of each health hold. */
type HeldPlaces = Readonly<Record<EndpointHealth, number>>;

/** Share of all places that unknown and failing endpoints may hold together. */
const UNPROVEN_SHARE = 3 / 4;
/** Share of all places that failing endpoints may hold. */
const FAILING_SHARE = 1 / 4;

/**
 * Returns whether one more attempt may start. A quarter of the places is reserved for endpoints that accepted their last
 * event, however many others hang, and another half for new endpoints, however many are failing.
 */
export function hasRoom(health: EndpointHealth, held: HeldPlaces, places: number): boolean {
  const { proven, unknown, failing } = held;
  if (proven + unknown + failing >= places) return false;
  if (health === 'proven') return true;
  if (unknown + failing >= shareOf(places, UNPROVEN_SHARE)) return false;
  return health === 'unknown' || failing < shareOf(places, FAILING_SHARE);
}

function shareOf(places: number, share: number): number {
  return Math.max(1, Math.floor(places * share));
}

/** Smaller bodies do not count: thousands of them fit into memory. */
const LARGE_BODY_BYTES = 64 * 1024;
const MAX_LARGE_BYTES = 64 * 1024 * 1024;

/** Returns the size that a body counts with against the memory for large bodies. */
export function weightOf(bodyBytes: number): number {
  return bodyBytes > LARGE_BODY_BYTES ? bodyBytes : 0;
}

/** Returns whether a body of this weight fits beside those in memory; a single body always does. */
export function fitsInMemory(weight: number, heldBytes: number): boolean {
  return heldBytes === 0 || heldBytes + weight <= MAX_LARGE_BYTES || weight === 0;
}

/** Failures of an endpoint in a row, and the end of its pause. */
interface BreakerState {
  readonly failures: number;
  readonly pausedUntilMs: number;
}

/** State of an endpoint without recent failures. */
export const HEALTHY: BreakerState = { failures: 0, pausedUntilMs: 0 };

/** Failures in a row after which an endpoint is paused. */
const THRESHOLD = 5;
const MAX_PAUSE_MS = 60_000;
const PAUSE: Backoff = { firstMs: 1000, longestMs: MAX_PAUSE_MS, jitter: 'none' };

/** Returns the state after an attempt: success forgets all failures, further failures lengthen the pause. */
export function afterAttempt(
  state: BreakerState,
  { isHealthy, retryAfterMs, nowMs }: AttemptReport,
): BreakerState {
  if (isHealthy) return HEALTHY;
  const failures = state.failures + 1;
  const askedMs = Math.min(retryAfterMs, MAX_PAUSE_MS);
  const ownMs = failures < THRESHOLD ? 0 : backoffMs(PAUSE, failures - THRESHOLD);
  return { failures, pausedUntilMs: nowMs + Math.max(askedMs, ownMs) };
}

/** Health of an endpoint as one attempt showed it. */
export interface AttemptReport {
  readonly isHealthy: boolean;
  /** Its Retry-After. */
  readonly retryAfterMs: number;
  readonly nowMs: number;
}

/** Returns the attempts that an endpoint may have at once: none in a pause, one to probe it after that, else all. */
export function allowance({ failures, pausedUntilMs }: BreakerState, nowMs: number, usual: number): number {
  if (nowMs < pausedUntilMs) return 0;
  return failures >= THRESHOLD ? 1 : usual;
}
