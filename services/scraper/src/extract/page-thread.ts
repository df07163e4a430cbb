/** Entry of the threads of a `PageReader`. */
import { type AnswerToCheck, Budget, type CheckedAnswer, checkAnswer, serveTasks } from '@gleaner/extraction';
import { readCrawlFile } from '../crawl/read-crawl-file.ts';
import type { ThreadTask } from './page-reader.ts';
import { parseFile } from './parse-file.ts';
import { readPdfPage, useUpPage } from './read-page.ts';
import { workOnSnapshot } from './work-on-snapshot.ts';

/** Some seconds of one core; the deadline may come first. */
const MAX_STEPS = 300_000_000;

serveTasks((task: ThreadTask, checkpoint) => {
  const budget = new Budget({ maxSteps: MAX_STEPS, checkpoint });
  if ('task' in task) return workOnSnapshot(task, budget);
  if ('file' in task) return parseFile(task, { budget, checkpoint });
  if ('answer' in task) return checkOrNull(task, budget);
  if ('purpose' in task) return readCrawlFile(task, budget);
  const { kind } = task;
  return kind === 'pdf' ? readPdfPage(task, { budget, checkpoint }) : useUpPage({ ...task, kind }, budget);
});

/** Checks an answer of a model; null if it is not an object of JSON. */
function checkOrNull(task: AnswerToCheck, budget: Budget): CheckedAnswer | null {
  try {
    return checkAnswer(task, budget);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
