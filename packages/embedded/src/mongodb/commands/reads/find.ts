import { encodeDocument } from '../../bson/bson-codec.ts';
import type { Doc } from '../../bson/bson-types.ts';
import { commandError, notServed } from '../../errors/command-error.ts';
import { refuseCollation } from '../../indexes/parse-index-spec.ts';
import { prepareQuery } from '../../query/find-query.ts';
import { compileProjection } from '../../query/project.ts';
import { type Match, runQuery } from '../../query/run-query.ts';
import { matchedPosition } from '../../update/matched-position.ts';
import { readArguments, withLet } from '../context/arguments.ts';
import type { Command, CommandContext } from '../context/command.ts';
import { openCursor } from '../context/cursor-reply.ts';
import { namespaceOf } from '../context/namespace.ts';

/** https://www.mongodb.com/docs/manual/reference/command/find/ */
export const find: Command = {
  fields: [
    ...[
      'filter',
      'sort',
      'projection',
      'hint',
      'skip',
      'limit',
      'batchSize',
      'singleBatch',
      'let',
      'collation',
    ],
    ...['noCursorTimeout', 'allowDiskUse', 'allowPartialResults', 'oplogReplay', 'tailable', 'awaitData'],
    ...['min', 'max', 'returnKey', 'showRecordId'],
  ],
  run: async (command, context) => {
    const args = readArguments(command, 'find');
    refuseUnserved(command);
    const namespace = namespaceOf(command, context);
    const limit = args.number('limit') ?? 0;
    const options = {
      namespace,
      batchSize: args.natural('batchSize'),
      isSingleBatch: args.flag('singleBatch') || limit < 0,
      isPatient: args.flag('noCursorTimeout'),
    };
    const parts = { skip: args.natural('skip') ?? 0, limit: Math.abs(limit) };
    return openCursor(findDocuments(command, namespace, parts, context), options, context);
  },
};

function refuseUnserved(command: Doc): void {
  if (command.collation !== undefined) refuseCollation(command.collation);
  if (command.tailable === true || command.awaitData === true) {
    throw commandError(
      'BadValue',
      'error processing query: tailable cursor requested on non capped collection',
    );
  }
  for (const option of ['min', 'max', 'returnKey', 'showRecordId']) {
    if (command[option] !== undefined && command[option] !== false)
      throw notServed(`find's option ${option}`);
  }
}

async function* findDocuments(
  command: Doc,
  namespace: string,
  { skip, limit }: { skip: number; limit: number },
  context: CommandContext,
): AsyncGenerator<Buffer[], void, void> {
  const args = readArguments(command, 'find');
  const scope = withLet(command, context);
  const collection = context.state.catalog.find(namespace);
  const query = { filter: args.document('filter'), sort: args.document('sort'), hint: command.hint };
  const projection = args.document('projection');
  if (collection === undefined) {
    compileProjection(projection, scope);
    prepareQuery(context.state.catalog.nowhere, { filter: query.filter, sort: query.sort }, scope);
    return;
  }
  const prepared = prepareQuery(collection, query, scope);
  const project = compileProjection(projection, scope, (document, path) =>
    matchedPosition(prepared.filter, document, path, scope),
  );
  const encode =
    project === undefined
      ? (match: Match) => match.raw
      : (match: Match) => encodeDocument(project(match.document));
  for await (const batch of runQuery({ collection, ...prepared, skip, limit, pacer: context.pacer })) {
    yield batch.map(encode);
  }
}
