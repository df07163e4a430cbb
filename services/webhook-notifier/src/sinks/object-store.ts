import { Readable } from 'node:stream';
import type { SinkTarget } from '@gleaner/config';

/** A file to put into a bucket. */
export interface ObjectToPut {
  /** Name in the folder of the sink. */
  readonly key: string;
  readonly contentType: string;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Writes files into the folder of a sink. */
export interface ObjectStore extends Disposable {
  /** Writes a file, or replaces it: it is there as a whole or not at all. */
  put(object: ObjectToPut): Promise<void>;
}

/** Size of the parts in which a larger file is sent, one after the other. */
const UPLOAD_BYTES = 8 * 1024 * 1024;
const CONNECT_WITHIN_MS = 10_000;
/** Time without any byte after which a request has failed. */
const SILENT_AFTER_MS = 60_000;

/** Opens a sink. The AWS SDK is loaded here, by services that have sinks; it finds its credentials itself. */
export async function openStore(
  { bucket, prefix, region, endpoint }: SinkTarget,
  signal: AbortSignal,
): Promise<ObjectStore> {
  const [{ S3Client }, { Upload }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/lib-storage'),
  ]);
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    // Many stores that speak S3 do not know the newer checksums; the signature covers each part.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_WITHIN_MS, socketTimeout: SILENT_AFTER_MS },
  });
  return {
    async put({ key, contentType, body }) {
      signal.throwIfAborted();
      const stream = Readable.from(body);
      const upload = new Upload({
        client,
        params: { Bucket: bucket, Key: prefix + key, Body: stream, ContentType: contentType },
        partSize: UPLOAD_BYTES,
        queueSize: 1,
      });
      const abort = () => void upload.abort();
      signal.addEventListener('abort', abort, { once: true });
      try {
        await upload.done();
      } finally {
        signal.removeEventListener('abort', abort);
        stream.destroy();
      }
    },
    [Symbol.dispose]: () => client.destroy(),
  };
}

/** Describes an error of a store for the log of the delivery, without addresses of the operator. */
export function describeStoreError(error: unknown): { readonly statusCode?: number; readonly error: string } {
  const { name, code, $metadata } = Object(error) as {
    name?: unknown;
    code?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  const statusCode = $metadata?.httpStatusCode;
  if (statusCode !== undefined) {
    return { statusCode, error: `The sink answered ${statusCode}${inParentheses(name)}.` };
  }
  if (name === 'CredentialsProviderError') return { error: 'The service has no credentials for the sink.' };
  if (typeof code === 'string') return { error: `The sink could not be reached${inParentheses(code)}.` };
  return { error: `The sink could not be written${inParentheses(name)}.` };
}

function inParentheses(word: unknown): string {
  return typeof word === 'string' && /^[A-Za-z_]{1,60}$/.test(word) ? ` (${word})` : '';
}
