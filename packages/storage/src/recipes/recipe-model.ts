import { documentSchema } from '../document-schema.ts';

/** Parts of a version of a recipe. Options and tests are JSON text, since BSON would reject some of their names. */
export interface RecipeContents {
  readonly name: string;
  readonly match: string[];
  readonly optionsJson: string;
  readonly testsJson: string;
  /** SHA-256 of the page of each test. */
  readonly pages: string[];
}

/** A recipe in its latest version. */
export interface RecipeDocument extends RecipeContents {
  readonly _id: string;
  readonly accountId: string;
  readonly version: number;
  /** Outcome of the last run of all tests of this version, as JSON. */
  readonly testedJson?: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An earlier version of a recipe, under the id of the recipe with the version: `rec_…@3`. */
export interface RecipeVersionDocument extends Omit<RecipeDocument, 'testedJson'> {
  readonly recipeId: string;
}

/** The text of a page of tests in UTF-8, compressed with brotli, under account and SHA-256. */
export interface RecipePageDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly sha256: string;
  /** Size of the text. */
  readonly textBytes: number;
  readonly source: Buffer;
  /** Size of the source. */
  readonly bytes: number;
  /** Time at which it was stored last, or found to be in use. */
  readonly usedAt: Date;
}

const CONTENTS = {
  name: { type: String, required: true },
  match: { type: [String], required: true },
  optionsJson: { type: String, required: true },
  testsJson: { type: String, required: true },
  pages: { type: [String], required: true },
} as const;

const DATED = {
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  version: { type: Number, required: true },
  ...CONTENTS,
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
} as const;

export const recipeSchema = documentSchema<RecipeDocument>({ ...DATED, testedJson: String });
recipeSchema.index({ accountId: 1, name: 1 }, { unique: true });
recipeSchema.index({ accountId: 1, pages: 1 });

export const recipeVersionSchema = documentSchema<RecipeVersionDocument>({
  ...DATED,
  recipeId: { type: String, required: true },
});
recipeVersionSchema.index({ recipeId: 1, version: 1 });
recipeVersionSchema.index({ accountId: 1, pages: 1 });

export const recipePageSchema = documentSchema<RecipePageDocument>({
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  sha256: { type: String, required: true },
  textBytes: { type: Number, required: true },
  source: { type: Buffer, required: true },
  bytes: { type: Number, required: true },
  usedAt: { type: Date, required: true },
});
recipePageSchema.index({ accountId: 1, bytes: 1 });
recipePageSchema.index({ usedAt: 1 });
