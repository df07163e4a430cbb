import { randomUUID } from 'node:crypto';
import { Binary } from 'bson';
import { commandError } from '../../errors/command-error.ts';
import type { Command } from '../context/command.ts';

/** Logical sessions are accepted; with neither transactions nor retryable writes there is nothing to keep for them. */
const acceptSessions: Command = { fields: [], run: () => ({}) };

export const endSessions = acceptSessions;
export const refreshSessions = acceptSessions;
export const killSessions = acceptSessions;

export const startSession: Command = {
  fields: [],
  run: () => {
    const uuid = Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
    return { id: { id: new Binary(uuid, Binary.SUBTYPE_UUID) }, timeoutMinutes: 30 };
  },
};

const refuseTransaction: Command = {
  fields: ['recoveryToken'],
  run: () => {
    throw commandError(
      'IllegalOperation',
      'Transaction numbers are only allowed on a replica set member or mongos',
    );
  },
};

export const commitTransaction = refuseTransaction;
export const abortTransaction = refuseTransaction;
