import { decodeDocument, MAX_COMMAND_DEPTH } from '../bson/bson-codec.ts';
import { type Doc, isDocument } from '../bson/bson-types.ts';
import { HEADER_BYTES, OpCode, ProtocolError } from './frames.ts';

/** A command as it came in, by OP_MSG or by the OP_QUERY of the first handshake. */
export interface Request {
  readonly requestId: number;
  readonly opCode: number;
  readonly command: Doc;
  /** False for a command whose client reads no reply, such as the `endSessions` of drivers that close. */
  readonly wantsReply: boolean;
  /** Document sequences by field name, their documents still bytes. */
  readonly sequences: ReadonlyMap<string, readonly Buffer[]>;
}

const MORE_TO_COME = 2;

/** Reads a whole message. Throws ProtocolError where it is malformed. */
export function parseRequest(frame: Buffer): Request {
  const requestId = frame.readInt32LE(4);
  const opCode = frame.readInt32LE(12);
  try {
    if (opCode === OpCode.message) return parseMessage(frame, requestId);
    if (opCode === OpCode.query) return parseQuery(frame, requestId);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    throw new ProtocolError(`a malformed message: ${(error as Error).message}`, { cause: error });
  }
  throw new ProtocolError(`operation code ${opCode} is not served`);
}

/**
 * Flag bits 0 to 15 are required: one that is not served, such as that of a checksum, is an error. `moreToCome` (1) asks for no
 * reply. `exhaustAllowed` (16) may be ignored, and is.
 */
function parseMessage(frame: Buffer, requestId: number): Request {
  const flags = frame.readUInt32LE(HEADER_BYTES);
  if ((flags & 0xffff & ~MORE_TO_COME) !== 0) throw new ProtocolError(`OP_MSG flags ${flags} are not served`);
  const end = frame.length;
  const sequences = new Map<string, readonly Buffer[]>();
  let command: Doc | undefined;
  let at = HEADER_BYTES + 4;
  while (at < end) {
    const kind = frame[at];
    const section = documentAt(frame, at + 1, end);
    if (kind === 0) {
      if (command !== undefined) throw new ProtocolError('an OP_MSG with two bodies');
      command = decodeDocument(section, MAX_COMMAND_DEPTH);
    } else if (kind === 1) {
      addSequence(section, sequences);
    } else {
      throw new ProtocolError(`unknown OP_MSG section kind ${kind}`);
    }
    at += 1 + section.length;
  }
  if (command === undefined) throw new ProtocolError('an OP_MSG without a body');
  const wantsReply = (flags & MORE_TO_COME) === 0;
  return { requestId, opCode: OpCode.message, command, wantsReply, sequences };
}

/** Section kind 1: a length, a name, and documents up to the length. */
function addSequence(section: Buffer, sequences: Map<string, readonly Buffer[]>): void {
  const nameEnd = section.indexOf(0, 4);
  if (nameEnd === -1) throw new ProtocolError('a document sequence without a name');
  const name = section.toString('utf8', 4, nameEnd);
  if (sequences.has(name)) throw new ProtocolError(`two document sequences named ${name}`);
  const documents: Buffer[] = [];
  for (let at = nameEnd + 1; at < section.length; ) {
    const document = documentAt(section, at, section.length);
    documents.push(document);
    at += document.length;
  }
  sequences.set(name, documents);
}

function documentAt(bytes: Buffer, at: number, end: number): Buffer {
  const length = bytes.readInt32LE(at);
  if (length < 5 || at + length > end)
    throw new ProtocolError(`a section of ${length} bytes goes past its message`);
  return bytes.subarray(at, at + length);
}

/** OP_QUERY is served on `$cmd` alone, where old and new drivers send their first hello. */
function parseQuery(frame: Buffer, requestId: number): Request {
  const nameEnd = frame.indexOf(0, HEADER_BYTES + 4);
  const namespace = frame.toString('utf8', HEADER_BYTES + 4, nameEnd);
  if (nameEnd === -1 || !namespace.endsWith('.$cmd')) {
    throw new ProtocolError(`OP_QUERY on ${namespace}: only the handshake on $cmd is served`);
  }
  const query = decodeDocument(documentAt(frame, nameEnd + 1 + 8, frame.length));
  const command = isDocument(query.$query) ? query.$query : query;
  return {
    requestId,
    opCode: OpCode.query,
    wantsReply: true,
    command: { ...command, $db: namespace.slice(0, -'.$cmd'.length) },
    sequences: new Map(),
  };
}
