import { isDeepStrictEqual } from 'node:util';
import type { Model } from 'mongoose';
import type { Models } from './models.ts';

/**
 * Checks every stored document against the schema of its collection: mongoose must accept it and leave it as it is, so
 * that no field is missing, unknown, of another type, or without its default. Throws an error naming the first document
 * that differs. For tests: mongoose casts updates without checking what they leave behind, and the driver checks nothing.
 */
export async function checkDocuments(models: Models): Promise<void> {
  for (const model of Object.values(models)) await checkCollection(model as unknown as Model<object>);
}

async function checkCollection(model: Model<object>): Promise<void> {
  for await (const stored of model.collection.find({})) {
    const name = `The document ${String(stored._id)} of ${model.collection.name}`;
    const document = new model(stored);
    await document.validate().catch((cause: unknown) => {
      throw new Error(`${name} is invalid: ${String(cause)}`, { cause });
    });
    const expected = document.toObject({ flattenMaps: true });
    if (isDeepStrictEqual(sorted(stored), sorted(expected))) continue;
    throw new Error(
      `${name} differs from its schema: stored ${JSON.stringify(stored)}, by the schema ${JSON.stringify(expected)}`,
    );
  }
}

/** Orders fields by name, since updates append them and schemas do not; compares ids and dates by their text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype)
    return `${value.constructor.name} ${JSON.stringify(value)}`;
  const fields = Object.entries(value).map(([name, field]) => [name, sorted(field)] as const);
  return fields.sort(([one], [other]) => (one < other ? -1 : 1));
}
