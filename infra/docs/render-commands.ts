import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const PRINT_REFERENCE = resolve(import.meta.dirname, '../../packages/cli/src/print-reference.ts');

/** Parts of the pages about the command line that come from its code. */
export interface CommandSections {
  readonly codes: string;
  readonly helps: string;
}

/** Renders the exit codes and the help of every command, as the command line itself prints them. */
export function renderCommands(): CommandSections {
  const env = { NO_COLOR: '1', COLUMNS: '80' };
  const args = ['--disable-warning=ExperimentalWarning', PRINT_REFERENCE];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', env })) as CommandSections;
}
