import { expect, it } from '@jest/globals';
import { familyOf } from './unknown-path.ts';

const unknownOf = (url: string) => familyOf(url, () => 0)?.unknownUrl;

it.each([
  ['https://shop.example/kettles/k2', 'https://shop.example/kettles/bbbbbbbbbbbbbbb'],
  ['https://shop.example/kettles/k2/', 'https://shop.example/kettles/bbbbbbbbbbbbbbb/'],
  ['https://shop.example/a/b/k2.html?page=2', 'https://shop.example/a/b/bbbbbbbbbbbbbbb.html'],
  ['https://shop.example/items/1044', 'https://shop.example/items/111111111111111'],
  ['https://shop.example/items/1044.php', 'https://shop.example/items/111111111111111.php'],
  ['https://shop.example/k2', 'https://shop.example/bbbbbbbbbbbbbbb'],
  ['https://shop.example/p/1044/a-good-kettle', undefined],
  ['https://shop.example/', undefined],
  ['https://shop.example/?page=2', undefined],
])('a path beside %s', (url, unknown) => {
  expect(unknownOf(url)).toBe(unknown);
});

it('is the same family for names that look alike in one folder', () => {
  const keyOf = (path: string) => familyOf(`https://shop.example${path}`)?.key;
  expect(keyOf('/items/1')).toBe(keyOf('/items/20?color=red'));
  expect(new Set(['/items/1', '/items/k2', '/items/k2/', '/items/k2.html', '/k2'].map(keyOf)).size).toBe(5);
});
