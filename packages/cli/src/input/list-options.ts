import type { Listing } from '@gleaner/client';
import type { Command } from 'commander';
import { parseCount } from './option-values.ts';

/** Options of every list. */
export interface ListFlags {
  readonly limit?: number;
  readonly all?: boolean;
}

const DEFAULT_LIMIT = 20;

/** Adds the options of a list. */
export function addListOptions(command: Command): Command {
  return command
    .option('--limit <n>', `number of entries; default ${DEFAULT_LIMIT}`, parseCount)
    .option('--all', 'every entry');
}

/** Yields the entries that the options ask for. */
export async function* take<Item>(
  listing: Listing<Item>,
  { limit = DEFAULT_LIMIT, all }: ListFlags,
): AsyncGenerator<Item> {
  let left = all ? Number.POSITIVE_INFINITY : limit;
  if (left === 0) return;
  for await (const item of listing) {
    yield item;
    left -= 1;
    if (left === 0) return;
  }
}
