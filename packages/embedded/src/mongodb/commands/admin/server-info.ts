import { arch, cpus, hostname, platform, release, totalmem } from 'node:os';
import { Long } from 'bson';
import { countReply } from '../context/arguments.ts';
import type { Command } from '../context/command.ts';
import { SERVED_VERSION } from './hello.ts';

export const ping: Command = { fields: [], run: () => ({}) };

/** https://www.mongodb.com/docs/manual/reference/command/buildInfo/ */
export const buildInfo: Command = {
  fields: [],
  run: () => ({
    version: SERVED_VERSION.slice(0, 3).join('.'),
    gitVersion: 'gleaner-embedded',
    modules: ['gleaner-embedded'],
    versionArray: [...SERVED_VERSION],
    storageEngines: ['lmdb'],
    javascriptEngine: 'none',
    bits: 64,
    debug: false,
    maxBsonObjectSize: 16 * 1024 * 1024,
  }),
};

/** https://www.mongodb.com/docs/manual/reference/command/hostInfo/ */
export const hostInfo: Command = {
  fields: [],
  run: (_, { state }) => ({
    system: {
      currentTime: state.clock(),
      hostname: hostname(),
      cpuArch: arch(),
      numCores: cpus().length,
      memSizeMB: Math.round(totalmem() / 2 ** 20),
    },
    os: { type: platform(), version: release() },
    extra: {},
  }),
};

/** https://www.mongodb.com/docs/manual/reference/command/serverStatus/, the parts that make sense here. */
export const serverStatus: Command = {
  fields: ['repl', 'metrics', 'locks', 'tcmalloc'],
  run: (_, { state }) => {
    const uptimeMs = state.clock().getTime() - state.startedAt.getTime();
    const memory = process.memoryUsage();
    return {
      host: hostname(),
      version: SERVED_VERSION.slice(0, 3).join('.'),
      process: 'gleaner-embedded',
      pid: Long.fromNumber(process.pid),
      uptime: uptimeMs / 1000,
      uptimeMillis: Long.fromNumber(uptimeMs),
      localTime: state.clock(),
      connections: { current: state.openConnections() },
      mem: { bits: 64, resident: Math.round(memory.rss / 2 ** 20) },
      metrics: { cursor: { open: { total: countReply(state.cursors.size) } } },
      storageEngine: { name: 'lmdb', persistent: true },
    };
  },
};

/** Authentication is off, as on a mongod that was started without it. */
export const connectionStatus: Command = {
  fields: ['showPrivileges'],
  run: () => ({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } }),
};
