import type { Caller } from '../caller.ts';
import type { Recipe, RecipeSummary } from '../generated/openapi.ts';
import type { BodyOf, CallOptions, ResultOf } from '../operation-types.ts';
import { joinBytes, readChunks } from '../read-lines.ts';

/** Recipes: options for the pages of a site, with tests. Tests fetch nothing and cost nothing. */
export class Recipes {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Creates a recipe. */
  async create(body: BodyOf<'createRecipe'>, options?: CallOptions): Promise<Recipe> {
    return (await this.#caller.call('createRecipe', { body }, options)).recipe;
  }

  /** Lists the recipes by name, each in its latest version. */
  async list(options?: CallOptions): Promise<RecipeSummary[]> {
    return (await this.#caller.call('listRecipes', {}, options)).recipes;
  }

  /** Returns a recipe in its latest version, or in the version of an id such as `rec_…@3`. */
  async get(id: string, options?: CallOptions): Promise<Recipe> {
    return (await this.#caller.call('getRecipe', { path: { id } }, options)).recipe;
  }

  /** Makes a new version of a recipe, unless nothing differs. */
  async update(id: string, body: BodyOf<'updateRecipe'>, options?: CallOptions): Promise<Recipe> {
    return (await this.#caller.call('updateRecipe', { path: { id }, body }, options)).recipe;
  }

  /** Deletes a recipe with its versions and tests. */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#caller.call('deleteRecipe', { path: { id } }, options);
  }

  /** Runs the tests of a recipe and returns their results. */
  async test(id: string, options?: CallOptions): Promise<Omit<ResultOf<'testRecipe'>, 'success'>> {
    const { success, ...run } = await this.#caller.call('testRecipe', { path: { id } }, options);
    return run;
  }

  /** Runs tests of a recipe that is not stored. */
  async tryOut(
    body: BodyOf<'tryRecipe'>,
    options?: CallOptions,
  ): Promise<Omit<ResultOf<'tryRecipe'>, 'success'>> {
    const { success, ...run } = await this.#caller.call('tryRecipe', { body }, options);
    return run;
  }

  /** Makes a test of a result of a job, whose page was kept, and runs it. */
  async record(
    id: string,
    body: BodyOf<'recordTest'>,
    options?: CallOptions,
  ): Promise<Omit<ResultOf<'recordTest'>, 'success'>> {
    const { success, ...recorded } = await this.#caller.call('recordTest', { path: { id }, body }, options);
    return recorded;
  }

  /** Stores a page for tests, which name it by its SHA-256. */
  async addPage(html: string, options?: CallOptions): Promise<ResultOf<'addRecipePage'>['page']> {
    return (await this.#caller.call('addRecipePage', { body: { html } }, options)).page;
  }

  /** Returns the text of a page of tests by its SHA-256. */
  async page(sha256: string, options?: CallOptions): Promise<string> {
    const chunks: Uint8Array[] = [];
    const response = await this.#caller.open('getRecipePage', { path: { sha256 } }, options);
    for await (const chunk of readChunks(response)) chunks.push(chunk);
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(joinBytes(chunks));
  }
}
