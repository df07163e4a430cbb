import { createHash } from 'node:crypto';
import { createId } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createStores, type StoredRecipe, type Stores } from '../src/index.ts';
import { BACKENDS } from './backends.ts';
import { useBackend } from './use-backend.ts';

const NOW = new Date('2026-01-31T12:00:00.000Z');
const DAY_MS = 24 * 3600 * 1000;
const HUGE = 1024 * 1024;
const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

function pageOf(accountId: string, text: string) {
  const source = Buffer.from(text);
  const sha256 = createHash('sha256').update(source).digest('hex');
  return { accountId, sha256, textBytes: source.length, source, bytes: source.length };
}

describe.each(BACKENDS)('recipes on $name', ({ start }) => {
  let stores: Stores;
  useBackend(start, (connected) => {
    stores = createStores(connected);
  });

  function recipeOf(accountId: string, pages: string[] = []): StoredRecipe {
    const id = createId('rec');
    const contents = {
      name: id,
      match: ['https://a.test/*'],
      optionsJson: '{"a.b":1}',
      testsJson: '[]',
      pages,
    };
    return { id, accountId, version: 1, ...contents, createdAt: NOW, updatedAt: NOW };
  }

  it('are found as they were stored, in each version that is kept', async () => {
    const first = recipeOf('acc_1');
    expect(await stores.recipes.insertRecipe(first)).toBe('stored');
    const { name, match, testsJson, pages } = first;
    let before = first;
    for (let version = 2; version <= 5; version += 1) {
      const contents = { name, match, testsJson, pages, optionsJson: `${version}` };
      const now = later(version);
      expect(await stores.recipes.replaceRecipe(before, { contents, now, kept: 3 })).toBe('stored');
      before = { ...before, ...contents, version, updatedAt: now };
    }
    expect(await stores.recipes.findRecipe('acc_1', first.id)).toEqual(before);
    const found = await Promise.all(
      [1, 2, 3, 4, 5].map((version) => stores.recipes.findRecipe('acc_1', first.id, version)),
    );
    expect(found.map((each) => each?.optionsJson)).toEqual([undefined, undefined, '3', '4', '5']);
    expect(await stores.recipes.findRecipe('acc_2', first.id, 4)).toBeNull();
  });

  it('are replaced by one of several changes at once, and by none of another name', async () => {
    const [one, two] = [recipeOf('acc_3'), recipeOf('acc_3')];
    await stores.recipes.insertRecipe(one);
    await stores.recipes.insertRecipe(two);
    expect(await stores.recipes.insertRecipe({ ...one, id: createId('rec') })).toBe('nameTaken');
    const { name, match, testsJson, pages } = one;
    const changes = ['a', 'b'].map((optionsJson) =>
      stores.recipes.replaceRecipe(one, {
        contents: { name, match, testsJson, pages, optionsJson },
        now: NOW,
        kept: 10,
      }),
    );
    expect((await Promise.all(changes)).sort()).toEqual(['stale', 'stored']);
    const taken = { name, match, testsJson, pages, optionsJson: '' };
    expect(await stores.recipes.replaceRecipe(two, { contents: taken, now: NOW, kept: 10 })).toBe(
      'nameTaken',
    );
    expect(await stores.recipes.findRecipe('acc_3', two.id)).toEqual(two);
  });

  it('leave no version behind where they are deleted while they change', async () => {
    const recipe = recipeOf('acc_4');
    await stores.recipes.insertRecipe(recipe);
    expect(await stores.recipes.removeRecipe('acc_4', recipe.id)).toBe(true);
    const { name, match, testsJson, pages } = recipe;
    const contents = { name, match, testsJson, pages, optionsJson: '' };
    expect(await stores.recipes.replaceRecipe(recipe, { contents, now: NOW, kept: 10 })).toBe('stale');
    expect(await stores.recipes.findRecipe('acc_4', recipe.id, 1)).toBeNull();
    expect(await stores.recipes.removeRecipe('acc_4', recipe.id)).toBe(false);
  });

  it('note the outcome of their tests for their latest version alone', async () => {
    const recipe = recipeOf('acc_5');
    await stores.recipes.insertRecipe(recipe);
    await stores.recipes.noteTested({ ...recipe, version: 2 }, '{"passed":0}');
    expect((await stores.recipes.listRecipes('acc_5'))[0]).not.toHaveProperty('testedJson');
    await stores.recipes.noteTested(recipe, '{"passed":1}');
    expect(await stores.recipes.listRecipes('acc_5')).toMatchObject([
      { tests: 0, testedJson: '{"passed":1}' },
    ]);
  });

  it('have pages that are stored once, within a number of bytes', async () => {
    const [one, two] = [pageOf('acc_6', 'one'), pageOf('acc_6', 'another')];
    expect(await stores.recipes.keepPage(one, 5, NOW)).toBe(true);
    expect(await stores.recipes.keepPage(one, 1, NOW)).toBe(true);
    expect(await stores.recipes.keepPage(two, 5, NOW)).toBe(false);
    expect(await stores.recipes.touchPages('acc_6', [one.sha256, two.sha256], NOW)).toEqual(
      new Map([[one.sha256, 3]]),
    );
    const found = await stores.recipes.findPage('acc_6', one.sha256);
    expect(found?.source.toString()).toBe('one');
    expect(await stores.recipes.findPage('acc_7', one.sha256)).toBeNull();
  });

  it('lose the pages that neither they nor an earlier version have named for a day', async () => {
    const [kept, earlier, unused, fresh] = ['kept', 'earlier', 'unused', 'fresh'].map((text) =>
      pageOf('acc_8', text),
    ) as [ReturnType<typeof pageOf>, ...ReturnType<typeof pageOf>[]];
    for (const page of [kept, earlier, unused]) if (page) await stores.recipes.keepPage(page, HUGE, NOW);
    const recipe = recipeOf('acc_8', [earlier?.sha256 ?? '']);
    await stores.recipes.insertRecipe(recipe);
    const { name, match, testsJson, optionsJson } = recipe;
    const contents = { name, match, testsJson, optionsJson, pages: [kept.sha256] };
    await stores.recipes.replaceRecipe(recipe, { contents, now: NOW, kept: 10 });
    if (fresh) await stores.recipes.keepPage(fresh, HUGE, later(1.5));
    await stores.recipes.sweepPages(later(0.5));
    expect(await stores.recipes.findPage('acc_8', unused?.sha256 ?? '')).not.toBeNull();
    await stores.recipes.sweepPages(later(2));
    const found = await Promise.all(
      [kept, earlier, unused, fresh].map((page) => stores.recipes.findPage('acc_8', page?.sha256 ?? '')),
    );
    expect(found.map((page) => page !== null)).toEqual([true, true, false, true]);
  });
});
