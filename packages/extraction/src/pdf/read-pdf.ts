import { AppError } from '@gleaner/contracts';
import { type PageLine, readLines } from './page-lines.ts';
import { withoutRunningLines } from './running-lines.ts';
import { type PdfProperties, writeMarkup } from './write-markup.ts';

/** Limits of reading one PDF. */
export interface PdfOptions {
  /** Pages to read; those after them are left out. */
  readonly maxPages: number;
  /** Called between pages; it may throw to stop the work, or wait. */
  readonly checkpoint?: () => void;
}

/** Text of a PDF as an HTML document of headings, paragraphs, lists and links. */
export interface PdfText {
  readonly markup: string;
  /** Number of pages of the file. */
  readonly pages: number;
  readonly warnings: readonly PdfWarning[];
}

interface PdfWarning {
  readonly code: 'PDF_CUT' | 'PDF_WITHOUT_TEXT';
  readonly message: string;
}

/** Most characters of text that are read. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * Reads the text of a PDF, whose bytes are taken over. Damaged files are repaired where possible. Throws UNSUPPORTED_CONTENT
 * for one that is encrypted, or that cannot be read.
 */
export async function readPdf(bytes: Uint8Array, options: PdfOptions): Promise<PdfText> {
  // Only here, because it takes as much memory as everything else of a thread.
  const { getDocumentProxy } = await import('unpdf');
  const missing = new Set<string>();
  /** PDF.js asks for what is not part of it. */
  class NoFiles {
    async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<never> {
      if (kind === 'cMapUrl') missing.add(filename.replace(/\.bcmap$/, ''));
      throw new Error(`There is no ${filename}.`);
    }
  }
  const document = await getDocumentProxy(bytes, {
    verbosity: 0,
    stopAtErrors: false,
    useWorkerFetch: false,
    BinaryDataFactory: NoFiles,
  }).catch(explain);
  try {
    const read = await readDocument(document, options);
    return missing.size === 0 ? read : { ...read, warnings: [...read.warnings, unreadable(missing)] };
  } finally {
    await document.loadingTask.destroy();
  }
}

type PdfDocument = Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>;

async function readDocument(
  document: PdfDocument,
  { maxPages, checkpoint = () => {} }: PdfOptions,
): Promise<PdfText> {
  // A damaged count may be anything.
  const numPages = Math.max(0, document.numPages);
  const about = await describe(document);
  const pages: (readonly PageLine[])[] = [];
  const failures: unknown[] = [];
  let characters = 0;
  for (let number = 1; number <= Math.min(numPages, maxPages) && characters < MAX_CHARACTERS; number += 1) {
    checkpoint();
    const lines = await readPage(document, number).catch((error: unknown) => {
      // The rest of the file may be well.
      failures.push(error);
      return [];
    });
    characters += lines.reduce(
      (sum, { runs }) => sum + runs.reduce((all, { text }) => all + text.length, 0),
      0,
    );
    pages.push(lines);
  }
  if (failures.length > 0 && failures.length === pages.length) explain(failures[0]);
  return {
    markup: writeMarkup(withoutRunningLines(pages), about),
    pages: numPages,
    warnings: [
      ...(pages.length < numPages ? [cut(pages.length, numPages)] : []),
      ...(failures.length > 0 ? [damaged(failures.length)] : []),
      ...(characters === 0 ? [WITHOUT_TEXT] : []),
    ],
  };
}

async function readPage(document: PdfDocument, number: number): Promise<readonly PageLine[]> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  const links = await page.getAnnotations({ intent: 'display' }).catch(() => []);
  page.cleanup();
  return readLines(items, links);
}

/** Fonts without letters of their own use maps that PDF readers bring. */
function unreadable(maps: ReadonlySet<string>): PdfWarning {
  const names = [...maps].slice(0, 5).join(', ');
  const message = `Text in fonts that are not embedded is missing: their characters are in the map ${names}, which is not at hand.`;
  return { code: 'PDF_CUT', message };
}

async function describe(document: PdfDocument): Promise<PdfProperties> {
  // Damaged properties count as missing.
  const info: object = await document.getMetadata().then(
    (metadata) => metadata.info,
    () => ({}),
  );
  const textOf = (name: string): string => {
    const value = (info as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' ? value.trim().slice(0, MAX_PROPERTY_LENGTH) : '';
  };
  return { title: textOf('Title'), author: textOf('Author'), language: textOf('Language') };
}

const MAX_PROPERTY_LENGTH = 10_000;

function cut(read: number, pages: number): PdfWarning {
  return {
    code: 'PDF_CUT',
    message: `Only the first ${read} of ${pages} pages were read. Raise pdf.maxPages for more.`,
  };
}

function damaged(count: number): PdfWarning {
  const pages = count === 1 ? '1 page is' : `${count} pages are`;
  return { code: 'PDF_CUT', message: `${pages} damaged, and left out.` };
}

const WITHOUT_TEXT: PdfWarning = {
  code: 'PDF_WITHOUT_TEXT',
  message: 'The pages that were read have no text: they may be pictures, in which no text is recognized.',
};

function explain(error: unknown): never {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'PasswordException') {
    throw new AppError('UNSUPPORTED_CONTENT', {
      message: 'The PDF is encrypted with a password.',
      suggestion: 'Decrypt it with another program, or scrape a copy without a password.',
      cause: error,
    });
  }
  throw new AppError('UNSUPPORTED_CONTENT', {
    message: `The PDF is damaged and cannot be read: ${message.slice(0, 200)}`,
    suggestion: 'Open it in a browser: if that fails too, only its publisher can repair it.',
    cause: error,
  });
}
