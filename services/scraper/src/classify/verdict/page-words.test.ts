import { describe, expect, it } from '@jest/globals';
import { kindOfWords } from './page-words.ts';

describe('kindOfWords', () => {
  it.each([
    ['404', 'notFound'],
    ['404 Not Found', 'notFound'],
    ['Error 404: Page Not Found', 'notFound'],
    ['Oops! That page can’t be found.', 'notFound'],
    ['Página no encontrada - Tienda', 'notFound'],
    ['Shop » Sayfa Bulunamadı', 'notFound'],
    ['ページが見つかりません | 店', 'notFound'],
    ['LOG IN', 'login'],
    ['Sign in · Shop', 'login'],
    ['Just a moment...', 'wall'],
    ['Access denied… Shop', 'wall'],
    ['Attention Required! | Cloudflare', 'wall'],
    ['We value your privacy', 'consent'],
    ['We’ll be back soon!', 'notice'],
    ['Технические работы', 'notice'],
  ])('takes %j for %s', (text, kind) => {
    expect(kindOfWords(text)).toBe(kind);
  });

  it.each([
    '',
    'Error',
    'How to fix the error “404 Not Found”',
    'login(1) — Linux manual page',
    'Peugeot 404',
    'Access denied: a film by a director',
    'Page not found handlers in Express',
    'Maintenance of kettles',
    'Just a moment... and other pages that you have seen',
    'Access denied… and how it ended',
  ])('takes %j for nothing', (text) => {
    expect(kindOfWords(text)).toBeUndefined();
  });
});
