import { refuseCollation } from '../../indexes/parse-index-spec.ts';
import { encodeKey } from '../../keys/encode-key.ts';
import { valuesAtPath } from '../../paths/match-path.ts';
import { prepareQuery } from '../../query/find-query.ts';
import { runQuery } from '../../query/run-query.ts';
import { readArguments } from '../context/arguments.ts';
import type { Command } from '../context/command.ts';
import { namespaceOf } from '../context/namespace.ts';

/** https://www.mongodb.com/docs/manual/reference/command/distinct/ */
export const distinct: Command = {
  fields: ['key', 'query', 'collation', 'hint'],
  run: async (command, context) => {
    const args = readArguments(command, 'distinct');
    if (command.collation !== undefined) refuseCollation(command.collation);
    const parts = args.text('key').split('.');
    const filter = args.document('query');
    const collection = context.state.catalog.find(namespaceOf(command, context));
    if (collection === undefined) return { values: [] };
    const query = prepareQuery(collection, { filter, hint: command.hint }, context.scope);
    const found = new Map<string, { key: Buffer; value: unknown }>();
    for await (const batch of runQuery({ collection, ...query, skip: 0, limit: 0, pacer: context.pacer })) {
      for (const { document } of batch) {
        for (const value of valuesAtPath(document, parts).flat()) {
          const key = encodeKey([value], [1]);
          const text = key.toString('latin1');
          if (!found.has(text)) found.set(text, { key, value });
        }
      }
    }
    const sorted = [...found.values()].sort((a, b) => Buffer.compare(a.key, b.key));
    return { values: sorted.map(({ value }) => value) };
  },
};
