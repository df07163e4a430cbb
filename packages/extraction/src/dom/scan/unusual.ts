/** Thrown at markup that a scan does not read. */
export class UnusualMarkupError extends Error {
  override readonly name = 'UnusualMarkupError';
}

/** Leaves the page to parse5. */
export function unusual(): never {
  throw new UnusualMarkupError('The markup needs rules that a scan does not have.');
}
