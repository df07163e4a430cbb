/** A book of the demo shop; the price in pence. */
export interface Book {
  readonly slug: string;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly pricePence: number;
  readonly inStock: number;
  readonly about: string;
}

export const BOOKS: readonly Book[] = [
  book(
    'middlemarch',
    'Middlemarch',
    'George Eliot',
    1871,
    1299,
    4,
    'A town, its marriages, and the quiet acts that the growing good of the world depends on.',
  ),
  book(
    'moby-dick',
    'Moby-Dick',
    'Herman Melville',
    1851,
    1099,
    12,
    'A captain, a whale, and everything that is known about whales.',
  ),
  book(
    'jane-eyre',
    'Jane Eyre',
    'Charlotte Brontë',
    1847,
    899,
    0,
    'A governess who will not be less than she is.',
  ),
  book(
    'les-miserables',
    'Les Misérables',
    'Victor Hugo',
    1862,
    1599,
    3,
    'A loaf of bread, a candlestick, and the long road after.',
  ),
  book('war-and-peace', 'War and Peace', 'Leo Tolstoy', 1869, 1799, 7, 'Five families and one invasion.'),
  book(
    'crime-and-punishment',
    'Crime and Punishment',
    'Fyodor Dostoevsky',
    1866,
    1149,
    5,
    'A student has a theory, then an axe, then a conscience.',
  ),
  book(
    'the-moonstone',
    'The Moonstone',
    'Wilkie Collins',
    1868,
    949,
    2,
    'A diamond disappears and everybody tells the part they saw.',
  ),
  book(
    'frankenstein',
    'Frankenstein',
    'Mary Shelley',
    1818,
    799,
    9,
    'A maker who would not look after what he made.',
  ),
  book(
    'dracula',
    'Dracula',
    'Bram Stoker',
    1897,
    849,
    6,
    'Letters, diaries and a count who does not cast a reflection.',
  ),
  book(
    'don-quixote',
    'Don Quixote',
    'Miguel de Cervantes',
    1605,
    1699,
    1,
    'A gentleman reads too much and rides out.',
  ),
  book('emma', 'Emma', 'Jane Austen', 1815, 899, 8, 'Handsome, clever, rich, and wrong about everybody.'),
  book('walden', 'Walden', 'Henry David Thoreau', 1854, 749, 0, 'Two years in a cabin, with accounts.'),
];

function book(
  slug: string,
  title: string,
  author: string,
  year: number,
  pricePence: number,
  inStock: number,
  about: string,
): Book {
  return { slug, title, author, year, pricePence, inStock, about };
}
