import { createHash, timingSafeEqual } from 'node:crypto';
import type { AmqpCredentials, AmqpLimits } from '../channels/server-context.ts';
import { AmqpError } from '../wire/amqp-error.ts';
import { type FieldTable, type FieldValue, text } from '../wire/field-table.ts';
import { FRAME_OVERHEAD_BYTES } from '../wire/frame-parser.ts';
import type { MethodArguments } from '../wire/methods.ts';

/** The eight bytes that every AMQP 0-9-1 connection begins with. */
export const PROTOCOL_HEADER = Buffer.from([0x41, 0x4d, 0x51, 0x50, 0, 0, 9, 1]);

/** Largest frame of the handshake, and the smallest limit that a client may ask for. */
export const MIN_FRAME_BYTES = 4096;

const CAPABILITIES = [
  'publisher_confirms',
  'connection.blocked',
  'basic.nack',
  'consumer_cancel_notify',
  'authentication_failure_close',
  'per_consumer_qos',
  'direct_reply_to',
];

/** Arguments of connection.start, with which the server introduces itself. */
export const START: MethodArguments<'connection.start'> = {
  versionMajor: 0,
  versionMinor: 9,
  serverProperties: new Map<string, FieldValue>([
    ['product', text('Gleaner embedded broker')],
    ['version', text('4.0.0')],
    ['platform', text(`Node.js ${process.version}`)],
    [
      'capabilities',
      { tag: 'F', value: new Map(CAPABILITIES.map((name) => [name, { tag: 't', value: true }])) },
    ],
  ]),
  mechanisms: Buffer.from('PLAIN'),
  locales: Buffer.from('en_US'),
};

/** Notices that a client asks for with its start-ok. */
export interface ClientWishes {
  readonly wantsCancelNotify: boolean;
  readonly wantsBlockNotice: boolean;
}

/** Limits that both sides have agreed on. */
export interface Tuning {
  readonly maxChannels: number;
  readonly maxFrameBytes: number;
  readonly heartbeatSeconds: number;
}

/** A refused login, sent only to a client with the capability `authentication_failure_close`. */
export class LoginRefused extends AmqpError {
  readonly wantsNotice: boolean;

  constructor(mechanism: string, wantsNotice: boolean) {
    const fault = `Login was refused using authentication mechanism ${mechanism}. For details see the broker logfile.`;
    super('ACCESS_REFUSED', fault, 'connection');
    this.wantsNotice = wantsNotice;
  }
}

/** Checks the login (SASL PLAIN, RFC 4616); throws LoginRefused, or COMMAND_INVALID for other mechanisms. */
export function readStartOk(
  args: MethodArguments<'connection.start-ok'>,
  allowed: AmqpCredentials,
): ClientWishes {
  const { mechanism, response, clientProperties } = args;
  if (mechanism !== 'PLAIN') {
    throw new AmqpError('COMMAND_INVALID', `unknown authentication mechanism '${mechanism}'`);
  }
  const [, username = '', password = ''] = response.toString('utf8').split('\0');
  const isUsername = isSameSecret(username, allowed.username);
  const isPassword = isSameSecret(password, allowed.password);
  if (!isUsername || !isPassword) {
    throw new LoginRefused(mechanism, hasCapability(clientProperties, 'authentication_failure_close'));
  }
  return {
    wantsCancelNotify: hasCapability(clientProperties, 'consumer_cancel_notify'),
    wantsBlockNotice: hasCapability(clientProperties, 'connection.blocked'),
  };
}

/** Reads the client's answer to the proposed tuning; throws NOT_ALLOWED when it exceeds the offer. */
export function readTuneOk(args: MethodArguments<'connection.tune-ok'>, offered: AmqpLimits): Tuning {
  checkTuning('frame_max', args.frameMax, MIN_FRAME_BYTES, offered.maxFrameBytes);
  checkTuning('channel_max', args.channelMax, 1, offered.maxChannels);
  return { maxChannels: args.channelMax, maxFrameBytes: args.frameMax, heartbeatSeconds: args.heartbeat };
}

/** Throws NOT_ALLOWED for any virtual host but `/`. */
export function checkVirtualHost({ virtualHost }: MethodArguments<'connection.open'>): void {
  if (virtualHost !== '/') throw new AmqpError('NOT_ALLOWED', `vhost ${virtualHost} not found`);
}

/** The largest payload of a frame before the tuning is done. */
export const HANDSHAKE_FRAME_BYTES = 2 * MIN_FRAME_BYTES + FRAME_OVERHEAD_BYTES;

function checkTuning(field: string, value: number, lowest: number, highest: number): void {
  if (value >= lowest && value <= highest) return;
  const [relation, bound, limit] =
    value === 0 || value > highest ? ['higher', 'maximum', highest] : ['lower', 'minimum', lowest];
  const meaning = value === 0 ? ' (no limit)' : '';
  throw new AmqpError(
    'NOT_ALLOWED',
    `negotiated ${field} = ${value}${meaning} is ${relation} than the ${bound} allowed value (${limit})`,
  );
}

function hasCapability(clientProperties: FieldTable, name: string): boolean {
  const capabilities = clientProperties.get('capabilities');
  return capabilities?.tag === 'F' && capabilities.value.get(name)?.value === true;
}

/** Compares in constant time. */
function isSameSecret(given: string, expected: string): boolean {
  const digest = (secret: string) => createHash('sha256').update(secret).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
