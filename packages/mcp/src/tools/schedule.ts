import type { CreateScheduleRequest, Gleaner, SchedulePatch } from '@gleaner/client';
import type { Json } from '../answer/json.ts';
import { type Answer, ToolError } from '../answer/render-answer.ts';
import { answerOf } from './job-tools.ts';
import { answerList, PAGE, quotesPages } from './take-page.ts';
import {
  type Arguments,
  answers,
  type CallContext,
  COUNT,
  LIST,
  OBJECT,
  PART,
  TEXT,
  type Tool,
  UNTRUSTED,
} from './tool.ts';

type Action = (id: string, args: Arguments, context: CallContext) => Promise<Answer>;

const ACTIONS: Readonly<Record<string, Action>> = {
  list: async (_id, args, { gleaner, signal }) =>
    await answerList('schedules', (query, call) => gleaner.schedules.list(query, call), {}, args, {
      at: { action: 'list' },
      signal,
    }),
  show: async (id, _args, { gleaner, signal }) =>
    scheduleAnswer(await gleaner.schedules.get(id, { signal }), 'show'),
  create: async (_id, args, { gleaner, signal }) =>
    scheduleAnswer(
      await gleaner.schedules.create(settingsOf<CreateScheduleRequest>(args), { signal }),
      'show',
    ),
  edit: async (id, args, { gleaner, signal }) =>
    scheduleAnswer(await gleaner.schedules.update(id, settingsOf<SchedulePatch>(args), { signal }), 'show'),
  pause: async (id, _args, { gleaner, signal }) =>
    scheduleAnswer(await gleaner.schedules.pause(id, { signal }), 'show'),
  resume: async (id, _args, { gleaner, signal }) =>
    scheduleAnswer(await gleaner.schedules.resume(id, { signal }), 'show'),
  run: async (id, _args, { gleaner, signal }) => answerOf(await gleaner.schedules.run(id, { signal })),
  runs: async (id, args, { gleaner, signal }) =>
    await answerList('runs', (query, call) => gleaner.schedules.runs(id, query, call), {}, args, {
      at: { action: 'runs', id },
      signal,
    }),
  changes: async (id, args, { gleaner, signal }) => ({
    ...(await answerList('changes', (query, call) => gleaner.schedules.changes(id, query, call), {}, args, {
      at: { action: 'changes', id },
      signal,
    })),
    isUntrusted: true,
  }),
  channels: async (_id, _args, { gleaner, signal }) => ({
    value: { channels: (await gleaner.channels.list({ signal })) as unknown as Json },
  }),
  diff: async (id, _args, { gleaner, signal }) => ({
    isUntrusted: true,
    value: { diff: (await gleaner.schedules.diff(id, {}, { signal })) as unknown as Json },
    at: { action: 'diff', id },
  }),
  feed: async (id, _args, { gleaner, signal }) => ({
    value: { feed: (await gleaner.schedules.feed(id, { signal })) as unknown as Json },
  }),
  health: async (id, _args, { gleaner, signal }) => {
    const { suggestedFor: _, ...health } = await gleaner.schedules.health(id, {}, { signal });
    return { isUntrusted: true, value: { health: health as unknown as Json } };
  },
  accept: async (id, _args, { gleaner, signal }) =>
    scheduleAnswer((await gleaner.schedules.acceptSuggestions(id, {}, { signal })).schedule, 'show'),
  delete: async (id, _args, { gleaner, signal }) => {
    await gleaner.schedules.delete(id, { signal });
    return { value: { deleted: id } };
  },
};

const WITHOUT_ID: ReadonlySet<string> = new Set(['list', 'create', 'channels']);

/** `schedule`: everything about schedules, by an action. */
export const SCHEDULE: Tool = {
  name: 'schedule',
  title: 'Schedules',
  description: 'By cron: create, edit take settings, most others an id. health: broken fields; accept: mend.',
  scope: 'schedules',
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['action'],
    properties: {
      action: { type: 'string', enum: Object.keys(ACTIONS) },
      id: TEXT,
      settings: {
        type: 'object',
        description:
          'url or urls, cron, timezone, name, overlap, crawl, create_job options, notify [{name,when:{field,below},to}]',
      },
      ...PAGE,
      ...PART,
    },
  },
  output: answers({
    untrusted: UNTRUSTED,
    schedule: OBJECT,
    schedules: LIST,
    job: OBJECT,
    runs: LIST,
    changes: LIST,
    health: OBJECT,
    diff: OBJECT,
    feed: OBJECT,
    deleted: TEXT,
    total: COUNT,
  }),
  async call(args, context) {
    const action = String(args.action);
    if (args.id === undefined && !WITHOUT_ID.has(action)) {
      throw new ToolError(`The action ${action} needs an id.`, 'The action list shows the schedules.');
    }
    const act = ACTIONS[action];
    if (!act)
      throw new ToolError(`There is no action ${action}.`, `There is: ${Object.keys(ACTIONS).join(', ')}.`);
    return await act(String(args.id ?? ''), args, context);
  },
};

type Schedule = Awaited<ReturnType<Gleaner['schedules']['get']>>;

function scheduleAnswer(schedule: Schedule, action: string): Answer {
  const shown = schedule as unknown as Json;
  return { isUntrusted: quotesPages(shown), value: { schedule: shown }, at: { action, id: schedule.id } };
}

function settingsOf<Settings>({ settings }: Arguments): Settings {
  if (settings !== undefined) return settings as Settings;
  throw new ToolError('settings is missing.', 'Give url or urls, cron, and what to extract.');
}
