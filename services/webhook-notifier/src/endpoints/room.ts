/** What is known of an endpoint by its last try: it took it, it failed, or there was none yet. */
export type Standing = 'proven' | 'unknown' | 'failing';

/** How many places each of them may hold. */
export type Room = Readonly<Record<Standing, number>>;

/** Who knows little may hold so much of all places together with those of whom bad is known. */
const UNPROVEN_SHARE = 3 / 4;
const FAILING_SHARE = 1 / 4;

/**
 * Whether one more try may begin. A quarter of the places is for endpoints that took their last try, however many others
 * hang; and half of them, beside that, for those that are new, however many are known to fail.
 */
export function hasRoom(standing: Standing, taken: Room, places: number): boolean {
  const { proven, unknown, failing } = taken;
  if (proven + unknown + failing >= places) return false;
  if (standing === 'proven') return true;
  if (unknown + failing >= shareOf(places, UNPROVEN_SHARE)) return false;
  return standing === 'unknown' || failing < shareOf(places, FAILING_SHARE);
}

function shareOf(places: number, share: number): number {
  return Math.max(1, Math.floor(places * share));
}

/** From this size on a body counts: some thousand times as many smaller ones fit into memory. */
const LARGE_BODY_BYTES = 64 * 1024;
const MAX_LARGE_BYTES = 64 * 1024 * 1024;

/** What a body takes of the memory that there is for large ones. */
export function weightOf(bodyBytes: number): number {
  return bodyBytes > LARGE_BODY_BYTES ? bodyBytes : 0;
}

/** Whether a body of this weight may be held beside the others; a single one always. */
export function fitsInMemory(weight: number, heldBytes: number): boolean {
  return heldBytes === 0 || heldBytes + weight <= MAX_LARGE_BYTES || weight === 0;
}
