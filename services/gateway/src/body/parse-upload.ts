import { MIMEType } from 'node:util';
import { AppError, defined, LIMITS } from '@gleaner/contracts';
import { parseJsonObject } from './parse-json-object.ts';

/** A file that a caller has sent. */
export interface UploadedFile {
  readonly name: string;
  /** As the caller declared it. */
  readonly contentType?: string;
  readonly bytes: Buffer;
}

/** The parts of an upload. */
export interface Upload {
  readonly file: UploadedFile;
  readonly options: object;
}

/** The type of a body with parts. */
interface FormType {
  readonly contentType: string;
  /** Text between the parts. */
  readonly boundary: string;
}

/** Returns the type of a body with parts. Throws UNSUPPORTED_MEDIA_TYPE for any other. */
export function requireFormType(contentType = ''): FormType {
  const boundary = boundaryOf(contentType);
  if (boundary !== undefined) return { contentType, boundary };
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
    message: `The body has the Content-Type ${JSON.stringify(contentType.slice(0, 100))}.`,
    suggestion: 'Send the file as multipart/form-data with a boundary, in the part "file".',
  });
}

function boundaryOf(contentType: string): string | undefined {
  try {
    const { essence, params } = new MIMEType(contentType);
    return (essence === 'multipart/form-data' && params.get('boundary')) || undefined;
  } catch {
    return undefined;
  }
}

/** Parts of a body, which are counted before they are read: each costs more time than its bytes. */
const MAX_PARTS = 10;
const MAX_NAME_LENGTH = 255;
/** Bytes of a file with its options. */
export const MAX_UPLOAD_BYTES = LIMITS.maxPageBytes + LIMITS.maxBodyBytes;

/**
 * Reads a body of the type `multipart/form-data` (RFC 7578) with a part `file`, and options as JSON in a part `options`. Throws
 * PAYLOAD_TOO_LARGE for a file of too many bytes, INVALID_REQUEST, and INVALID_JSON.
 */
export async function parseUpload(bytes: Buffer<ArrayBuffer>, form: FormType): Promise<Upload> {
  const parts = await readParts(bytes, form);
  const files = parts.getAll('file');
  const [file] = files;
  const [options = '{}', ...more] = parts.getAll('options');
  const others = [...new Set(parts.keys())].filter((name) => name !== 'file' && name !== 'options');
  const details = [
    ...others.map((name) => ({ path: name.slice(0, 100), message: 'is not a part of an upload: remove it' })),
    ...(file instanceof File && files.length === 1 ? [] : [{ path: 'file', message: 'must be one file' }]),
    ...(typeof options === 'string' && more.length === 0
      ? []
      : [{ path: 'options', message: 'must be one text of JSON' }]),
  ];
  if (details.length > 0 || !(file instanceof File) || typeof options !== 'string') throw invalid(details);
  if (file.size > LIMITS.maxPageBytes) throw tooLarge(file.size);
  return {
    file: {
      name: file.name.slice(0, MAX_NAME_LENGTH),
      ...defined({ contentType: file.type || undefined }),
      bytes: Buffer.from(await file.arrayBuffer()),
    },
    options: await parseJsonObject(Buffer.from(options), { subject: 'The part "options"' }),
  };
}

async function readParts(bytes: Buffer<ArrayBuffer>, { contentType, boundary }: FormType): Promise<FormData> {
  if (hasManyParts(bytes, boundary)) {
    throw invalid([{ path: '', message: `must have at most ${MAX_PARTS} parts` }]);
  }
  const headers = { 'content-type': contentType };
  return await new Response(bytes, { headers }).formData().catch(() => {
    throw invalid([{ path: '', message: 'is not multipart/form-data, as its Content-Type says' }]);
  });
}

function hasManyParts(bytes: Buffer, boundary: string): boolean {
  const delimiter = `--${boundary}`;
  let at = -1;
  // One delimiter more than there are parts ends the last one.
  for (let count = 0; count <= MAX_PARTS + 1; count += 1) {
    at = bytes.indexOf(delimiter, at + 1, 'latin1');
    if (at === -1) return false;
  }
  return true;
}

function invalid(details: readonly { readonly path: string; readonly message: string }[]): AppError {
  const [first] = details;
  const subject = first?.path ? JSON.stringify(first.path) : 'The body';
  return new AppError('INVALID_REQUEST', { message: `${subject} ${first?.message}.`, details });
}

function tooLarge(bytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', {
    message: `The file has ${bytes} bytes; at most ${LIMITS.maxPageBytes} are read.`,
    suggestion: 'Send a part of it.',
    details: [{ path: 'file', message: `must have at most ${LIMITS.maxPageBytes} bytes` }],
  });
}
