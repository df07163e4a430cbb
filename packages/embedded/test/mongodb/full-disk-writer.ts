import { openKeyValueStore } from '../../src/mongodb/store/key-value-store.ts';

// Run under a file-size limit: writes until the store refuses, then shows that reading goes on.
const [, , directory = ''] = process.argv;
const flushErrors: unknown[] = [];
const store = await openKeyValueStore(directory, {
  flushIntervalMs: 2 ** 31 - 1,
  onFlushError: (error) => flushErrors.push(error),
  freeBytes: () => 0,
});
const keyOf = (number: number) => Buffer.from(`key ${String(number).padStart(6, '0')}`);
let [written, refused, afterwards]: [number, unknown, unknown] = [0, undefined, undefined];
while (refused === undefined && written < 10_000) {
  refused = write(written);
  if (refused === undefined) written += 1;
}
afterwards = write(written);
const journalled = await store.flush().then(
  () => 'flushed',
  (error: unknown) => describe(error),
);
const kept = [...store.records.getKeys({})].length;
await store.close();
process.stdout.write(JSON.stringify({ written, refused, afterwards, journalled, kept }));

function write(number: number): unknown {
  try {
    store.write(() => store.records.put(keyOf(number), Buffer.alloc(50_000, number)));
    return undefined;
  } catch (error) {
    return describe(error);
  }
}

function describe(error: unknown): unknown {
  const { code, codeName, message } = error as { code?: unknown; codeName?: unknown; message: string };
  return { code, codeName, message };
}
