/** Entry of the threads that compare pages. */
import { serveTasks } from '@gleaner/extraction';
import { diffPage } from './diff-page.ts';

serveTasks(diffPage);
