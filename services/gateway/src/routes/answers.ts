import type { Readable } from 'node:stream';

/** A JSON answer with headers of its own. */
export class AnswerWithHeaders<Body> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Body, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

/** An answer that is sent while it is made; it never waits in memory as a whole. */
export class StreamedAnswer {
  readonly contentType: string;
  /** Asked for as fast as the caller reads. What it throws cuts the answer. */
  readonly chunks: AsyncIterable<string>;

  constructor(contentType: string, chunks: AsyncIterable<string>) {
    this.contentType = contentType;
    this.chunks = chunks;
  }
}

/** An answer of bytes that never change under their version. */
export class FileAnswer {
  readonly contentType: string;
  readonly bytes: number;
  /** Tells it from any other that was or will be at the same path. */
  readonly version: string;
  /** Opened only when it is wanted. What it throws cuts the answer. */
  readonly open: () => Readable;

  constructor(file: Pick<FileAnswer, 'contentType' | 'bytes' | 'version' | 'open'>) {
    this.contentType = file.contentType;
    this.bytes = file.bytes;
    this.version = file.version;
    this.open = file.open;
  }
}
