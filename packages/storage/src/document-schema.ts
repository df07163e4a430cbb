import { type Model, type mongo, Schema, type SchemaDefinitionProperty, type SchemaOptions } from 'mongoose';

/** One entry for each field of a document: a field that is missing here, or only here, does not compile. */
export type DocumentFields<Document> = {
  readonly [Field in keyof Required<Document>]: SchemaDefinitionProperty<Document[Field]>;
};

const OPTIONS = { versionKey: false, strict: 'throw' } as const;

/** Builds the schema of a collection's documents: strict, and without the version field that mongoose would add. */
export function documentSchema<Document>(
  fields: DocumentFields<Document>,
  options: Pick<SchemaOptions, 'minimize'> = {},
): Schema<Document> {
  return new Schema<Document>(fields as never, { ...OPTIONS, ...options } as never);
}

/** Matches a text literally: an operator in its place matches nothing, where mongoose would reject the query. */
export function exactly(text: string): { readonly $eq: string } {
  return { $eq: String(text) };
}

/** Returns the driver's collection beneath a model, which neither casts nor hydrates, for the stores that docs/decisions/mongoose.md lists. */
export function driverCollection<Document extends mongo.Document>(
  model: Model<Document>,
): mongo.Collection<Document> {
  return model.collection as unknown as mongo.Collection<Document>;
}
