import type { PartOutput, PartWriter } from '../part-writer.ts';

const PIECE_BYTES = 256 * 1024;

/** Lines of a format: those of one result, and the first line of each part. */
interface LineFormat {
  readonly head: string;
  readonly linesOf: (text: string) => Iterable<string>;
}

/** Writes results as lines; parts end behind the line with which they have their size. */
export class LineParts implements PartWriter {
  readonly #format: LineFormat;
  readonly #partBytes: number;
  #lines: Buffer[] = [];
  #lineBytes = 0;
  #sentBytes = 0;
  #rows = 0;
  #hasEnded = false;

  constructor(format: LineFormat, partBytes: number) {
    this.#format = format;
    this.#partBytes = partBytes;
  }

  *write(text: string): Generator<PartOutput> {
    for (const line of this.#format.linesOf(text)) {
      if (this.#rows === 0) this.#add(this.#format.head);
      this.#add(line);
      this.#rows += 1;
      if (this.#sentBytes + this.#lineBytes >= this.#partBytes) yield* this.#endPart();
      else if (this.#lineBytes >= PIECE_BYTES) yield this.#take();
    }
  }

  *end(): Generator<PartOutput> {
    if (this.#rows === 0 && this.#hasEnded) return;
    if (this.#rows === 0) this.#add(this.#format.head);
    yield* this.#endPart();
  }

  #add(line: string): void {
    const bytes = Buffer.from(line);
    this.#lines.push(bytes);
    this.#lineBytes += bytes.byteLength;
  }

  *#endPart(): Generator<PartOutput> {
    yield this.#take();
    yield { rows: this.#rows };
    this.#rows = 0;
    this.#sentBytes = 0;
    this.#hasEnded = true;
  }

  #take(): Buffer {
    const piece = Buffer.concat(this.#lines);
    this.#lines = [];
    this.#lineBytes = 0;
    this.#sentBytes += piece.byteLength;
    return piece;
  }
}
