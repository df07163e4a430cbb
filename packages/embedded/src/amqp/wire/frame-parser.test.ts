import { describe, expect, it } from '@jest/globals';
import { FrameParser } from './frame-parser.ts';
import { FrameWriter } from './frame-writer.ts';
import { decodeMethod } from './method-codec.ts';

describe('FrameParser', () => {
  it('finds the same frames whatever pieces they arrive in', () => {
    const stream = writtenStream();
    const whole = framesOf(stream, stream.length);
    expect(whole.length).toBe(7);
    for (const pieceBytes of [1, 2, 3, 7, 8, 100, 4096]) expect(framesOf(stream, pieceBytes)).toEqual(whole);
  });

  it('reads back what FrameWriter wrote', () => {
    const [deliver, header, ...bodies] = framesOf(writtenStream(), 64);
    expect(decodeMethod(Buffer.from(deliver?.payload ?? '', 'hex'))).toEqual({
      name: 'basic.ack',
      args: { deliveryTag: 2n ** 40n, multiple: true },
    });
    expect(header?.type).toBe(2);
    const body = bodies.filter(({ type }) => type === 3).map(({ payload }) => Buffer.from(payload, 'hex'));
    expect(Buffer.concat(body).equals(Buffer.alloc(10_000, 'ab'))).toBe(true);
  });

  it('refuses unknown types, frames over the limit, and frames without their end', () => {
    const parser = () => new FrameParser(4096, () => undefined);
    expect(() => parser().push(Buffer.from([9, 0, 0, 0, 0, 0, 0, 0xce]))).toThrow('unknown frame type 9');
    expect(() => parser().push(Buffer.from([1, 0, 0, 0, 1, 0, 0]))).toThrow('over the limit of 4096');
    expect(() => parser().push(Buffer.from([8, 0, 0, 0, 0, 0, 0, 0xcd]))).toThrow('instead of 206');
  });
});

function writtenStream(): Buffer {
  const writer = new FrameWriter(4096);
  writer.method(1, 'basic.ack', { deliveryTag: 2n ** 40n, multiple: true });
  writer.content(1, { propertyBytes: Buffer.alloc(2), body: Buffer.alloc(10_000, 'ab') });
  writer.heartbeat();
  writer.method(7, 'channel.close-ok', {});
  return Buffer.concat(writer.take());
}

function framesOf(stream: Buffer, pieceBytes: number) {
  const frames: { type: number; channel: number; payload: string }[] = [];
  const parser = new FrameParser(4096, ({ type, channel, payload }) => {
    frames.push({ type, channel, payload: payload.toString('hex') });
  });
  for (let at = 0; at < stream.length; at += pieceBytes) parser.push(stream.subarray(at, at + pieceBytes));
  return frames;
}
