import { defined } from '@gleaner/contracts';
import { insertMissing } from '../database/insert-missing.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import type { DriverCollection } from '../document-schema.ts';
import type { RecipeContents, RecipeDocument, RecipeVersionDocument } from './recipe-model.ts';

/** A recipe in one of its versions. */
export type StoredRecipe = Omit<RecipeDocument, '_id'> & { readonly id: string };

/** A recipe without its options and tests. */
export interface ListedRecipe extends Omit<StoredRecipe, 'optionsJson' | 'testsJson' | 'pages'> {
  /** Number of tests. */
  readonly tests: number;
}

/** The URLs that a recipe is for. */
export type RecipePatterns = Pick<StoredRecipe, 'id' | 'version' | 'name' | 'match'>;

/** Outcome of a write; `stale` if another write was first. */
export type RecipeWrite = 'stored' | 'nameTaken' | 'stale';

/** Id of a version: the id of its recipe, an at sign and its number. */
export function versionIdOf({ id, version }: Pick<StoredRecipe, 'id' | 'version'>): string {
  return `${id}@${version}`;
}

/**
 * Store of recipes; only the gateway writes it. The document of a recipe is its latest version. Before that is replaced, by one
 * write, it is copied among the earlier versions, whose documents never change: a process may die anywhere.
 */
export class RecipeStore {
  readonly #recipes: DriverCollection<RecipeDocument>;
  readonly #versions: DriverCollection<RecipeVersionDocument>;

  constructor(recipes: DriverCollection<RecipeDocument>, versions: DriverCollection<RecipeVersionDocument>) {
    this.#recipes = recipes;
    this.#versions = versions;
  }

  /** Stores a new recipe, unless the account has one of this name. */
  async insertRecipe({ id, ...fields }: StoredRecipe): Promise<RecipeWrite> {
    return await writing(async () => {
      await this.#recipes.insertOne({ _id: id, ...fields });
      return 'stored';
    });
  }

  /** Returns the number of recipes of the account. */
  async countRecipes(accountId: string): Promise<number> {
    return await this.#recipes.countDocuments({ accountId });
  }

  /** Returns the recipes of the account by name. */
  async listRecipes(accountId: string): Promise<ListedRecipe[]> {
    const found = await this.#recipes
      .find({ accountId })
      .project<Omit<RecipeDocument, 'optionsJson' | 'testsJson'>>({ optionsJson: 0, testsJson: 0 })
      .sort({ name: 1 })
      .toArray();
    return found.map(({ _id: id, pages, ...rest }) => ({ id, ...rest, tests: pages.length }));
  }

  /** Returns the patterns of the recipes of the account that have any. */
  async listPatterns(accountId: string): Promise<RecipePatterns[]> {
    const found = await this.#recipes
      .find({ accountId, 'match.0': { $exists: true } })
      .project<Pick<RecipeDocument, '_id' | 'version' | 'name' | 'match'>>({ version: 1, name: 1, match: 1 })
      .toArray();
    return found.map(({ _id: id, ...rest }) => ({ id, ...rest }));
  }

  /** Returns a recipe of the account in its latest version, or in a kept earlier one; null without such a recipe or version. */
  async findRecipe(accountId: string, id: string, version?: number): Promise<StoredRecipe | null> {
    const latest = await this.#recipes.findOne({ _id: id, accountId });
    if (!latest || version === undefined || version === latest.version) return latest && toStored(latest);
    const earlier = await this.#versions.findOne({ _id: versionIdOf({ id, version }), accountId });
    if (!earlier) return null;
    const { recipeId, ...fields } = earlier;
    return { ...toStored(fields), id: recipeId };
  }

  /** Replaces a recipe by its next version; versions before the last `kept` are deleted. */
  async replaceRecipe(
    before: StoredRecipe,
    { contents, now, kept }: { readonly contents: RecipeContents; readonly now: Date; readonly kept: number },
  ): Promise<RecipeWrite> {
    const { id, testedJson: _tested, ...fields } = before;
    const { accountId, version } = fields;
    await insertMissing(this.#versions, [{ ...fields, _id: versionIdOf(before), recipeId: id }]);
    const outcome = await writing(async () => {
      const { matchedCount } = await this.#recipes.updateOne(
        { _id: id, accountId, version },
        { $set: { ...contents, version: version + 1, updatedAt: now }, $unset: { testedJson: 1 } },
      );
      return matchedCount > 0 ? 'stored' : 'stale';
    });
    // The recipe may have been deleted since it was read.
    const isThere = outcome === 'stored' || (await this.#recipes.countDocuments({ _id: id })) > 0;
    const last = isThere ? version + 1 - kept : version;
    await this.#versions.deleteMany({ recipeId: id, version: { $lte: last } });
    return outcome;
  }

  /** Notes the outcome of all tests of a version, if it is still the latest. */
  async noteTested({ id, version }: Pick<StoredRecipe, 'id' | 'version'>, testedJson: string): Promise<void> {
    await this.#recipes.updateOne({ _id: id, version }, { $set: { testedJson } });
  }

  /** Deletes a recipe with its versions. Returns false if the account has none of this id. */
  async removeRecipe(accountId: string, id: string): Promise<boolean> {
    if ((await this.#recipes.countDocuments({ _id: id, accountId })) === 0) return false;
    await this.#versions.deleteMany({ recipeId: id });
    const { deletedCount } = await this.#recipes.deleteOne({ _id: id, accountId });
    // A version may have been made in between.
    await this.#versions.deleteMany({ recipeId: id });
    return deletedCount > 0;
  }
}

async function writing(write: () => Promise<RecipeWrite>): Promise<RecipeWrite> {
  try {
    return await write();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return 'nameTaken';
  }
}

function toStored({ _id: id, testedJson, ...rest }: RecipeDocument): StoredRecipe {
  return { id, ...rest, ...defined({ testedJson }) };
}
