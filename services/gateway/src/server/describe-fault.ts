import { AppError } from '@gleaner/contracts';

/** What Node's HTTP parser or its timers say went wrong; `code` is HPE_… or ERR_HTTP_…. */
export interface ConnectionFault extends Error {
  readonly code?: string;
  readonly reason?: string;
}

/** What the caller is told of a request that never became one. */
export function describeFault({ code = '', reason }: ConnectionFault): AppError {
  return ERRORS[code]?.() ?? broken(reason);
}

const ERRORS: Record<string, () => AppError> = {
  HPE_HEADER_OVERFLOW: () =>
    new AppError('PAYLOAD_TOO_LARGE', {
      message: 'The header section is over 16 KiB.',
      suggestion: 'Send fewer or shorter headers, and a shorter URL.',
    }),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () =>
    new AppError('PAYLOAD_TOO_LARGE', {
      message: 'The chunk extensions are over 16 KiB.',
      suggestion: 'Send the body without chunk extensions.',
    }),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new AppError('TIMEOUT', {
      source: 'api',
      message: 'The request did not arrive whole in time.',
      suggestion: 'Send headers and body without pausing.',
    }),
};

function broken(reason: string | undefined): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `The request is not valid HTTP/1.1${reason ? `: ${reason}` : ''}.`,
    suggestion: 'Check what is sent with another HTTP client.',
  });
}
