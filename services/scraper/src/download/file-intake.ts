import {
  AppError,
  type CrawlFindings,
  LIMITS,
  type ScrapeRequest,
  type StoredFile,
} from '@gleaner/contracts';
import type { BodyBeginning, BodySink } from '@gleaner/egress';
import type { AccountPlaces } from '@gleaner/service-kit';
import { describeNonDocument, isPdf, isPdfType } from '../classify/describe-content.ts';
import { documentKindOf, parseContentType } from '../decode/content-type.ts';
import { fileNameOf } from './file-name.ts';
import { type FileOwner, FileUpload, requireSize, type UploadDeps } from './file-upload.ts';

/** Collaborators of downloads. */
export interface DownloadDeps extends UploadDeps {
  /** Bounds the files arriving at once: each has two parts in memory. */
  readonly places: AccountPlaces;
}

/** One attempt at a URL that may answer with a file. */
interface Attempt extends FileOwner {
  /** Bodies that are read instead: documents in crawls, HTML where a page shows whether its session is over. */
  readonly reads: 'documents' | 'html' | 'nothing';
  readonly signal: AbortSignal;
}

/** The response that brought a file. */
interface FileResponse {
  readonly finalUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Longest Content-Type that is kept. */
const MAX_TYPE_LENGTH = 256;
const DEFAULT_TYPE = 'application/octet-stream';

/** Returns the intake of an attempt; undefined where nothing is to be downloaded. */
export function openIntake(
  { download }: Pick<ScrapeRequest, 'download'>,
  attempt: Attempt,
  deps: DownloadDeps,
): FileIntake | undefined {
  return download ? new FileIntake(attempt, deps) : undefined;
}

/** Takes the body of a response as a file. Disposing of it has the parts of a file deleted that was not finished. */
export class FileIntake implements Disposable {
  readonly #attempt: Attempt;
  readonly #deps: DownloadDeps;
  #place: Disposable | undefined;
  #upload: FileUpload | undefined;

  constructor(attempt: Attempt, deps: DownloadDeps) {
    this.#attempt = attempt;
    this.#deps = deps;
  }

  /** Returns a new upload for a body that is to be kept as a file; undefined for one that is read. */
  readonly chooseSink = async ({ headers, bytes }: BodyBeginning): Promise<BodySink | undefined> => {
    this.#giveUp();
    if (!isFile({ headers, bytes }, this.#attempt)) return undefined;
    if (headers['content-encoding'] === undefined)
      requireSize(Number(headers['content-length'] ?? 0), this.#deps);
    return await this.open();
  };

  /** Opens an upload, once there is a place for it. */
  async open(): Promise<FileUpload> {
    const { accountId, signal } = this.#attempt;
    this.#place ??= await this.#deps.places.take(accountId, signal);
    this.#upload = new FileUpload(this.#attempt, this.#deps, signal);
    return this.#upload;
  }

  /** The upload that the body went to, if it did. */
  get upload(): FileUpload | undefined {
    return this.#upload;
  }

  /** Makes a file of the body that went to the upload. */
  async finish(upload: FileUpload, { finalUrl, headers }: FileResponse): Promise<StoredFile> {
    const name = fileNameOf(headers['content-disposition'], finalUrl);
    const file = await upload.finish({ name, contentType: typeOf(headers['content-type']) });
    this.#upload = undefined;
    return file;
  }

  /** Returns an error of the response; of a TIMEOUT, it says how much of the file had arrived. */
  explain(error: unknown): unknown {
    const isOver = error instanceof AppError && error.code === 'TIMEOUT' && this.#upload !== undefined;
    if (!isOver) return error;
    const arrived = Math.floor((this.#upload?.size ?? 0) / 1_048_576);
    return new AppError('TIMEOUT', {
      message: `${error.message} ${arrived} MiB of the file had arrived.`,
      suggestion: `Raise timeout, up to ${LIMITS.maxTimeoutMs} ms; a file that takes longer is not kept: download it yourself.`,
      cause: error,
    });
  }

  [Symbol.dispose](): void {
    this.#giveUp();
    this.#place?.[Symbol.dispose]();
  }

  #giveUp(): void {
    this.#upload?.discard();
    this.#upload = undefined;
  }
}

function isFile({ headers, bytes }: BodyBeginning, { reads }: Attempt): boolean {
  const type = headers['content-type'];
  if (reads === 'nothing' || (reads === 'html' && documentKindOf(type) !== 'html')) return true;
  if (isPdf(bytes, type)) return true;
  if (bytes.length > 0 && (isAttachment(headers['content-disposition']) || isData(type))) return true;
  // Servers send their pages about errors and logins with the type of the file that was asked for.
  return bytes.length > 0 && !isPdfType(type) && describeNonDocument(bytes, type) !== undefined;
}

/** Tells whether a browser saves the body (RFC 6266 section 4.2). */
function isAttachment(disposition: string | undefined): boolean {
  return /^\s*attachment\s*(?:;|$)/i.test(disposition ?? '');
}

/** Texts that are data for other programs: no page of a site. */
const FILE_TYPES: ReadonlySet<string> = new Set([
  'text/csv',
  'text/tab-separated-values',
  'text/calendar',
  'text/vcard',
  'text/x-vcard',
  'text/directory',
  'text/rtf',
  'text/x-csv',
  'text/comma-separated-values',
  'text/css',
  'text/javascript',
  'text/ecmascript',
  'application/javascript',
  'application/x-javascript',
]);

function isData(type: string | undefined): boolean {
  return FILE_TYPES.has(parseContentType(type).essence);
}

function typeOf(sent: string | undefined): string {
  const isPlain = sent !== undefined && sent.length <= MAX_TYPE_LENGTH && /^[\x20-\x7e]+$/.test(sent);
  return isPlain ? sent.trim() : DEFAULT_TYPE;
}

/** Returns what a crawl learns from a file: it leads nowhere, and is another one when its bytes are. */
export function findingsOfFile({ sha256 }: StoredFile): CrawlFindings {
  const hash = Buffer.from(sha256, 'hex').subarray(0, 16).toString('base64url');
  return { links: [], dropped: {}, textHash: hash, dataHash: hash };
}
