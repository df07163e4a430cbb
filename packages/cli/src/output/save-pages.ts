import { createHash } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { JobResult } from '@gleaner/client';
import { CommandError, UsageError } from '../exit-codes.ts';
import { openFile } from './sink.ts';

/** Extensions of files that hold one page. */
const OF_ONE_PAGE: ReadonlySet<string> = new Set(['.md', '.html']);

/**
 * Returns the folder given with `-o`, and creates it: a path with a slash at the end, or an existing folder.
 * Throws for the name of a file, which could hold only one of many pages.
 */
export function folderOf({ output, format }: { output?: string; format?: string }): string | undefined {
  if (output === undefined || output === '-') return undefined;
  const isNamed = /[/\\]$/.test(output);
  if (isNamed || statSync(output, { throwIfNoEntry: false })?.isDirectory()) {
    if (format) throw new UsageError('A folder has a file a page, and no format.', 'Leave out --format.');
    try {
      mkdirSync(output, { recursive: true });
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      throw new CommandError(`The folder ${output} could not be created (${code}).`);
    }
    return output;
  }
  if (format || !OF_ONE_PAGE.has(extname(output).toLowerCase())) return undefined;
  throw new UsageError(
    `${output} holds one page, and a job has many.`,
    `A folder has a file a page: -o ${output.slice(0, -extname(output).length)}/`,
  );
}

/** Folder for the pages of a job, and the way to the files that its pages are. */
export interface PagesTarget {
  readonly folder: string;
  readonly download: (fileId: string) => AsyncIterable<Uint8Array>;
}

/**
 * Writes each page that has a result to a file of its own, and each downloaded file as it is; returns the numbers of pages
 * with and without a result.
 */
export async function savePages(
  results: AsyncIterable<JobResult>,
  { folder, download }: PagesTarget,
): Promise<{ readonly saved: number; readonly failed: number }> {
  const name = createNaming();
  let saved = 0;
  let failed = 0;
  for await (const result of results) {
    if (result.error) {
      failed += 1;
      continue;
    }
    const { url, file } = result;
    if (file) await saveChunks(join(folder, name(url, extensionOf(url, file.name))), download(file.id));
    if (!file || hasContent(result)) {
      const { extension, text } = contentOf(result);
      await saveFile(join(folder, name(url, extension)), text);
    }
    saved += 1;
  }
  return { saved, failed };
}

function hasContent({ data, formats }: Success): boolean {
  return data !== undefined || formats !== undefined;
}

/** Returns the extension of a file where its URL has another one or none. */
function extensionOf(url: string, fileName: string): string {
  const extension = extname(fileName).toLowerCase();
  return extname(new URL(url).pathname).toLowerCase() === extension ? '' : extension;
}

/** Writes a file whole, or not at all. */
export async function saveFile(path: string, content: string | Uint8Array): Promise<void> {
  await saveChunks(path, [content]);
}

async function saveChunks(
  path: string,
  chunks: Iterable<string | Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = openFile(path);
  try {
    for await (const chunk of chunks) await file.write(chunk);
    await file.close();
  } catch (error) {
    await file.abort();
    throw error;
  }
}

type Success = Exclude<JobResult, { error: object }>;

/** Returns Markdown with what it is about in front; or the JSON of a page that has more, or something else. */
function contentOf(result: Success): { readonly extension: string; readonly text: string } {
  const { url, data, formats, metadata } = result;
  const { markdown, ...others } = formats ?? {};
  if (typeof markdown !== 'string' || data !== undefined || Object.keys(others).length > 0) {
    const page = { url, fetched: metadata.timestamp, data, formats };
    return { extension: '.json', text: `${JSON.stringify(page, null, 2)}\n` };
  }
  const title = /^#+ (.+)$/m.exec(markdown)?.[1]?.trim();
  // JSON is YAML.
  const front = Object.entries({ title, url, fetched: metadata.timestamp }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${JSON.stringify(value)}\n`],
  );
  return { extension: '.md', text: `---\n${front.join('')}---\n\n${markdown.trimEnd()}\n` };
}

const MAX_NAME_BYTES = 120;
/** Names that Windows keeps for devices. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * Returns a function that names files by URLs: path and query in letters, digits, dots and dashes, with the host where it
 * is another than that of the first one. Names that would be too long or the same, also where case does not count, end in a
 * hash of the URL.
 */
export function createNaming(): (url: string, extension: string) => string {
  const taken = new Set<string>();
  let firstHost: string | undefined;
  return (url, extension) => {
    const { host, pathname, search } = new URL(url);
    firstHost ??= host;
    const words =
      slugOf(`${host === firstHost ? '' : `${host}/`}${decode(pathname)}${decode(search)}`) || 'index';
    const short = cutBytes(words, MAX_NAME_BYTES);
    const hash = createHash('sha256').update(url).digest('hex').slice(0, 10);
    const isUsable = short === words && !DEVICES.test(words.split('.')[0] ?? '');
    const plain = `${short}${isUsable ? '' : `-${hash}`}${extension}`;
    const name = taken.has(plain.toLowerCase()) ? `${short}-${hash}${extension}` : plain;
    taken.add(name.toLowerCase());
    return name;
  };
}

/** Returns a name for a file from any text: lower-case letters, digits, dots and dashes. */
export function fileNameOf(text: string): string {
  const name = cutBytes(slugOf(text).toLowerCase(), MAX_NAME_BYTES) || 'unnamed';
  return DEVICES.test(name.split('.')[0] ?? '') ? `${name}-file` : name;
}

function slugOf(text: string): string {
  const slug = text
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/\.{2,}/g, '.');
  return withoutTail(slug.replace(/^[-.]+/, ''));
}

function withoutTail(name: string): string {
  let end = name.length;
  while (end > 0 && '-.'.includes(name.charAt(end - 1))) end -= 1;
  return name.slice(0, end);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Cuts a text to a number of bytes in UTF-8, at the border of a character. */
function cutBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  return withoutTail(new TextDecoder().decode(bytes.subarray(0, most), { stream: true }));
}
