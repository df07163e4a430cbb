import {
  type Action,
  defined,
  LIMITS,
  type Loop,
  labelOf,
  type Step,
  secretsIn,
  type TracedAction,
  untilAborted,
} from '@gleaner/contracts';
import type { ActionsContext } from './actions-context.ts';
import { Hands } from './hands.ts';
import { performStep } from './perform-step.ts';
import { createCamera } from './step-camera.ts';
import { actionFailed, StepFailed } from './step-failed.ts';

/** Time without a change after which a loop ends. */
const UNCHANGED_MS = 1000;
const POLL_EVERY_MS = 50;

/**
 * Does the steps in the tab, one after the other, each as a person would: on an element that is there, visible, still, enabled
 * and not covered. A step that leads to another document waits for it. Throws ACTION_FAILED for the first step that cannot
 * be done in its time and is not optional.
 */
export async function runActions(actions: readonly Action[], context: ActionsContext): Promise<void> {
  const { path = 'actions', watch, onStep, onScreenshot, signal } = context;
  const hands = new Hands(context);
  const camera = onScreenshot && createCamera(context);
  const takeScreenshot = async (index: number, action: Action) => {
    const image = await camera?.take(secretsIn([action]).length > 0);
    if (image !== undefined) onScreenshot?.({ index, image });
  };
  for (const [index, action] of actions.entries()) {
    const startedAtMs = performance.now();
    const { navigations } = watch;
    const note = (outcome: TracedAction['outcome'], { rounds }: Done = {}) => {
      const url = watch.navigations === navigations ? undefined : watch.response?.url;
      onStep({
        index,
        step: labelOf(action),
        outcome,
        durationMs: Math.round(performance.now() - startedAtMs),
        ...defined({ rounds, url }),
      });
    };
    try {
      const done = await untilAborted(attempt(action, `${path}.${index}`, hands), signal);
      note(done ? 'done' : 'skipped', done);
    } catch (error) {
      note('failed');
      await takeScreenshot(index, action);
      throw error;
    }
    await takeScreenshot(index, action);
  }
}

interface Done {
  readonly rounds?: number;
}

/** Does a step, or a loop; undefined if it is optional and cannot be done. */
async function attempt(action: Action, path: string, hands: Hands): Promise<Done | undefined> {
  try {
    if ('repeat' in action) return { rounds: await repeat(action, path, hands) };
    await performStep(action, hands);
    return {};
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    if (action.optional) return undefined;
    throw actionFailed(path, error);
  }
}

/** Does the steps of a loop until its first step finds nothing, nothing changes any more, or `times`; returns the number of rounds. */
async function repeat({ repeat: steps, times = LIMITS.defaultRepeats }: Loop, path: string, hands: Hands) {
  for (let rounds = 0; rounds < times; rounds += 1) {
    const before = await hands.mark();
    for (const [index, step] of steps.entries()) {
      if (index > 0) await attempt(step, `${path}.repeat.${index}`, hands);
      else if (!(await begin(step, `${path}.repeat.0`, hands))) return rounds;
    }
    if (!(await hands.changesWithin(before, UNCHANGED_MS, POLL_EVERY_MS))) return rounds + 1;
  }
  return times;
}

/** Does the first step of a round. Returns false if there is nothing to do it with. */
async function begin(step: Step, path: string, hands: Hands): Promise<boolean> {
  try {
    await performStep(step, hands, UNCHANGED_MS);
    return true;
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    if (ENDS.has(error.why) || step.optional) return false;
    throw actionFailed(path, error);
  }
}

/** Obstacles at the end of a list: its button is gone, hidden or disabled. */
const ENDS: ReadonlySet<string> = new Set(['absent', 'hidden', 'disabled']);
