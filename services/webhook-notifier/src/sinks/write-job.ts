import { createHash } from 'node:crypto';
import {
  type CrawlOptions,
  DEFAULT_PART_BYTES,
  LIMITS,
  type SinkFormat,
  type SinkOptions,
} from '@gleaner/contracts';
import {
  describeColumns,
  type ExportedOptions,
  type PartOutput,
  type PartSettings,
  rowFieldsOf,
  writeParts,
} from '@gleaner/export';
import { type ResultReader, readResults, type StoredJob } from '@gleaner/storage';
import type { ObjectStore } from './object-store.ts';

/** Content of the delivery of a sink. */
export interface SinkOrder {
  readonly sink: SinkOptions;
  /** Folder of the files. */
  readonly key: string;
}

/** Thrown for results that need more files than a folder may have. */
export class TooManyParts extends Error {}

/** A file as the manifest names it. */
interface WrittenPart {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

const CONTENT_TYPES: Readonly<Record<SinkFormat, string>> = {
  parquet: 'application/vnd.apache.parquet',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
};

/**
 * Writes the results of a job into files, and last the manifest that names them: a folder without one is not complete. The same
 * job gives the same files, so that a repetition replaces them. Throws TooManyParts, and errors of the store and the database.
 */
export async function writeJob(
  job: StoredJob,
  { sink, key }: SinkOrder,
  { store, reader }: { readonly store: ObjectStore; readonly reader: ResultReader },
): Promise<void> {
  const settings = settingsOf(job, sink);
  const results = readResults(job, { limit: Number.MAX_SAFE_INTEGER, offset: 0 }, reader);
  const files: WrittenPart[] = [];
  const outputs = writeParts(results, settings);
  try {
    for (let next = await outputs.next(); !next.done; next = await outputs.next()) {
      if (files.length === LIMITS.maxSinkParts) throw new TooManyParts();
      const part = new PartReader(next.value, outputs);
      const name = `part-${String(files.length).padStart(5, '0')}.${settings.format}`;
      const contentType = CONTENT_TYPES[settings.format];
      await store.put({ key: `${key}/${name}`, contentType, body: part });
      files.push({ name, ...part.summary() });
    }
  } finally {
    await outputs.return(undefined);
  }
  const manifest = Buffer.from(`${JSON.stringify(manifestOf(job, settings, files), null, 2)}\n`);
  await store.put({
    key: `${key}/_manifest.json`,
    contentType: 'application/json',
    body: (async function* () {
      yield manifest;
    })(),
  });
}

function settingsOf(job: StoredJob, sink: SinkOptions): PartSettings {
  const { format = 'parquet', partBytes = DEFAULT_PART_BYTES } = sink;
  const crawl = job.crawlJson === undefined ? undefined : (JSON.parse(job.crawlJson) as CrawlOptions);
  const exported: ExportedOptions = {
    options: JSON.parse(job.optionsJson),
    crawl,
    hasRequests: job.hasRequests,
  };
  const rows = sink.rows && rowFieldsOf(exported).find(({ path }) => path === sink.rows);
  return { format, exported, plan: rows ? { rows } : {}, partBytes };
}

function manifestOf(
  { id, name, status, scheduleId, createdAt, completedAt }: StoredJob,
  { format, exported, plan }: PartSettings,
  files: readonly WrittenPart[],
): object {
  const total = (of: 'rows' | 'bytes') => files.reduce((sum, file) => sum + file[of], 0);
  return {
    version: 1,
    job: { id, name, status, scheduleId, createdAt, completedAt },
    format,
    rows: total('rows'),
    bytes: total('bytes'),
    // A line of NDJSON is a whole result.
    ...(format !== 'ndjson' && { schema: describeColumns({ format, exported, plan }) }),
    files,
  };
}

/** The bytes of one part, which it counts and hashes. */
class PartReader implements AsyncIterable<Uint8Array> {
  readonly #first: PartOutput;
  readonly #rest: AsyncIterator<PartOutput>;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #rows = 0;

  constructor(first: PartOutput, rest: AsyncIterator<PartOutput>) {
    this.#first = first;
    this.#rest = rest;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (let output: PartOutput | undefined = this.#first; output; output = (await this.#rest.next()).value) {
      if ('rows' in output) {
        this.#rows = output.rows;
        return;
      }
      this.#hash.update(output);
      this.#bytes += output.byteLength;
      yield output;
    }
  }

  summary(): Omit<WrittenPart, 'name'> {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
