import type { Command } from 'commander';
import type { Cli } from './cli.ts';

/** Adds arguments, options and the action to a command. */
export type Define = (command: Command, cli: Cli) => void;

/** A command whose code is loaded when it runs, or a group of commands. */
export type Entry =
  | { readonly summary: string; readonly load: () => Promise<Define> }
  | { readonly summary: string; readonly commands: Readonly<Record<string, Entry>> };

/** Every command, in the order of the help. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  scrape: {
    summary: 'Scrape one page and print its data',
    load: async () => (await import('./commands/scrape.ts')).defineScrape,
  },
  trace: {
    summary: 'Show where the time of a scrape, or of a page of a job, went',
    load: async () => (await import('./commands/trace.ts')).defineTrace,
  },
  job: {
    summary: 'Scrape many pages',
    commands: {
      create: {
        summary: 'Create a job',
        load: async () => (await import('./commands/job/create.ts')).defineCreate,
      },
      list: {
        summary: 'List jobs, newest first',
        load: async () => (await import('./commands/job/jobs.ts')).defineList,
      },
      show: {
        summary: 'Show a job',
        load: async () => (await import('./commands/job/jobs.ts')).defineShow,
      },
      watch: {
        summary: 'Follow a job until it has finished',
        load: async () => (await import('./commands/job/jobs.ts')).defineWatch,
      },
      results: {
        summary: 'Print the results of a job',
        load: async () => (await import('./commands/job/results.ts')).defineResults,
      },
      changes: {
        summary: 'Show what a run or a crawl with --since found changed',
        load: async () => (await import('./commands/job/changes.ts')).defineChanges,
      },
      urls: {
        summary: 'List the URLs of a job with their states',
        load: async () => (await import('./commands/job/jobs.ts')).defineUrls,
      },
      rerun: {
        summary: 'Scrape the URLs of a finished job again',
        load: async () => (await import('./commands/job/create.ts')).defineRerun,
      },
      extract: {
        summary: 'Extract other data from the pages that a job kept',
        load: async () => (await import('./commands/job/create.ts')).defineExtract,
      },
      cancel: {
        summary: 'Cancel a job',
        load: async () => (await import('./commands/job/jobs.ts')).defineCancel,
      },
    },
  },
  crawl: {
    summary: 'Follow the links of a site, and print the data of its pages',
    load: async () => (await import('./commands/crawl.ts')).defineCrawl,
  },
  schedule: {
    summary: 'Scrape a page again and again',
    commands: {
      create: {
        summary: 'Create a schedule',
        load: async () => (await import('./commands/schedule/settings.ts')).defineCreate,
      },
      list: {
        summary: 'List schedules',
        load: async () => (await import('./commands/schedule/schedules.ts')).defineList,
      },
      show: {
        summary: 'Show a schedule',
        load: async () => (await import('./commands/schedule/schedules.ts')).defineShow,
      },
      edit: {
        summary: 'Change settings of a schedule',
        load: async () => (await import('./commands/schedule/settings.ts')).defineEdit,
      },
      pause: {
        summary: 'Pause a schedule',
        load: async () => (await import('./commands/schedule/schedules.ts')).definePause,
      },
      resume: {
        summary: 'Resume a schedule',
        load: async () => (await import('./commands/schedule/schedules.ts')).defineResume,
      },
      run: {
        summary: 'Start a run now',
        load: async () => (await import('./commands/schedule/schedules.ts')).defineRun,
      },
      runs: {
        summary: 'List the runs of a schedule',
        load: async () => (await import('./commands/schedule/schedules.ts')).defineRuns,
      },
      changes: {
        summary: 'Show what the last run found changed',
        load: async () => (await import('./commands/schedule/schedules.ts')).defineChanges,
      },
      delete: {
        summary: 'Delete a schedule',
        load: async () => (await import('./commands/schedule/schedules.ts')).defineDelete,
      },
    },
  },
  webhook: {
    summary: 'See what was sent to webhooks, or receive it here',
    commands: {
      listen: {
        summary: 'Receive webhooks on this machine, check and print them',
        load: async () => (await import('./commands/webhook/listen.ts')).defineListen,
      },
      deliveries: {
        summary: 'List deliveries with their attempts',
        load: async () => (await import('./commands/webhook/deliveries.ts')).defineDeliveries,
      },
      redeliver: {
        summary: 'Send a delivery again',
        load: async () => (await import('./commands/webhook/deliveries.ts')).defineRedeliver,
      },
      test: {
        summary: 'Send a test event to a URL',
        load: async () => (await import('./commands/webhook/deliveries.ts')).defineTest,
      },
      secret: {
        summary: 'Print the secret that signs deliveries',
        load: async () => (await import('./commands/webhook/deliveries.ts')).defineSecret,
      },
    },
  },
  key: {
    summary: 'Manage API keys',
    commands: {
      create: {
        summary: 'Create a key',
        load: async () => (await import('./commands/key.ts')).defineCreate,
      },
      list: { summary: 'List keys', load: async () => (await import('./commands/key.ts')).defineList },
      revoke: {
        summary: 'Revoke a key',
        load: async () => (await import('./commands/key.ts')).defineRevoke,
      },
    },
  },
  usage: {
    summary: 'Show the credits used and left',
    load: async () => (await import('./commands/usage.ts')).defineUsage,
  },
  login: {
    summary: 'Keep address and key of a service as a profile',
    load: async () => (await import('./commands/profiles.ts')).defineLogin,
  },
  logout: {
    summary: 'Remove a profile',
    load: async () => (await import('./commands/profiles.ts')).defineLogout,
  },
  profiles: {
    summary: 'List profiles, or choose one',
    load: async () => (await import('./commands/profiles.ts')).defineProfiles,
  },
  open: {
    summary: 'Open the console or the API documentation in a browser',
    load: async () => (await import('./commands/open.ts')).defineOpen,
  },
  doctor: {
    summary: 'Check the installation, and say how to mend it',
    load: async () => (await import('./commands/doctor.ts')).defineDoctor,
  },
  mcp: {
    summary: 'Serve the tools of the service to agents, by the Model Context Protocol',
    load: async () => (await import('./commands/mcp.ts')).defineMcp,
  },
  completion: {
    summary: 'Print the completions of a shell',
    load: async () => (await import('./commands/completion.ts')).defineCompletion,
  },
};
