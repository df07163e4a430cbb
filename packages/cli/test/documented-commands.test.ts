import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { createCli } from '../src/create-cli.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const DOCS = readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`);
const PAGES = ['README.md', 'packages/cli/README.md', ...DOCS.filter((path) => path.endsWith('.md'))];

/** The commands of a page's shell blocks, each with its line. */
function commandsIn(page: string): { readonly line: string; readonly words: string[] }[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
  const lines = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
  return lines.flatMap((line) => {
    const [, command] = /^(?:npm run (?:-s )?gleaner --|gleaner) (.*)/.exec(line) ?? [];
    return command === undefined || /^\s*#/.test(line)
      ? []
      : [{ line: line.trim(), words: wordsOf(command) }];
  });
}

/** The words of a command as a shell splits them, up to a pipe, another file, another command or a comment. */
function wordsOf(command: string): string[] {
  const words = command.match(/(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"\\])+/g) ?? [];
  const end = words.findIndex((word) => /^([|<>#]|&&)|[;)]$/.test(word));
  return words.slice(0, end === -1 ? undefined : end).map((word) => word.replace(/\\(.)|['"]/g, '$1'));
}

/** Returns what the command line would refuse of the words. */
function problemOf(program: Command, words: readonly string[]): string | undefined {
  let command = program;
  let rest = [...words];
  for (;;) {
    const inner = command.commands.find((each) => each.name() === rest[0]);
    if (!inner) break;
    command = inner;
    rest = rest.slice(1);
  }
  if (command.commands.length > 0) return rest[0]?.startsWith('-') ? undefined : `no command ${rest[0]}`;
  const { operands, unknown } = command.parseOptions(rest);
  const wanted = command.registeredArguments;
  if (unknown.length > 0 && unknown[0] !== '--help') return `unknown option ${unknown[0]}`;
  if (operands.length > wanted.length && !wanted.at(-1)?.variadic) return `too many arguments`;
  return undefined;
}

describe('the commands of the documentation', () => {
  let program: Command;
  beforeAll(async () => {
    program = await createCli(process, new AbortController().signal, []).program(undefined);
  });

  it.each(PAGES)('are taken as %s writes them', (page) => {
    const refused = commandsIn(page).flatMap(({ line, words }) => {
      const problem = problemOf(program, words);
      return problem === undefined ? [] : [`${problem}: ${line}`];
    });
    expect(refused).toEqual([]);
  });

  it('are many', () => {
    expect(PAGES.flatMap(commandsIn).length).toBeGreaterThan(30);
  });
});
