/** Health of an endpoint by its last attempt: it accepted the event, it failed, or there was no attempt yet. */
export type EndpointHealth = 'proven' | 'unknown' | 'failing';

/** Number of places that endpoints of each health hold. */
export type HeldPlaces = Readonly<Record<EndpointHealth, number>>;

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
