import type { Writable } from 'node:stream';

/**
 * Makes all writes of one turn of the event loop leave together. amqplib writes every frame by itself, and for small
 * frames the system call costs more than all the rest. Replaces `stream.write`: see docs/decisions/patches.md.
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
