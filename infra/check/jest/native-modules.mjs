import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';
import { useGlobals } from './globals.mjs';

const requireNatively = createRequire(import.meta.url);
/** The part of jest-circus that keeps the handlers and the state of one test file on the global object. */
const HANDLERS = Symbol.for('EVENT_HANDLERS');

const globalsUrl = new URL('./globals.mjs', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === '@jest/globals' ? { url: globalsUrl, shortCircuit: true } : nextResolve(specifier, context),
});

/**
 * Runs a test file with jest-circus, with the module loader of Node instead of the one of jest. A worker so loads each module
 * once for all of its test files, not once for each, and as the services load it. Test files of a worker share modules and
 * globals: what a test replaces, it puts back.
 * @public
 */
export default (globalConfig, config, environment, runtime, testPath, sendMessageToJest) =>
  circus.default(globalConfig, config, environment, loadNatively(runtime), testPath, sendMessageToJest);

/** Returns the runtime of jest with the loader of Node. */
function loadNatively(runtime) {
  return new Proxy(runtime, {
    get(target, name) {
      const method = NATIVE[name] ?? target[name];
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
}

const NATIVE = {
  requireInternalModule: requireAfresh,
  requireModule: requireNatively,
  setGlobalsForRuntime: useGlobals,
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: (path) => import(pathToFileURL(path).href),
};

/** Loads the state of jest-circus, of which each test file has its own. */
function requireAfresh(path) {
  delete globalThis[HANDLERS];
  delete requireNatively.cache[path];
  return requireNatively(path);
}
