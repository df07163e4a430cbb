/** Stands for `@jest/globals`: modules that are loaded once see the functions of the test file that runs. */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test;

/** Sets the functions of the test file that runs next. */
export function useGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = globals);
}
