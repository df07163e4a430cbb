import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Cli } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';

/** A question for the person at the terminal. */
export interface Question {
  readonly text: string;
  /** Answer to an empty line. */
  readonly fallback?: string;
  /** True for secrets, which are not shown. */
  readonly isHidden?: boolean;
  /** Option that answers the question where no one can be asked. */
  readonly option: string;
}

/** Asks on the error stream and returns the answer. Throws when no one can be asked. */
export async function ask(
  question: Question,
  { terminal, signal }: Pick<Cli, 'terminal' | 'signal'>,
): Promise<string> {
  const { text, fallback, isHidden, option } = question;
  if (!terminal.stdin.isTTY) throw new UsageError(`${text} is missing.`, `Give it with ${option}.`);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = `${text}${fallback ? ` [${fallback}]` : ''}: `;
  if (isHidden) terminal.warn(prompt);
  const reader = createInterface({
    input: terminal.stdin,
    output: isHidden ? silent : terminal.stderr,
    terminal: true,
  });
  try {
    const answer = await reader.question(isHidden ? '' : prompt, { signal });
    return answer.trim() || fallback || '';
  } finally {
    reader.close();
    if (isHidden) terminal.warn('\n');
  }
}
