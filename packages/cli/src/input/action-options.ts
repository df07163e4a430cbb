import type { Action } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { readJson } from './read-text.ts';

/** Steps in a rendered page, as commander reads them. */
export interface ActionFlags {
  readonly action?: string[];
  readonly actionsFile?: string;
}

const EXAMPLE = 'Write a list of steps: [{"click": ".more"}, {"waitFor": ".results"}]';

/** Verbs whose target is followed by a value. */
const WITH_VALUE = ['fill', 'select'];

/** Adds the options of steps. */
export function addActionOptions(command: Command): Command {
  return command
    .option(
      '--action <step>',
      'step in the page before it is read, such as click=.more, fill=#q=kettle, press=Enter or repeat=click=.more; repeatable; implies --render',
      (step: string, before: string[] = []) => [...before, step],
    )
    .option(
      '--actions-file <file>',
      'steps as a JSON file, before those of --action; - is the standard input',
    );
}

/** Returns the steps of a file, then the steps of flags; undefined without any. */
export async function readActions(
  { action = [], actionsFile }: ActionFlags,
  cli: Pick<Cli, 'terminal'>,
): Promise<readonly Action[] | undefined> {
  const given = actionsFile === undefined ? [] : await readJson(actionsFile, EXAMPLE, cli);
  if (!Array.isArray(given)) throw new UsageError(`${actionsFile} is not a list of steps.`, EXAMPLE);
  // The service says what is wrong with a step.
  const steps = [...given, ...action.map(parseStep)] as Action[];
  return steps.length > 0 ? steps : undefined;
}

/** Reads `verb=target`, `verb=target=value` or the JSON of a step. */
function parseStep(text: string): unknown {
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new UsageError(`--action ${text} is not JSON: ${(error as Error).message}.`, EXAMPLE);
    }
  }
  const [, verb = '', target = ''] = /^\s*(\w+)=(.*)$/s.exec(text) ?? [];
  if (!verb || !target) {
    throw new UsageError(`--action ${text} is not verb=target.`, 'Write a step as --action click=.more');
  }
  if (verb === 'repeat') return { repeat: [parseStep(target)] };
  if (verb === 'waitFor' && /^\d+$/.test(target)) return { waitFor: Number(target) };
  if (!WITH_VALUE.includes(verb)) return { [verb]: target };
  const at = endOfSelector(target);
  if (at > 0) return { [verb]: target.slice(0, at), value: target.slice(at + 1) };
  throw new UsageError(`--action ${text} has no value.`, `Write it as --action '${verb}=${target}=value'`);
}

/** Returns the position of the first `=` that is neither in brackets nor in quotes. */
function endOfSelector(text: string): number {
  let quote = '';
  let depth = 0;
  for (const [at, character] of [...text].entries()) {
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '[' || character === '(') depth += 1;
    else if (character === ']' || character === ')') depth -= 1;
    else if (character === '=' && depth === 0) return [...text].slice(0, at).join('').length;
  }
  return -1;
}
