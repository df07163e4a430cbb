import { Long } from 'bson';
import { readArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { namespaceOf } from './namespace.ts';

/** https://www.mongodb.com/docs/manual/reference/command/killCursors/ */
export const killCursors: Command = {
  fields: ['cursors'],
  run: (command, context) => {
    const namespace = namespaceOf(command, context);
    const ids = readArguments(command, 'killCursors')
      .list('cursors')
      .filter((id) => id instanceof Long);
    const cursorsKilled = ids.filter((id) => context.state.cursors.kill(id, namespace));
    const cursorsNotFound = ids.filter((id) => !cursorsKilled.includes(id));
    return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
  },
};
