/** A request on its way from one form to another. It is in memory alone, since it may hold headers and cookies. */
let request: Readonly<Record<string, unknown>> | undefined;

/** Keeps a request for the next form. */
export function handOver(next: Readonly<Record<string, unknown>>): void {
  request = next;
}

/** Returns the request that was handed over, once. */
export function takeOver(): Readonly<Record<string, unknown>> | undefined {
  const taken = request;
  request = undefined;
  return taken;
}
