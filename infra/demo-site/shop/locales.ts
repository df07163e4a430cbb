/** Languages of the shelves. */
export type Language = 'en' | 'de' | 'ja';

/** A shelf's language: words, currency, and the notation of prices and dates. */
export interface Locale {
  readonly language: Language;
  readonly currency: string;
  /** Path of the list of books, and of the folder of their pages. */
  readonly shelf: string;
  readonly books: string;
  /** Returns the number that a price of the table stands for. */
  parsePrice(text: string): number;
  formatPrice(price: number): string;
  formatDate(date: Date): string;
  formatStock(count: number): string;
  formatAuthor(author: string): string;
  readonly words: Readonly<Record<Word, string>>;
}

type Word =
  | ('home' | 'shelf' | 'intro' | 'next' | 'previous' | 'details' | 'author' | 'firstPublished' | 'published')
  | (
      | 'pages'
      | 'category'
      | 'language'
      | 'languageName'
      | 'availability'
      | 'reviews'
      | 'noReviews'
      | 'related'
    )
  | ('was' | 'cart' | 'stars' | 'cover');

export const LOCALES: Readonly<Record<Language, Locale>> = {
  en: {
    language: 'en',
    currency: 'GBP',
    shelf: '/books',
    books: '/books',
    parsePrice: Number,
    formatPrice: (price) => `£${price.toFixed(2)}`,
    formatDate: dateFormat('en-GB'),
    formatStock: (count) => (count > 0 ? `In stock (${count})` : 'Sold out'),
    formatAuthor: (author) => author,
    words: {
      home: 'Home',
      shelf: 'All books',
      intro: 'Every English book in the shop.',
      next: 'Next page',
      previous: 'Previous page',
      details: 'Details',
      author: 'Author',
      firstPublished: 'First published',
      published: 'This edition',
      pages: 'Pages',
      category: 'Category',
      language: 'Language',
      languageName: 'English',
      availability: 'Availability',
      reviews: 'Reviews',
      noReviews: 'No one has reviewed this book yet.',
      related: 'You may also like',
      was: 'was',
      cart: 'Add to cart',
      stars: 'out of 5 stars',
      cover: 'Cover of',
    },
  },
  de: {
    language: 'de',
    currency: 'EUR',
    shelf: '/de',
    books: '/de/buecher',
    parsePrice: (text) => Number(text.replaceAll('.', '').replace(',', '.')),
    formatPrice: (price) =>
      `${price.toLocaleString('de-DE', { minimumFractionDigits: 2, useGrouping: true })}\u00a0€`,
    formatDate: dateFormat('de-DE'),
    formatStock: (count) => (count > 0 ? `Auf Lager (${count} Stück)` : 'Ausverkauft'),
    formatAuthor: (author) => author,
    words: {
      home: 'Startseite',
      shelf: 'Deutsche Bücher',
      intro: 'Bücher in deutscher Sprache, Preise in Euro inkl. 7 % MwSt.',
      next: 'Nächste Seite',
      previous: 'Vorige Seite',
      details: 'Angaben zum Buch',
      author: 'Autor',
      firstPublished: 'Erstmals erschienen',
      published: 'Erscheinungstermin',
      pages: 'Seitenzahl',
      category: 'Gattung',
      language: 'Sprache',
      languageName: 'Deutsch',
      availability: 'Verfügbarkeit',
      reviews: 'Rezensionen',
      noReviews: 'Noch keine Rezensionen.',
      related: 'Das könnte Ihnen auch gefallen',
      was: 'statt',
      cart: 'In den Warenkorb',
      stars: 'von 5 Sternen',
      cover: 'Umschlag von',
    },
  },
  ja: {
    language: 'ja',
    currency: 'JPY',
    shelf: '/ja',
    books: '/ja/books',
    parsePrice: (text) => Number(text.replaceAll(',', '')),
    formatPrice: (price) => `${price.toLocaleString('ja-JP')}円`,
    formatDate: dateFormat('ja-JP'),
    formatStock: (count) => (count > 0 ? `在庫あり（残り${count}冊）` : '在庫切れ'),
    formatAuthor: (author) => `${author} 著`,
    words: {
      home: 'ホーム',
      shelf: '日本語の本',
      intro: '日本語の本の棚です。価格はすべて税込です。',
      next: '次のページ',
      previous: '前のページ',
      details: '商品情報',
      author: '著者',
      firstPublished: '初出',
      published: '発売日',
      pages: 'ページ数',
      category: 'ジャンル',
      language: '言語',
      languageName: '日本語',
      availability: '在庫',
      reviews: 'レビュー',
      noReviews: 'まだレビューはありません。',
      related: '関連する本',
      was: '通常価格',
      cart: 'カートに入れる',
      stars: '（5段階評価）',
      cover: '表紙：',
    },
  },
};

/** Returns a function that writes a date as people of the language do: `3 August 2026`. */
function dateFormat(locale: string): (date: Date) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return (date) => format.format(date);
}
