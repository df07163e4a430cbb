import type { MethodArguments, MethodName } from '../wire/methods.ts';
import type { Channel } from './channel.ts';

/** What a channel does on the methods of its client, by name. */
export type MethodHandlers = {
  readonly [Name in MethodName]?: (channel: Channel, args: MethodArguments<Name>) => void;
};
