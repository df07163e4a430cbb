import { AppError } from '@gleaner/contracts';
import { type Certificate, createCertificate, type Origin, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll } from '@jest/globals';
import type { FetchedPage } from '../src/client/http-client.ts';
import { createEgressPolicy, createHttpClient, type FetchRequest, type HttpClient } from '../src/index.ts';

export const never = new AbortController().signal;

/** A request as /echo of an origin received it. */
interface Echo {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly httpVersion: string;
  readonly body: string;
}

/** An origin for each protocol and a client that may reach them, for the tests of one file. */
export class Origins {
  readonly certificate: Certificate = createCertificate();
  plain!: Origin;
  tls!: Origin;
  client!: HttpClient;

  static forThisFile(): Origins {
    const origins = new Origins();
    beforeAll(() => origins.#start());
    afterAll(() => origins.#stop());
    return origins;
  }

  /** Creates another client that may reach only these origins. */
  clientFor(...origins: Origin[]): HttpClient {
    const policy = createEgressPolicy({ allow: origins.map(({ host, port }) => `${host}:${port}`) });
    return createHttpClient({ policy, certificateAuthorities: [this.certificate.cert] });
  }

  get(origin: Origin, path: string, request: Partial<FetchRequest> = {}): Promise<FetchedPage> {
    const deadlineMs = Date.now() + 240_000;
    return this.client.fetchPage({ url: origin.url + path, deadlineMs, ...request }, never);
  }

  async echoed(origin: Origin, path = '/echo', request: Partial<FetchRequest> = {}): Promise<Echo> {
    const page = await this.get(origin, path, request);
    return JSON.parse(page.body.toString());
  }

  async #start(): Promise<void> {
    const { certificate } = this;
    [this.plain, this.tls] = await Promise.all([startOrigin(), startOrigin({ certificate })]);
    this.client = this.clientFor(this.plain, this.tls);
  }

  async #stop(): Promise<void> {
    this.client.close();
    await Promise.all([this.plain.close(), this.tls.close()]);
  }
}

/** Returns the error of a fetch. */
export async function errorOf(fetching: Promise<unknown>): Promise<AppError> {
  const error = await fetching.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error(`Expected an AppError, not ${error}.`);
  return error;
}

/** Returns the error of a fetch at its deadline; one that ends too soon, as on a busy machine, gets twice the time, up to `lastMs`. */
export async function errorAtDeadline(
  fetching: (timeoutMs: number) => Promise<unknown>,
  isTooSoon: (error: AppError) => boolean,
  { firstMs = 300, lastMs = 80_000 } = {},
): Promise<AppError> {
  for (let timeoutMs = firstMs; ; timeoutMs *= 2) {
    const error = await errorOf(fetching(timeoutMs));
    if (timeoutMs * 2 > lastMs || !isTooSoon(error)) return error;
  }
}

/** Recognizes the error of a fetch whose time ran out before it came to a stage. */
export function isBefore(stage: string): (error: AppError) => boolean {
  return ({ code, message }) => code === 'TIMEOUT' && !message.includes(stage);
}
