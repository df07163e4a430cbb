import { styleText } from 'node:util';

/** The streams of the process, and what they are connected to. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Writes to the error stream: what is our own as it is, and the text without what a terminal would obey. */
  warn(text: string, own?: string): void;
  /** Styles a text for the error stream, where colors are wanted. */
  style(style: Parameters<typeof styleText>[0], text: string): string;
}

/** Returns the streams of this process. */
export function openTerminal(process: NodeJS.Process): Terminal {
  return {
    // Opening a stream takes milliseconds, and few commands need all three.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    warn: (text, own = '') =>
      void process.stderr.write(own + (process.stderr.isTTY ? printable(text) : text)),
    style: (style, text) => styleText(style, text, { stream: process.stderr }),
  };
}

/**
 * Replaces control characters of terminals and of text direction: texts of pages and names are untrusted. A
 * line ends in one character.
 */
export function printable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, (character) =>
      '\n\t'.includes(character) ? character : '\ufffd',
    );
}

/** Returns a function that makes the parts of one stream printable, wherever they were divided. */
export function printableParts(): (part: string | Uint8Array) => string {
  const decoder = new TextDecoder();
  let held = '';
  return (part) => {
    const text = held + (typeof part === 'string' ? part : decoder.decode(part, { stream: true }));
    // What follows tells whether it ends a line.
    held = text.endsWith('\r') ? '\r' : '';
    return printable(held ? text.slice(0, -1) : text);
  };
}
