import { styleText } from 'node:util';

/** The streams of the process, and what they are connected to. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Writes to the error stream. */
  warn(text: string): void;
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
    warn: (text) => void process.stderr.write(text),
    style: (style, text) => styleText(style, text, { stream: process.stderr }),
  };
}

/**
 * Replaces characters that a terminal would obey, and those that turn the direction of a text: texts of pages and names
 * come from strangers.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, (character) =>
    '\n\t'.includes(character) ? character : '\ufffd',
  );
}
