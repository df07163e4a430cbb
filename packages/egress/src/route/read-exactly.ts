import type { Socket } from 'node:net';
import { HandshakeFault } from './handshake.ts';

/** The next bytes of a paused socket; what follows stays in it. Rejects when it ends before, or with its error. */
export function readExactly(socket: Socket, size: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      socket.off('readable', onReadable).off('end', onEnd).off('close', onEnd).off('error', onError);
    };
    const onReadable = () => {
      const bytes: Buffer | null = socket.read(size);
      if (bytes === null) return;
      settle();
      if (bytes.length === size) resolve(bytes);
      else reject(new HandshakeFault('PROXY_CLOSED'));
    };
    const onEnd = () => {
      settle();
      reject(socket.errored ?? new HandshakeFault('PROXY_CLOSED'));
    };
    const onError = (fault: Error) => {
      settle();
      reject(fault);
    };
    socket.on('readable', onReadable).once('end', onEnd).once('close', onEnd).once('error', onError);
    if (socket.destroyed) onEnd();
    else onReadable();
  });
}
