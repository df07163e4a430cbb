import { runPipeline } from '../aggregate/run-pipeline.ts';
import { encodeDocument } from '../bson/bson-codec.ts';
import { type Doc, isDocument } from '../bson/bson-types.ts';
import { commandError } from '../command-error.ts';
import { namespaceOf, readArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { openCursor } from './cursor-reply.ts';

/** https://www.mongodb.com/docs/manual/reference/command/aggregate/ */
export const aggregate: Command = {
  fields: ['pipeline', 'cursor'],
  run: (command, context) => {
    const args = readArguments(command, 'aggregate');
    if (!isDocument(command.cursor)) {
      throw commandError(
        'FailedToParse',
        "The 'cursor' option is required, except for aggregate with the explain argument",
      );
    }
    args.required('pipeline');
    const namespace = namespaceOf(command, context);
    const batchSize = readArguments(args.document('cursor'), 'aggregate.cursor').natural('batchSize');
    const { state, pacer } = context;
    const documents = runPipeline(namespace, args.list('pipeline'), { catalog: state.catalog, pacer });
    return openCursor(encoded(documents), { namespace, batchSize }, context);
  },
};

async function* encoded(source: AsyncIterable<readonly Doc[]>): AsyncGenerator<Buffer[], void, void> {
  for await (const batch of source) yield batch.map(encodeDocument);
}
