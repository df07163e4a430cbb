/** Entry of the thread that writes large results as CSV. */
import { workerData } from 'node:worker_threads';
import { planTable } from '../columns/rows.ts';
import { answer } from '../thread.ts';
import { linesOf } from './csv-lines.ts';
import type { CsvThreadData } from './render-csv.ts';

const PIECE_CHARACTERS = 256 * 1024;

const { exported, plan }: CsvThreadData = workerData;
const table = planTable(exported, plan);

answer(function* (text: string): Generator<Uint8Array> {
  let piece = '';
  for (const line of linesOf(text, table)) {
    piece += line;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
});
