import type { IncomingMessage } from 'node:http';
import { AppError } from '@gleaner/contracts';

/** Bodies up to this size are read at once; larger ones reserve their bytes first. */
export const SMALL_BODY_BYTES = 64 * 1024;

/**
 * Reads the whole body of a request. A large one is reserved first: its Content-Length, or `maxBytes` where the length is not
 * known. Throws PAYLOAD_TOO_LARGE as soon as the body is known to exceed `maxBytes`; the rest is then dropped unread. Rejects
 * when the client disconnects.
 */
export async function readBytes(
  request: IncomingMessage,
  maxBytes: number,
  reserve: (bytes: number) => Promise<void>,
): Promise<Buffer<ArrayBuffer>> {
  const declaredBytes = Number(request.headers['content-length'] ?? Number.NaN);
  if (declaredBytes > maxBytes) throw tooLarge(maxBytes);
  if (declaredBytes > SMALL_BODY_BYTES) await reserve(declaredBytes);
  return await new Promise((resolve, reject) => {
    const chunks: Buffer<ArrayBuffer>[] = [];
    // Copies end the life of the chunks at once; kept until the end, they would pile up for the next full collection.
    const whole = declaredBytes > SMALL_BODY_BYTES ? Buffer.allocUnsafeSlow(declaredBytes) : undefined;
    let size = 0;
    let isReserved = declaredBytes <= maxBytes;
    const onData = (chunk: Buffer<ArrayBuffer>) => {
      size += chunk.length;
      if (size > maxBytes) {
        request.off('data', onData);
        request.resume();
        reject(tooLarge(maxBytes));
        return;
      }
      if (whole) chunk.copy(whole, size - chunk.length);
      else chunks.push(chunk);
      if (isReserved || size <= SMALL_BODY_BYTES) return;
      isReserved = true;
      request.pause();
      reserve(maxBytes).then(() => request.resume(), reject);
    };
    request.on('data', onData);
    request.once('end', () => resolve(whole ?? join(chunks)));
    request.once('error', reject);
  });
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', { message: `The body is over ${maxBytes} bytes.` });
}

function join(chunks: readonly Buffer<ArrayBuffer>[]): Buffer<ArrayBuffer> {
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks);
}
