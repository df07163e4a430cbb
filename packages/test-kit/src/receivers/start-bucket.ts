import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request to a bucket. */
export interface BucketRequest {
  readonly kind: 'put' | 'begin' | 'part' | 'complete' | 'abort' | 'get';
  readonly key: string;
}

/** Failure of the store: an error of S3, or a connection that ends. */
export type BucketFault = { readonly status: number; readonly code: string } | 'reset';

/** A bucket with its objects, on loopback. */
export interface Bucket extends AsyncDisposable {
  /** Address of the store; the bucket is the first part of the path of a request. */
  readonly url: string;
  /** The objects by bucket and key, as in `lake/a/part-00000.parquet`. */
  readonly objects: ReadonlyMap<string, Buffer>;
  /** The keys in the order in which their objects were written. */
  readonly written: readonly string[];
  /** Uploads that have begun, and were neither completed nor aborted. */
  readonly openUploads: number;
  /** Decides about requests before they take effect; may take its time. */
  answerWith(
    fault: (request: BucketRequest) => Promise<BucketFault | undefined> | BucketFault | undefined,
  ): void;
}

/** Starts an object store that speaks as much of S3 as uploads need, and checks the hash of every body. */
export async function startBucket(): Promise<Bucket> {
  const store = new ObjectStore();
  const server = createServer((request, response) => {
    store.answer(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: store.objects,
    written: store.written,
    get openUploads() {
      return store.uploads.size;
    },
    answerWith(fault) {
      store.fault = fault;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

class ObjectStore {
  readonly objects = new Map<string, Buffer>();
  readonly written: string[] = [];
  readonly uploads = new Map<string, Map<number, Buffer>>();
  fault: Parameters<Bucket['answerWith']>[0] = () => undefined;

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://bucket');
    const key = decodeURIComponent(url.pathname.slice(1));
    const kind = kindOf(request.method, url.searchParams);
    const body = await buffer(request);
    const isSound = isSigned(request) && (body.length === 0 || hasHash(request, body));
    const fault = isSound ? await this.fault({ kind, key }) : { status: 403, code: 'SignatureDoesNotMatch' };
    if (fault === 'reset') return void request.socket.destroy();
    if (fault) return void send(response, fault.status, `<Error><Code>${fault.code}</Code></Error>`);
    this.#take(kind, key, url.searchParams, body, response);
  }

  #take(
    kind: BucketRequest['kind'],
    key: string,
    query: URLSearchParams,
    body: Buffer,
    response: ServerResponse,
  ): void {
    const id = query.get('uploadId') ?? randomUUID();
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    if (kind === 'put') this.#keep(key, body);
    if (kind === 'begin') this.uploads.set(id, new Map());
    if (kind === 'part') this.uploads.get(id)?.set(Number(query.get('partNumber')), body);
    if (kind === 'complete') {
      const parts = [...(this.uploads.get(id) ?? [])].toSorted(([one], [other]) => one - other);
      this.#keep(key, Buffer.concat(parts.map(([, bytes]) => bytes)));
    }
    if (kind === 'complete' || kind === 'abort') this.uploads.delete(id);
    response.setHeader('etag', etag);
    const isMissing = kind === 'get' && !this.objects.has(key);
    const answers: Partial<Record<BucketRequest['kind'], string | Buffer | undefined>> = {
      begin: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      complete: `<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`,
      get: isMissing ? '<Error><Code>NoSuchKey</Code></Error>' : this.objects.get(key),
    };
    send(response, isMissing ? 404 : 200, answers[kind] ?? '');
  }

  #keep(key: string, bytes: Buffer): void {
    this.objects.set(key, bytes);
    this.written.push(key);
  }
}

function kindOf(method: string | undefined, query: URLSearchParams): BucketRequest['kind'] {
  if (method === 'GET') return 'get';
  if (method === 'DELETE') return 'abort';
  if (method === 'POST') return query.has('uploads') ? 'begin' : 'complete';
  return query.has('partNumber') ? 'part' : 'put';
}

function isSigned({ headers }: IncomingMessage): boolean {
  return headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=') === true;
}

function hasHash({ headers }: IncomingMessage, body: Buffer): boolean {
  return headers['x-amz-content-sha256'] === createHash('sha256').update(body).digest('hex');
}

function send(response: ServerResponse, status: number, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
}
