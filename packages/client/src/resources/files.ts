import type { Caller } from '../caller.ts';
import type { CallOptions } from '../operation-types.ts';
import { joinBytes, readChunks } from '../read-lines.ts';

/** Files that scrapes and jobs with `download` kept; results name them as `file`. */
export class Files {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Yields the bytes of a file as they arrive. */
  async *download(id: string, options?: CallOptions): AsyncGenerator<Uint8Array> {
    yield* readChunks(await this.#caller.open('getFile', { path: { id } }, options));
  }

  /** Returns a file, all of which is then in memory. */
  async get(id: string, options?: CallOptions): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.download(id, options)) chunks.push(chunk);
    return joinBytes(chunks);
  }
}
