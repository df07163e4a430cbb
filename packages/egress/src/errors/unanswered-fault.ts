import { codeOf } from './code-of.ts';

/** A request ended without an answer on a connection that may be one from before, which the server has given up meanwhile. */
export class UnansweredFault extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    super('The request was not answered.', { cause });
    this.code = codeOf(cause) || 'ECONNRESET';
  }
}
