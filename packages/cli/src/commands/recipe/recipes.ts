import type { Recipe, RecipeSummary } from '@gleaner/client';
import { type Command, InvalidArgumentError } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { EXIT_CODES } from '../../exit-codes.ts';
import type { Column } from '../../output/render-table.ts';
import { forOne } from '../for-one.ts';
import { describeResult } from './test.ts';

const COLUMNS: readonly Column<RecipeSummary>[] = [
  { name: 'id', isWhole: true, value: ({ id }) => id },
  { name: 'version', value: ({ version }) => version },
  { name: 'name', value: ({ name }) => name },
  { name: 'tests', isWhole: true, value: describeTests },
  { name: 'match', isMinor: true, value: ({ match }) => match.join(' ') },
];

/** Describes how the tests of a recipe went the last time. */
function describeTests({ tests, tested }: RecipeSummary): string {
  if (tests === 0) return 'none';
  if (!tested) return `${tests}, not run`;
  return tested.failed === 0 ? `${tests} green` : `${tested.failed} of ${tests} red`;
}

/** `gleaner recipe list`. */
export function defineList(command: Command, cli: Cli): void {
  command.action(async (flags: GlobalOptions) => {
    const { output, gleaner, call } = await cli.open(flags);
    const none = 'There are no recipes. Write one as a file: gleaner recipe push recipes/';
    await output.list(await gleaner.recipes.list(call), COLUMNS, none);
  });
}

/** `gleaner recipe show <id>`. */
export const defineShow = forOne(
  '<id>',
  'id of the recipe, rec_… or rec_…@3',
  async (id, { output, gleaner, call }) => {
    const recipe = await gleaner.recipes.get(id, call);
    await output.one(recipe, fieldsOfRecipe(recipe));
  },
);

function fieldsOfRecipe(recipe: Recipe): [string, unknown][] {
  const { id, version, name, match, options, tests, tested, updatedAt } = recipe;
  return [
    ['id', id],
    ['version', version],
    ['name', name],
    ['match', match.join(' ')],
    ['options', options],
    ['tests', tests.map((test) => test.name).join(', ')],
    ['tested', tested && `${tested.passed} passed, ${tested.failed} failed`],
    ['updated', updatedAt],
  ];
}

interface RecordFlags extends GlobalOptions {
  readonly job: string;
  readonly index: number;
  readonly name?: string;
}

/** `gleaner recipe record <id> --job <id>`. */
export function defineRecord(command: Command, cli: Cli): void {
  command
    .argument('<id>', 'id of the recipe, rec_…')
    .requiredOption('--job <id>', 'job with --snapshot, whose pages are kept for a day')
    .option('--index <number>', 'the result, from 0', parseIndex, 0)
    .option('--name <name>', 'name of the test; default the path of the URL')
    .action(async (id: string, { job: jobId, index, name, ...flags }: RecordFlags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const body = { jobId, index, ...(name !== undefined && { name }) };
      const { recipe, result } = await gleaner.recipes.record(id, body, call);
      if (!result.passed) cli.exit = EXIT_CODES.failed.code;
      await output.one({ recipe, result }, [
        ['recipe', `${recipe.id}@${recipe.version}`],
        ['test', result.name],
        ['result', result.passed ? 'green' : 'red'],
        ['difference', describeResult(result)],
      ]);
    });
}

function parseIndex(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 0.');
}

/** `gleaner recipe delete <id>`. */
export const defineDelete = forOne('<id>', 'id of the recipe', async (id, { output, gleaner, call }) => {
  await gleaner.recipes.delete(id, call);
  await output.note(`${id} is deleted.`);
});
