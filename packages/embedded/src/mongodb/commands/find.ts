import { encodeDocument } from '../bson/bson-codec.ts';
import type { Doc } from '../bson/bson-types.ts';
import { prepareQuery } from '../query/prepare-query.ts';
import { compileProjection } from '../query/project.ts';
import { type Match, runQuery } from '../query/run-query.ts';
import { namespaceOf, readArguments } from './arguments.ts';
import type { Command, CommandContext } from './command.ts';
import { openCursor } from './cursor-reply.ts';

/** https://www.mongodb.com/docs/manual/reference/command/find/ */
export const find: Command = {
  fields: ['filter', 'sort', 'projection', 'skip', 'limit', 'batchSize', 'singleBatch'],
  run: async (command, context) => {
    const args = readArguments(command, 'find');
    const namespace = namespaceOf(command, context);
    const limit = args.number('limit') ?? 0;
    const options = {
      namespace,
      batchSize: args.natural('batchSize'),
      isSingleBatch: args.flag('singleBatch') || limit < 0,
    };
    const parts = { skip: args.natural('skip') ?? 0, limit: Math.abs(limit) };
    return openCursor(findDocuments(command, namespace, parts, context), options, context);
  },
};

async function* findDocuments(
  command: Doc,
  namespace: string,
  { skip, limit }: { skip: number; limit: number },
  { state: { catalog }, pacer }: CommandContext,
): AsyncGenerator<Buffer[], void, void> {
  const args = readArguments(command, 'find');
  const collection = catalog.find(namespace);
  const query = { filter: args.document('filter'), sort: args.document('sort') };
  const prepared = prepareQuery(collection ?? catalog.nowhere, query);
  const project = compileProjection(args.document('projection'));
  if (collection === undefined) return;
  const encode =
    project === undefined
      ? (match: Match) => match.raw
      : (match: Match) => encodeDocument(project(match.document));
  for await (const batch of runQuery({ collection, ...prepared, skip, limit, pacer })) {
    yield batch.map(encode);
  }
}
