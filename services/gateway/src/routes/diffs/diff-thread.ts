/** Entry of the threads that compare pages. */
import { serveTasks } from '@gleaner/extraction';
import { diffPage, type PageToDiff } from './diff-page.ts';

serveTasks((page: PageToDiff) => diffPage(page));
