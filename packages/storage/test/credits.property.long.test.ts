import { createId } from '@gleaner/contracts';
import { createRandom, fuzzSeeds } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { createCreditSteps } from '../src/credits/credit-steps.ts';
import { type Account, createStores, type Database, type Stores } from '../src/index.ts';
import { ChargedMonths } from '../src/usage/charged-months.ts';
import { BACKENDS } from './backends.ts';
import { simulatePages, simulateScrapes } from './simulate-credits.ts';
import { useBackend } from './use-backend.ts';

const INITIAL_CREDITS = 12;
const SEEDS = fuzzSeeds(24);

describe.each(BACKENDS)('credits under crashes on $name', ({ start }) => {
  let database: Database;
  let stores: Stores;

  useBackend(start, (connected) => {
    database = connected;
    stores = createStores(connected);
  });

  describe.each([
    { kind: 'scrapes', simulate: simulateScrapes },
    { kind: 'pages of jobs', simulate: simulatePages },
  ])('for $kind', ({ simulate }) => {
    it.each(SEEDS)(
      'are neither lost nor doubled when processes die between steps (seed %i)',
      async (seed) => {
        const account = await stores.accounts.ensureAccount({
          id: createId('acc'),
          name: 'Test',
          balance: INITIAL_CREDITS,
        });
        const history = await simulate({
          account,
          steps: createCreditSteps(database.models, new ChargedMonths()),
          random: createRandom(seed),
          afterEachStep: () => expectBalanced(account),
        });

        const { balance, charged, reserved } = await expectBalanced(account);
        expect(reserved).toBe(0);
        expect(balance).toBe(INITIAL_CREDITS - charged.credits);
        for (const { operationId, outcome, credits } of history) {
          expect({ operationId, credits: charged.byOperation.get(operationId) ?? 0 }).toEqual({
            operationId,
            credits,
          });
          expect(charged.byOperation.has(operationId)).toBe(outcome === 'charged');
        }
      },
    );
  });

  /** Expects no negative balance, and that remaining, held and charged credits add up to the initial credits. */
  async function expectBalanced({ id }: Account) {
    const account = await database.models.accounts.findById(id).lean();
    const charges = await database.models.charges.find({ accountId: id, outcome: 'charged' }).lean();
    const pending = account?.pending ?? [];
    const balance = account?.balance ?? Number.NaN;
    const reserved = pending.reduce((sum, { credits }) => sum + credits, 0);
    const heldTokens = new Set(pending.map(({ token }) => token));
    const takenOff = charges.filter(({ token }) => token !== null && !heldTokens.has(token));
    expect(balance).toBeGreaterThanOrEqual(0);
    expect(balance + reserved + takenOff.reduce((sum, { credits }) => sum + credits, 0)).toBe(
      INITIAL_CREDITS,
    );
    return {
      balance,
      reserved,
      charged: {
        credits: charges.reduce((sum, { credits }) => sum + credits, 0),
        byOperation: new Map(charges.map(({ _id, credits }) => [_id, credits])),
      },
    };
  }
});
