import type { WireReader } from './wire-event.ts';

/** Cuts a stream of bytes into whole frames; an incomplete frame waits for the rest. */
export function createFrameSplitter(reader: Pick<WireReader, 'frameLength'>): (chunk: Buffer) => Buffer[] {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let wantedBytes = 0;

  return (chunk) => {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes < wantedBytes) return [];
    let bytes = Buffer.concat(waiting);
    const frames: Buffer[] = [];
    for (;;) {
      wantedBytes = (bytes.length > 0 && reader.frameLength(bytes)) || 0;
      if (wantedBytes === 0 || bytes.length < wantedBytes) break;
      frames.push(bytes.subarray(0, wantedBytes));
      bytes = bytes.subarray(wantedBytes);
    }
    waiting = [bytes];
    waitingBytes = bytes.length;
    return frames;
  };
}
