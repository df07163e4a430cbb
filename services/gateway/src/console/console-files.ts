import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';

/** File of the console as it is sent. */
export interface ConsoleFile {
  readonly contentType: string;
  /** True for files whose name changes with their content. */
  readonly isImmutable: boolean;
  /** Bytes by content coding; `identity` is always there. */
  readonly bytes: Readonly<Record<string, Buffer | undefined>>;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const CODINGS = { br: '.br', gzip: '.gz' } as const;

/** Reads the files of the built console into memory, once they are there. */
export class ConsoleFiles {
  readonly #folder: string;
  #reading: Promise<ReadonlyMap<string, ConsoleFile> | undefined> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the files by their path below the console; undefined while it is not built. */
  async read(): Promise<ReadonlyMap<string, ConsoleFile> | undefined> {
    this.#reading ??= readFiles(this.#folder);
    const files = await this.#reading;
    if (!files) this.#reading = undefined;
    return files;
  }

  /** Returns the script for views of snapshots; undefined while the console is not built. */
  async readPicker(): Promise<string | undefined> {
    return (await this.read())?.get('picker.js')?.bytes.identity?.toString();
  }
}

async function readFiles(folder: string): Promise<ReadonlyMap<string, ConsoleFile> | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile() && extname(entry.name) in CONTENT_TYPES)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  if (!names.includes('index.html')) return undefined;
  const files = names.map(async (name) => [name, await readOne(folder, name)] as const);
  return new Map(await Promise.all(files));
}

async function readOne(folder: string, name: string): Promise<ConsoleFile> {
  const path = join(folder, name);
  const coded = Object.entries(CODINGS).map(
    async ([coding, ending]) => [coding, await readFile(path + ending).catch(() => undefined)] as const,
  );
  return {
    contentType: CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
    isImmutable: name.startsWith('assets/'),
    bytes: { identity: await readFile(path), ...Object.fromEntries(await Promise.all(coded)) },
  };
}
