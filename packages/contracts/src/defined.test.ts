import { expect, it } from '@jest/globals';
import { defined } from './defined.ts';

it('leaves out what is undefined, and nothing else', () => {
  const title = undefined as string | undefined;
  const page: { title?: string; count: number; text: string; none: null } = defined({
    title,
    count: 0,
    text: '',
    none: null,
  });
  expect(page).toStrictEqual({ count: 0, text: '', none: null });
});
