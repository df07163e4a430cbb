/** Entry of the thread of a `CsvThread`: a text is the next result, and null asks for more of its lines. */
import { parentPort, workerData } from 'node:worker_threads';
import { linesOf, planLines } from './csv-lines.ts';
import type { CsvThreadData } from './render-csv.ts';

const PIECE_CHARACTERS = 256 * 1024;

const { exported, plan }: CsvThreadData = workerData;
const writer = planLines(exported, plan);
let lines: Iterator<string> = [].values();

parentPort?.on('message', (text: string | null) => {
  if (text !== null) lines = linesOf(text, writer);
  parentPort?.postMessage(nextPiece());
});

/** Returns further lines of the result; undefined at their end. */
function nextPiece(): Uint8Array | undefined {
  let piece = '';
  while (piece.length < PIECE_CHARACTERS) {
    const { done, value } = lines.next();
    if (done) break;
    piece += value;
  }
  return piece === '' ? undefined : Buffer.from(piece);
}
