/** Prints a new API key. */
import { generateKey } from '@gleaner/storage';

console.log(generateKey());
