import { MIMEType } from 'node:util';
import { AppError, defined, LIMITS } from '@gleaner/contracts';
import { parseJsonObject } from './parse-json-object.ts';
import { type FormType, invalidUpload, readParts } from './read-parts.ts';

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

const MAX_NAME_LENGTH = 255;
/** Bytes of a file with its options. */
export const MAX_UPLOAD_BYTES = LIMITS.maxPageBytes + LIMITS.maxBodyBytes;

/**
 * Reads a body of the type `multipart/form-data` (RFC 7578) with a part `file`, and options as JSON in a part `options`. Throws
 * PAYLOAD_TOO_LARGE for a file of too many bytes, INVALID_REQUEST, and INVALID_JSON.
 */
export async function parseUpload(bytes: Buffer, form: FormType): Promise<Upload> {
  const parts = await readParts(bytes, form);
  const named = (wanted: string) => parts.filter(({ name }) => name === wanted);
  const [part, ...otherFiles] = named('file');
  const [options, ...otherOptions] = named('options');
  const others = new Set(parts.flatMap(({ name }) => (name === 'file' || name === 'options' ? [] : name)));
  const isFile = part?.file !== undefined && otherFiles.length === 0;
  const isText = options?.file === undefined && otherOptions.length === 0;
  const details = [
    ...[...others].map((name) => ({
      path: name.slice(0, 100),
      message: 'is not a part of an upload: remove it',
    })),
    ...(isFile ? [] : [{ path: 'file', message: 'must be one file' }]),
    ...(isText ? [] : [{ path: 'options', message: 'must be one text of JSON' }]),
  ];
  if (details.length > 0 || !part?.file) throw invalidUpload(details);
  const { file, content } = part;
  if (content.length > LIMITS.maxPageBytes) throw tooLarge(content.length);
  return {
    file: {
      name: file.name.slice(0, MAX_NAME_LENGTH),
      ...defined({ contentType: file.type || undefined }),
      bytes: Buffer.from(content),
    },
    options: await parseJsonObject(options?.content ?? Buffer.from('{}'), {
      subject: 'The part "options"',
    }),
  };
}

function tooLarge(bytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', {
    message: `The file has ${bytes} bytes; at most ${LIMITS.maxPageBytes} are read.`,
    suggestion: 'Send a part of it.',
    details: [{ path: 'file', message: `must have at most ${LIMITS.maxPageBytes} bytes` }],
  });
}
