import { pageText } from '../values/page-text.ts';
import type { FormatReader } from './format-reader.ts';

/** Reads the readable text of the page, with each block on its own line; limited in length. */
export const readText: FormatReader = (document, { budget }) => pageText(document, budget);
