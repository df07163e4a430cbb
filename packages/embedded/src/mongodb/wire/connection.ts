import type { Socket } from 'node:net';
import { encodeReply } from './encode-reply.ts';
import { FrameReader } from './frame-reader.ts';
import { parseRequest, type Request } from './parse-request.ts';

interface ConnectionDeps {
  readonly socket: Socket;
  /** Answers a request with one BSON document; must not reject. */
  readonly answer: (request: Request) => Promise<Buffer>;
  readonly onProtocolError: (error: Error) => void;
}

/** More than this waiting for a client that does not read: it is sent nothing more until it has read. */
const MOST_PENDING_FRAMES = 64;

/**
 * Serves one client: requests are answered one after the other, in the order in which they came. A client that does
 * not read its replies, or sends faster than it is served, is not read from; one that sends garbage is closed.
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
        if (request.isSilent || socket.destroyed) continue;
        const isFlushed = socket.write(encodeReply(body, request, ++replyId));
        if (!isFlushed) await drained(socket);
      }
      if (socket.isPaused()) socket.resume();
    } catch (error) {
      onProtocolError(error as Error);
      socket.destroy();
    } finally {
      isBusy = false;
    }
  };

  socket.setNoDelay(true);
  socket.on('data', (chunk: Buffer) => {
    try {
      pending.push(...reader.push(chunk));
    } catch (error) {
      onProtocolError(error as Error);
      socket.destroy();
      return;
    }
    if (pending.length > MOST_PENDING_FRAMES) socket.pause();
    void serve();
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
