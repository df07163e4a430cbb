import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress } from 'node:zlib';
import {
  AppError,
  type ExtractedData,
  LIMITS,
  type Proposal,
  type SnapshotCommand,
} from '@gleaner/contracts';
import { compileShape } from '@gleaner/extraction';
import type { PageReader } from '../extract/page-reader.ts';
import { wantedOf } from '../extract/read-page.ts';
import { ModelError } from '../model/chat-client.ts';
import type { ModelExtractor, ModelFindings } from '../model/model-extractor.ts';

/** Collaborators of solving schemas. */
export interface SolveDeps {
  readonly pageReader: Pick<PageReader, 'workOnSnapshot' | 'read'>;
  readonly model: ModelExtractor | undefined;
}

/** A command about a schema. */
type SolveCommand = Pick<SnapshotCommand, 'accountId' | 'page'> & {
  readonly task: Extract<SnapshotCommand['task'], { type: 'solve' }>;
};

/** Time that stays for the selectors after the model. */
const FIT_MS = 20_000;

const [compress, decompress] = [promisify(brotliCompress), promisify(brotliDecompress)];

/** Has the model find the values of a schema on a page, and a thread the selectors that give them. Throws MODEL_FAILED. */
export async function solveSchema(
  { accountId, page, task }: SolveCommand,
  signal: AbortSignal,
  { pageReader, model }: SolveDeps,
): Promise<{ readonly content: string; readonly credits: number }> {
  const { extract, locale, others } = task;
  const compiled = compileShape(extract.schema, 'required', 'schema');
  if (!model || 'errors' in compiled) throw new AppError('NOT_CONFIGURED');
  const findings = await askModel({ accountId, page, task }, signal, { pageReader, model });
  const { data, elements, llm, credits } = findings;
  const request = { shape: compiled.shape, data: data as ExtractedData, elements, locale };
  const fitted = await pageReader.workOnSnapshot(
    { accountId, page, task: { type: 'fit', request, others } },
    signal,
  );
  const found: Omit<Proposal, 'llm' | 'credits'> = JSON.parse(await unpack(fitted));
  const proposal: Proposal = { ...found, llm, credits };
  const content = await compress(JSON.stringify({ success: true, candidates: [], proposal }));
  return { content: content.toString('base64'), credits };
}

async function askModel(
  { accountId, page, task: { extract, locale, deadlineMs } }: SolveCommand,
  signal: AbortSignal,
  { pageReader, model }: SolveDeps & { readonly model: ModelExtractor },
): Promise<ModelFindings> {
  const { kind, baseUrl, encoding = 'utf-8', source } = page;
  const reading = { accountId, signal };
  const body = Buffer.from(await unpack(source));
  const wanted = { ...wantedOf({ extract }), documentEncoding: encoding };
  const read = await pageReader.read(
    { body, encoding: 'utf-8', kind, baseUrl, askedUrl: baseUrl, engine: 'http', ...wanted },
    reading,
  );
  if (!read.forModel) throw new AppError('UNSUPPORTED_CONTENT', { message: 'The page has no text.' });
  const { maxCredits = Number.POSITIVE_INFINITY } = extract;
  try {
    return await model.extract({
      extract: { ...extract, evidence: 'required' },
      page: read.forModel,
      locale,
      maxCredits,
      deadlineMs: deadlineMs - FIT_MS,
      reading,
    });
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw new AppError('MODEL_FAILED', { message: error.message, cause: error });
  }
}

async function unpack(packed: string): Promise<string> {
  const bytes = await decompress(Buffer.from(packed, 'base64'), { maxOutputLength: 3 * LIMITS.maxPageBytes });
  return bytes.toString();
}
