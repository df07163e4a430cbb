import { refuseCollation } from '../../indexes/parse-index-spec.ts';
import { countMatches } from '../../query/count-matches.ts';
import { prepareQuery } from '../../query/find-query.ts';
import { countReply, readArguments } from '../context/arguments.ts';
import type { Command } from '../context/command.ts';
import { namespaceOf } from '../context/namespace.ts';

/** https://www.mongodb.com/docs/manual/reference/command/count/ */
export const count: Command = {
  fields: ['query', 'limit', 'skip', 'hint', 'collation', 'fields'],
  run: async (command, context) => {
    const args = readArguments(command, 'count');
    if (command.collation !== undefined) refuseCollation(command.collation);
    const filter = args.document('query');
    const skip = args.natural('skip') ?? 0;
    const limit = Math.abs(args.number('limit') ?? 0);
    const collection = context.state.catalog.find(namespaceOf(command, context));
    if (collection === undefined) return { n: 0 };
    const query = prepareQuery(collection, { filter, hint: command.hint }, context.scope);
    if (Object.keys(filter).length === 0) {
      const rest = Math.max(0, collection.count() - skip);
      return { n: countReply(limit === 0 ? rest : Math.min(rest, limit)) };
    }
    return { n: countReply(await countMatches({ collection, ...query, skip, limit, pacer: context.pacer })) };
  },
};
