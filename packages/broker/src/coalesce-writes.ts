import type { Writable } from 'node:stream';

/**
 * Has what is written in one turn of the event loop leave together. amqplib writes every frame by itself, and for small
 * ones a write costs more than all the rest.
 */
export function coalesceWrites(stream: Writable): void {
  const write = stream.write.bind(stream) as (...parameters: unknown[]) => boolean;
  let isCorked = false;
  const uncork = () => {
    isCorked = false;
    stream.uncork();
  };
  stream.write = (...parameters: unknown[]) => {
    if (!isCorked) {
      isCorked = true;
      stream.cork();
      process.nextTick(uncork);
    }
    return write(...parameters);
  };
}
