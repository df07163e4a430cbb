import type { Socket } from 'node:net';
import { encodeReply, FrameReader } from './frames.ts';
import { parseRequest, type Request } from './parse-request.ts';

interface ConnectionDeps {
  readonly socket: Socket;
  /** Returns the reply to a request as one BSON document; must not reject. */
  readonly answer: (request: Request) => Promise<Buffer>;
  readonly onProtocolError: (error: Error) => void;
}

/** Limit of a client's pending requests, beyond which nothing is read from its connection. */
const MOST_PENDING_FRAMES = 64;

/**
 * Serves one client: requests are answered one after the other, in the order in which they came. A client that does
 * not read its replies, or sends faster than it is served, is not read from; one that sends malformed bytes is cut off.
 */
export function serveConnection({ socket, answer, onProtocolError }: ConnectionDeps): void {
  const reader = new FrameReader();
  const pending: Buffer[] = [];
  let isBusy = false;
  let replyId = 0;

  const serve = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      for (let frame = pending.shift(); frame !== undefined && !socket.destroyed; frame = pending.shift()) {
        const request = parseRequest(frame);
        const body = await answer(request);
        if (socket.destroyed || !request.wantsReply) continue;
        const isFlushed = socket.write(encodeReply(body, request, ++replyId));
        if (!isFlushed) await drained(socket);
      }
      if (socket.isPaused()) socket.resume();
    } finally {
      isBusy = false;
    }
  };

  const hangUp = (error: unknown) => {
    onProtocolError(error as Error);
    socket.destroy();
  };

  socket.setNoDelay(true);
  socket.on('data', (chunk: Buffer) => {
    try {
      pending.push(...reader.push(chunk));
    } catch (error) {
      hangUp(error);
      return;
    }
    if (pending.length > MOST_PENDING_FRAMES) socket.pause();
    serve().catch(hangUp);
  });
  socket.on('error', () => socket.destroy());
}

/** Resolves when the socket takes more, or is gone. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      socket.off('drain', settle);
      socket.off('close', settle);
      resolve();
    };
    socket.on('drain', settle);
    socket.on('close', settle);
  });
}
