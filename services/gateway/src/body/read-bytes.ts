import type { IncomingMessage } from 'node:http';
import { AppError } from '@gleaner/contracts';

/**
 * The whole body of a request. Throws PAYLOAD_TOO_LARGE as soon as it is known to be over `maxBytes`; what still
 * comes is then dropped unread. Rejects when the caller goes away in the middle.
 */
export function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length']) > maxBytes) return Promise.reject(tooLarge(maxBytes));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      request.off('data', onData);
      request.resume();
      reject(tooLarge(maxBytes));
    };
    request.on('data', onData);
    request.once('end', () => resolve(join(chunks)));
    request.once('error', reject);
  });
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', { message: `The body is over ${maxBytes} bytes.` });
}

function join(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks);
}
