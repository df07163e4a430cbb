import { type Command, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { SCRIPTS } from '../completion/scripts.ts';
import { suggest } from '../completion/suggest.ts';
import { UsageError } from '../exit-codes.ts';

interface Flags {
  readonly words?: boolean;
}

/** `gleaner completion <shell>`: prints a script for the shell, which asks this command for the words. */
export function defineCompletion(command: Command, cli: Cli): void {
  command
    .argument('<shell>', Object.keys(SCRIPTS).join(', '))
    .argument('[words...]', 'words of a command line, the last one unfinished')
    .addOption(new Option('--words', 'print what can follow these words').hideHelp())
    .action(async (shell: string, words: string[], { words: isQuery }: Flags) => {
      const { stdout } = cli.terminal;
      if (isQuery) {
        for (const { word, about } of await suggest(words, cli)) stdout.write(`${word}\t${about}\n`);
        return;
      }
      const script = SCRIPTS[shell];
      if (!script)
        throw new UsageError(
          `${shell} is not a shell that is known here.`,
          `There are: ${Object.keys(SCRIPTS).join(', ')}.`,
        );
      stdout.write(script);
    });
}
