import {
  type Connection,
  type Model,
  type mongo,
  Schema,
  type SchemaDefinitionProperty,
  type SchemaOptions,
} from 'mongoose';

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

/** Collection of the driver, and the connection that it is read and written on. */
export type DriverCollection<Document extends mongo.Document> = mongo.Collection<Document> & {
  readonly conn: Connection;
};

/** Returns the driver's collection beneath a model, which neither casts nor hydrates; docs/decisions/mongoose.md says where it is used. */
export function driverCollection<Document extends mongo.Document>(
  model: Model<Document>,
): DriverCollection<Document> {
  return model.collection as unknown as DriverCollection<Document>;
}
