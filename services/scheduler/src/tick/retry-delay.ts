const LONGEST_MS = 300_000;

/** How long to wait after so many tries: the first delay, doubled with each further try, at most 5 minutes. */
export function retryDelayMsAfter(tries: number, firstDelayMs: number): number {
  return Math.min(firstDelayMs * 2 ** (tries - 1), LONGEST_MS);
}
