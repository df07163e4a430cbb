/** Returns the `code` of an error of node; '' for everything else. Checks the shape, because errors cross realms. */
export function codeOf(thrown: unknown): string {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** A request without a response on a connection that was kept from an earlier one, which the server may have closed since. */
export class UnansweredError extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    super('The request got no response.', { cause });
    this.code = codeOf(cause) || 'ECONNRESET';
  }
}
