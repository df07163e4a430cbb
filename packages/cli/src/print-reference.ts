/** Prints what the docs take from the code: the exit codes, and the help of every command. */
import type { Command } from 'commander';
import { createCli } from './create-cli.ts';
import { EXIT_CODES } from './exit-codes.ts';

const program = await createCli(process, AbortSignal.abort(), []).program(undefined);
const codes = Object.values(EXIT_CODES).map(({ code, when }) => `| ${code} | ${when} |`);
const helps = commandsOf(program).map(
  (command) => `## ${wordsOf(command)}\n\n\`\`\`\n${command.helpInformation()}\`\`\``,
);
process.stdout.write(
  JSON.stringify({ codes: ['| code | when |', '|---|---|', ...codes].join('\n'), helps: helps.join('\n\n') }),
);

/** Returns the commands that are not groups, in their order. */
function commandsOf(command: Command): Command[] {
  return command.commands.length > 0 ? command.commands.flatMap(commandsOf) : [command];
}

function wordsOf(command: Command): string {
  return command.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name();
}
