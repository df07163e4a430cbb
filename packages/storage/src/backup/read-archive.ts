import { createHash, type Hash } from 'node:crypto';
import { AppError } from '@gleaner/contracts';
import mongoose, { type mongo } from 'mongoose';
import { SCHEMA_VERSION } from '../migrations/migrations.ts';
import {
  type ArchiveHeader,
  type ArchiveManifest,
  type CollectionSummary,
  FORMAT,
  orderCollections,
} from './archive.ts';

/** A document of an archive. */
export interface ArchivedDocument {
  readonly collection: string;
  readonly document: mongo.Document;
}

/** An archive that was read to its end and is whole. */
export interface CheckedArchive {
  readonly header: ArchiveHeader;
  readonly collections: Readonly<Record<string, CollectionSummary>>;
}

const { EJSON } = mongoose.mongo.BSON;

/** Reads an archive to its end, and returns its contents; throws as `readArchive` does. */
export async function checkArchive(lines: AsyncIterable<string>): Promise<CheckedArchive> {
  const documents = readArchive(lines);
  for (;;) {
    const { value, done } = await documents.next();
    if (done) return value;
  }
}

/**
 * Yields the documents of an archive, and returns its contents when every line was there and unchanged. Throws
 * INVALID_REQUEST when the text is not an archive of a version that this one can read, or is not whole.
 */
export async function* readArchive(
  lines: AsyncIterable<string>,
): AsyncGenerator<ArchivedDocument, CheckedArchive> {
  let header: ArchiveHeader | undefined;
  let manifest: ArchiveManifest | undefined;
  let section: { readonly name: string; readonly hash: Hash; documents: number } | undefined;
  const found: Record<string, CollectionSummary> = {};
  const closeSection = () => {
    if (section) found[section.name] = { documents: section.documents, sha256: section.hash.digest('hex') };
    section = undefined;
  };
  for await (const line of lines) {
    if (line === '') throw damaged('It has an empty line.');
    if (manifest) throw damaged('It continues after its manifest.');
    if (!header) {
      header = readHeader(line);
    } else if (line.startsWith('{"collection":')) {
      closeSection();
      const name = String(parse(line).collection);
      if (orderCollections([name]).length === 0) throw damaged(`No archive has the collection ${name}.`);
      section = { name, hash: createHash('sha256'), documents: 0 };
    } else if (line.startsWith('{"manifest":')) {
      closeSection();
      manifest = parse(line).manifest as ArchiveManifest;
    } else {
      if (!section) throw damaged('It has a document outside of a collection.');
      section.hash.update(line).update('\n');
      section.documents += 1;
      yield { collection: section.name, document: parseDocument(line, section.name) };
    }
  }
  if (!header || !manifest) throw damaged('Its end is missing.');
  checkContents(found, manifest.collections);
  return { header, collections: manifest.collections };
}

function readHeader(line: string): ArchiveHeader {
  const header = parse(line) as unknown as ArchiveHeader;
  if (header.archive !== 'gleaner' || header.format !== FORMAT) throw damaged('It does not begin as one.');
  if (header.schemaVersion <= SCHEMA_VERSION) return header;
  throw new AppError('INVALID_REQUEST', {
    message: `The archive has the schema version ${header.schemaVersion}, and this Gleaner knows ${SCHEMA_VERSION}.`,
    suggestion: 'Restore it with the version of Gleaner that made it, or a later one.',
  });
}

function checkContents(
  found: Readonly<Record<string, CollectionSummary>>,
  expected: Readonly<Record<string, CollectionSummary>>,
): void {
  for (const name of new Set([...Object.keys(found), ...Object.keys(expected)])) {
    const [is, should] = [found[name], expected[name]];
    if (is?.documents !== should?.documents) {
      throw damaged(`${name} has ${is?.documents ?? 0} documents, not ${should?.documents ?? 0}.`);
    }
    if (is?.sha256 !== should?.sha256) throw damaged(`The documents of ${name} have changed.`);
  }
}

function parse(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line);
  } catch {
    throw damaged(`A line is not JSON: ${line.slice(0, 40)}`);
  }
}

function parseDocument(line: string, collection: string): mongo.Document {
  try {
    return EJSON.parse(line, { relaxed: false });
  } catch {
    throw damaged(`A document of ${collection} is not JSON.`);
  }
}

function damaged(why: string): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `The file is not a whole archive of Gleaner. ${why}`,
    suggestion: 'Use another archive; npm run backup -- verify <file> checks one.',
  });
}
