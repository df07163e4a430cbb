import { Argument, type Command, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { SCRIPTS } from '../completion/shell-scripts.ts';
import { suggest } from '../completion/suggest.ts';
import { FILES } from '../completion/values.ts';
import { printable } from '../terminal.ts';

interface Flags {
  readonly words?: boolean;
}

/** `gleaner completion <shell>`: prints a script for the shell, which asks this command for the words. */
export function defineCompletion(command: Command, cli: Cli): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .argument('[words...]', 'words of a command line, the last one unfinished')
    .addOption(new Option('--words', 'print what can follow these words').hideHelp())
    .action(async (shell: string, words: string[], { words: isQuery }: Flags) => {
      const { stdout } = cli.terminal;
      if (!isQuery) return void stdout.write(SCRIPTS[shell] ?? '');
      const found = await suggest(words, cli);
      if (found === FILES) return void stdout.write(`:${FILES}\n`);
      // A description is one line, of texts that come from strangers.
      for (const { word, about } of found) stdout.write(`${word}\t${toLine(about)}\n`);
    });
}

function toLine(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' '));
}
