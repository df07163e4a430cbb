import { encodeDocument } from '../bson/bson-codec.ts';
import { type Doc, isDocument, typeName, typeOf } from '../bson/bson-types.ts';
import { commandError, writeError } from '../command-error.ts';
import { insertRaw } from '../writes/insert-document.ts';
import { writeInTurns } from '../writes/write-in-turns.ts';
import { checkBatchSize, countReply, namespaceOf, readArguments } from './arguments.ts';
import type { Command, CommandContext } from './command.ts';

/** https://www.mongodb.com/docs/manual/reference/command/insert/ */
export const insert: Command = {
  fields: ['documents', 'ordered'],
  isWrite: true,
  run: async (command, context) => {
    const namespace = namespaceOf(command, context);
    const documents = documentsOf(command, context);
    checkBatchSize(documents.length);
    const isOrdered = command.ordered === undefined || readArguments(command, 'insert').flag('ordered');
    const collection = context.state.catalog.findOrCreate(namespace);
    const writeErrors: Doc[] = [];
    let inserted = 0;
    await writeInTurns(documents, { collection, pacer: context.pacer }, (document, index) => {
      try {
        insertRaw(collection, document);
        inserted++;
        return true;
      } catch (error) {
        writeErrors.push(writeError(index, error));
        return !isOrdered;
      }
    });
    return { n: countReply(inserted), ...(writeErrors.length > 0 && { writeErrors }) };
  },
};

function documentsOf(command: Doc, context: CommandContext): readonly Buffer[] {
  const sequence = context.sequences.get('documents');
  if (sequence !== undefined) return sequence;
  readArguments(command, 'insert').required('documents');
  return readArguments(command, 'insert')
    .list('documents')
    .map((document, i) => {
      if (isDocument(document)) return encodeDocument(document);
      throw commandError(
        'TypeMismatch',
        `BSON field 'insert.documents.${i}' is the wrong type '${typeName(typeOf(document))}', expected type 'object'`,
      );
    });
}
