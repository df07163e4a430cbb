import type { ScrapeRequest } from '@gleaner/client';

/** A request that was sent, and its outcome. Its data are not kept. */
export interface PastScrape {
  readonly id?: number;
  readonly at: number;
  readonly request: Omit<ScrapeRequest, 'headers' | 'cookies'>;
  /** `success` or the code of the error. */
  readonly code: string;
  readonly durationMs: number;
}

const DATABASE = 'gleaner';
const STORE = 'scrapes';
const MAX_ENTRIES = 50;

/** Keeps a request in this browser, without headers and cookies. Browsers that keep nothing lose nothing else. */
export async function remember(
  request: ScrapeRequest,
  outcome: Pick<PastScrape, 'code' | 'durationMs'>,
): Promise<void> {
  const { headers, cookies, ...kept } = request;
  try {
    await inStore('readwrite', (store) => store.add({ at: Date.now(), request: kept, ...outcome }));
    const keys = await inStore('readonly', (store) => store.getAllKeys());
    const oldest = keys.at(-MAX_ENTRIES - 1);
    if (oldest !== undefined)
      await inStore('readwrite', (store) => store.delete(IDBKeyRange.upperBound(oldest)));
  } catch {
    // Private windows may refuse; the scrape itself is not affected.
  }
}

/** Returns the requests that were kept, newest first. */
export async function recall(): Promise<PastScrape[]> {
  try {
    const entries = await inStore('readonly', (store) => store.getAll() as IDBRequest<PastScrape[]>);
    return entries.reverse();
  } catch {
    return [];
  }
}

/** Removes the requests that were kept. */
export async function forget(): Promise<void> {
  await inStore('readwrite', (store) => store.clear());
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(STORE, { keyPath: 'id', autoIncrement: true });
  };
  const database = await finished(opening);
  try {
    return await finished(use(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function finished<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error ?? new Error('The browser keeps no data.'));
  });
}
