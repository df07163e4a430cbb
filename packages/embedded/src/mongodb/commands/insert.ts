import { encodeDocument } from '../bson/bson-codec.ts';
import { type Doc, isDocument, typeName, typeOf } from '../bson/bson-types.ts';
import { commandError } from '../errors/command-error.ts';
import { writeError } from '../errors/error-reply.ts';
import { insertRaw } from '../writes/insert-document.ts';
import { checkBatchSize, countReply, readArguments } from './arguments.ts';
import type { Command, CommandContext } from './command.ts';
import { namespaceOf } from './namespace.ts';

/** How many documents one transaction takes: between two, others have their turn. */
const STEP = 200;

/** https://www.mongodb.com/docs/manual/reference/command/insert/ */
export const insert: Command = {
  fields: ['documents', 'ordered', 'bypassDocumentValidation'],
  isWrite: true,
  run: async (command, context) => {
    const namespace = namespaceOf(command, context);
    const documents = documentsOf(command, context);
    checkBatchSize(documents.length);
    const isOrdered = command.ordered === undefined || readArguments(command, 'insert').flag('ordered');
    const collection = context.state.catalog.findOrCreate(namespace);
    const writeErrors: Doc[] = [];
    let inserted = 0;
    for (let at = 0; at < documents.length && !(isOrdered && writeErrors.length > 0); at += STEP) {
      if (at > 0) await new Promise((resolve) => setImmediate(resolve));
      context.pacer.check();
      collection.write(() => {
        for (let i = at; i < Math.min(at + STEP, documents.length); i++) {
          try {
            insertRaw(collection, documents[i] as Buffer);
            inserted++;
          } catch (error) {
            writeErrors.push(writeError(i, error));
            if (isOrdered) return;
          }
        }
      });
    }
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
