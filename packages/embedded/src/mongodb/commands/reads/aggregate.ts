import { runPipeline, runStages } from '../../aggregate/run-pipeline.ts';
import { encodeDocument } from '../../bson/bson-codec.ts';
import { type Doc, isDocument } from '../../bson/bson-types.ts';
import { commandError, locationError, notServed } from '../../errors/command-error.ts';
import { evaluate } from '../../expressions/evaluate-expression.ts';
import { refuseCollation } from '../../indexes/parse-index-spec.ts';
import { readArguments, withLet } from '../context/arguments.ts';
import type { Command, CommandContext } from '../context/command.ts';
import { openCursor } from '../context/cursor-reply.ts';
import { namespaceOf } from '../context/namespace.ts';

/** https://www.mongodb.com/docs/manual/reference/command/aggregate/ */
export const aggregate: Command = {
  fields: [
    'pipeline',
    'cursor',
    'explain',
    'allowDiskUse',
    'bypassDocumentValidation',
    'collation',
    'hint',
    'let',
  ],
  run: async (command, context) => {
    const args = readArguments(command, 'aggregate');
    if (command.collation !== undefined) refuseCollation(command.collation);
    if (command.explain === true) throw notServed('aggregate with explain: true (use the explain command)');
    if (!isDocument(command.cursor)) {
      throw commandError(
        'FailedToParse',
        "The 'cursor' option is required, except for aggregate with the explain argument",
      );
    }
    args.required('pipeline');
    const isWhole = command.aggregate === 1;
    const namespace = isWhole ? `${context.database}.$cmd.aggregate` : namespaceOf(command, context);
    const batchSize = readArguments(args.document('cursor'), 'aggregate.cursor').natural('batchSize');
    const source = isWhole
      ? databasePipeline(command, context)
      : collectionPipeline(command, namespace, context);
    return openCursor(
      encoded(source),
      { namespace, batchSize, isSingleBatch: false, isPatient: false },
      context,
    );
  },
};

function collectionPipeline(command: Doc, namespace: string, context: CommandContext) {
  const pipeline = readArguments(command, 'aggregate').list('pipeline');
  const { state, database, pacer } = context;
  const deps = { catalog: state.catalog, database, pacer, hint: command.hint };
  return runPipeline(namespace.slice(database.length + 1), pipeline, withLet(command, context), deps);
}

/** `aggregate: 1` has no collection: its documents come from a `$documents` stage. */
function databasePipeline(command: Doc, context: CommandContext) {
  const [first, ...rest] = readArguments(command, 'aggregate').list('pipeline');
  const { state, database, pacer } = context;
  const scope = withLet(command, context);
  const deps = { catalog: state.catalog, database, pacer };
  if (isDocument(first) && '$documents' in first) {
    const documents = evaluate(first.$documents, {}, scope);
    if (!Array.isArray(documents) || !documents.every(isDocument)) {
      throw locationError(5858203, 'an array of documents is expected by $documents');
    }
    return runStages(once(documents), rest, scope, deps);
  }
  runStages(once([]), first === undefined ? [] : [first], scope, deps);
  throw commandError(
    'InvalidNamespace',
    '{aggregate: 1} is not valid for this pipeline; a collection is needed',
  );
}

async function* once(documents: readonly Doc[]): AsyncGenerator<readonly Doc[], void, void> {
  yield documents;
}

async function* encoded(source: AsyncIterable<readonly Doc[]>): AsyncGenerator<Buffer[], void, void> {
  for await (const batch of source) yield batch.map(encodeDocument);
}
