import { afterAll, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestStack } from '../../stack/test/test-stack.ts';
import { joinStack } from '../join-stack.ts';
import { onBrowser, openBrowser } from './open-browser.ts';

/** The console of the shared stack with an account of its own, and a browser to open it in; there once the tests run. */
export interface TestConsole {
  readonly bed: TestStack;
  readonly browser: Browser;
}

/** A suite of the console, in a browser. */
export function onConsole(name: string, tests: (on: TestConsole) => void): void {
  onBrowser(name, () => {
    const on = {} as { -readonly [Part in keyof TestConsole]: TestConsole[Part] };
    beforeAll(async () => {
      on.bed = await joinStack();
      on.browser = await openBrowser(on.bed);
    });
    afterAll(async () => {
      await on.browser?.close();
      await on.bed?.[Symbol.asyncDispose]();
    });
    tests(on);
  });
}
