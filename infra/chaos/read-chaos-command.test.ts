import { describe, expect, it } from '@jest/globals';
import { CHAOS_HELP, readChaosCommand } from './read-chaos-command.ts';

describe('the command line of npm run chaos', () => {
  it('defaults to a hundred faults over 10,000 URLs', () => {
    expect(readChaosCommand([], {})).toMatchObject({
      seed: 1,
      faults: 100,
      urls: 10_000,
      brokerKind: 'embedded',
      databaseKind: 'embedded',
    });
    expect(readChaosCommand([], { AMQP_URL: 'amqp://x' })).toMatchObject({ brokerKind: 'url' });
    expect(readChaosCommand([], { MONGODB_URI: 'mongodb://x' })).toMatchObject({ databaseKind: 'url' });
    const [name] = /(?<=").*(?=")/.exec(CHAOS_HELP) ?? [''];
    expect(readChaosCommand(['--urls', '7', '--scenario', name], {})).toMatchObject({
      urls: 7,
      scenarios: [name],
    });
  });

  it.each([['--help'], ['-h']])('shows its help for %s', (option) => {
    expect(readChaosCommand([option], {})).toBe('help');
  });

  it.each([
    [['--falts', '1'], "Unknown option '--falts'"],
    [['--faults', 'many'], '--faults takes a whole number from 0 on, not "many".'],
    [['--urls', '0'], '--urls takes a whole number from 1 on, not "0".'],
    [['--seed', ''], '--seed takes a whole number from 0 on, not "".'],
    [['--broker', 'kafka'], '--broker takes "embedded", "rabbitmq", "url", not "kafka".'],
    [['--scenario', 'rain'], 'not "rain".'],
  ])('says what is wrong with %j', (args, fault) => {
    expect(readChaosCommand(args, {})).toEqual({ fault: expect.stringContaining(fault) });
  });
});
