import type { DriverCollection } from '../document-schema.ts';
import type { RecipeDocument, RecipePageDocument, RecipeVersionDocument } from './recipe-model.ts';

/** A page of tests. */
export type StoredRecipePage = Pick<
  RecipePageDocument,
  'accountId' | 'sha256' | 'textBytes' | 'source' | 'bytes'
>;

/** A day: a page is stored before the recipe that names it. */
const UNUSED_MS = 24 * 3600 * 1000;
const PAGES_PER_SWEEP = 50;

/** Store of the pages of tests, each once for an account. */
export class RecipePages {
  readonly #pages: DriverCollection<RecipePageDocument>;
  readonly #recipes: DriverCollection<RecipeDocument>;
  readonly #versions: DriverCollection<RecipeVersionDocument>;

  constructor(
    pages: DriverCollection<RecipePageDocument>,
    recipes: DriverCollection<RecipeDocument>,
    versions: DriverCollection<RecipeVersionDocument>,
  ) {
    this.#pages = pages;
    this.#recipes = recipes;
    this.#versions = versions;
  }

  /** Stores a page, unless the account has it. Returns false, and stores nothing, if its pages would take more bytes than this. */
  async keepPage(page: StoredRecipePage, maxBytes: number, now: Date): Promise<boolean> {
    const { accountId, sha256, ...contents } = page;
    const _id = idOf(accountId, sha256);
    const { matchedCount } = await this.#pages.updateOne({ _id }, { $set: { usedAt: now } });
    if (matchedCount > 0) return true;
    const sizes = await this.#pages
      .find({ accountId })
      .project<Pick<RecipePageDocument, 'bytes'>>({ _id: 0, bytes: 1 })
      .toArray();
    const used = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    if (used + page.bytes > maxBytes) return false;
    const $setOnInsert = { accountId, sha256, ...contents };
    await this.#pages.updateOne({ _id }, { $set: { usedAt: now }, $setOnInsert }, { upsert: true });
    return true;
  }

  /** Returns the sizes of the texts of pages that the account has, by SHA-256; they are kept for a day more. */
  async touchPages(
    accountId: string,
    hashes: readonly string[],
    now: Date,
  ): Promise<ReadonlyMap<string, number>> {
    const ids = hashes.map((sha256) => idOf(accountId, sha256));
    if (ids.length === 0) return new Map();
    await this.#pages.updateMany({ _id: { $in: ids } }, { $set: { usedAt: now } });
    const found = await this.#pages
      .find({ _id: { $in: ids } })
      .project<Pick<RecipePageDocument, 'sha256' | 'textBytes'>>({ _id: 0, sha256: 1, textBytes: 1 })
      .toArray();
    return new Map(found.map(({ sha256, textBytes }) => [sha256, textBytes]));
  }

  /** Returns a page of the account, or null. */
  async findPage(accountId: string, sha256: string): Promise<StoredRecipePage | null> {
    return await this.#pages.findOne({ _id: idOf(accountId, sha256), accountId }, { promoteBuffers: true });
  }

  /** Deletes some of the pages without a recipe, the longest unused first. Returns their number. */
  async sweepPages(now: Date): Promise<number> {
    const before = new Date(now.getTime() - UNUSED_MS);
    const old = await this.#pages
      .find({ usedAt: { $lt: before } })
      .project<Omit<RecipePageDocument, 'source'>>({ source: 0 })
      .sort({ usedAt: 1 })
      .limit(PAGES_PER_SWEEP)
      .toArray();
    let deleted = 0;
    for (const { _id, accountId, sha256: pages, usedAt } of old) {
      const recipe = await this.#recipes.findOne({ accountId, pages }, { projection: { _id: 1 } });
      const user = recipe ?? (await this.#versions.findOne({ accountId, pages }, { projection: { _id: 1 } }));
      // One that was stored again since it was read stays.
      const filter = { _id, usedAt };
      if (user) await this.#pages.updateOne(filter, { $set: { usedAt: now } });
      else deleted += (await this.#pages.deleteOne(filter)).deletedCount;
    }
    return deleted;
  }
}

function idOf(accountId: string, sha256: string): string {
  return `${accountId} ${sha256}`;
}
