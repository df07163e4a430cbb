import type { Define } from './cli.ts';

/** A command whose code is loaded when it runs, or a group of commands. */
export type Entry =
  | { readonly summary: string; readonly load: () => Promise<Define> }
  | { readonly summary: string; readonly commands: Readonly<Record<string, Entry>> };

/** Creates the entry of a command, which a module defines by the name. */
function command<Name extends string>(
  summary: string,
  load: () => Promise<Readonly<Record<Name, Define>>>,
  name: Name,
): Entry {
  return { summary, load: async () => (await load())[name] };
}

/** Modules of the commands. */
const scrape = () => import('./commands/scrape.ts');
const selectors = () => import('./commands/selectors.ts');
const file = () => import('./commands/file.ts');
const map = () => import('./commands/map.ts');
const search = () => import('./commands/search.ts');
const trace = () => import('./commands/trace.ts');
const results = () => import('./commands/job/results.ts');
const changes = () => import('./commands/job/changes.ts');
const crawl = () => import('./commands/crawl.ts');
const listen = () => import('./commands/webhook/listen.ts');
const usage = () => import('./commands/usage.ts');
const open = () => import('./commands/open.ts');
const doctor = () => import('./commands/doctor.ts');
const mcp = () => import('./commands/mcp.ts');
const completion = () => import('./commands/completion.ts');
const createJob = () => import('./commands/job/create.ts');
const jobs = () => import('./commands/job/jobs.ts');
const scheduleSettings = () => import('./commands/schedule/settings.ts');
const scheduleHealth = () => import('./commands/schedule/health.ts');
const watch = () => import('./commands/schedule/watch.ts');
const scheduleNews = () => import('./commands/schedule/news.ts');
const schedules = () => import('./commands/schedule/schedules.ts');
const datasets = () => import('./commands/dataset.ts');
const recipes = () => import('./commands/recipe/recipes.ts');
const recipeFiles = () => import('./commands/recipe/sync.ts');
const testRecipes = () => import('./commands/recipe/test.ts');
const deliveries = () => import('./commands/webhook/deliveries.ts');
const channels = () => import('./commands/webhook/channels.ts');
const keys = () => import('./commands/key.ts');
const secrets = () => import('./commands/secret.ts');
const siteProfiles = () => import('./commands/profile.ts');
const profiles = () => import('./commands/profiles.ts');

/** Every command, in the order of the help. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  scrape: command('Scrape one page and print its data', scrape, 'defineScrape'),
  extract: command('Extract data from a file of HTML', scrape, 'defineExtract'),
  selectors: command('Have a model find selectors for the fields of a schema', selectors, 'defineSelectors'),
  file: command('Write a file that was downloaded', file, 'defineFile'),
  map: command('List the URLs of a site', map, 'defineMap'),
  search: command('Search the web, and print what is found or its data', search, 'defineSearch'),
  trace: command('Show where the time of a scrape, or of a page of a job, went', trace, 'defineTrace'),
  job: {
    summary: 'Scrape many pages',
    commands: {
      create: command('Create a job', createJob, 'defineCreate'),
      list: command('List jobs, newest first', jobs, 'defineList'),
      show: command('Show a job', jobs, 'defineShow'),
      watch: command('Follow a job until it has finished', jobs, 'defineWatch'),
      results: command('Print the results of a job', results, 'defineResults'),
      changes: command('Show what a run or a crawl with --since found changed', changes, 'defineChanges'),
      urls: command('List the URLs of a job with their states', jobs, 'defineUrls'),
      sinks: command('List the sinks that jobs may write to', jobs, 'defineSinks'),
      rerun: command('Scrape the URLs of a finished job again', createJob, 'defineRerun'),
      extract: command('Extract other data from the pages that a job kept', createJob, 'defineExtract'),
      cancel: command('Cancel a job', jobs, 'defineCancel'),
    },
  },
  crawl: command('Follow the links of a site, and print the data of its pages', crawl, 'defineCrawl'),
  schedule: {
    summary: 'Scrape a page again and again',
    commands: {
      create: command('Create a schedule', scheduleSettings, 'defineCreate'),
      list: command('List schedules', schedules, 'defineList'),
      show: command('Show a schedule', schedules, 'defineShow'),
      edit: command('Change settings of a schedule', scheduleSettings, 'defineEdit'),
      pause: command('Pause a schedule', schedules, 'definePause'),
      resume: command('Resume a schedule', schedules, 'defineResume'),
      run: command('Start a run now', schedules, 'defineRun'),
      runs: command('List the runs of a schedule', schedules, 'defineRuns'),
      changes: command('Show what the last run found changed', schedules, 'defineChanges'),
      rules: command('Show what the rules of a schedule have told', schedules, 'defineRules'),
      diff: command('Compare the Markdown of two runs of a schedule', scheduleNews, 'defineDiff'),
      feed: command('Show the addresses of the feeds of a schedule', scheduleNews, 'defineFeed'),
      health: command(
        'Show which fields of a schedule stopped returning values',
        scheduleHealth,
        'defineHealth',
      ),
      accept: command(
        'Use the selectors that are suggested for fields that fell',
        scheduleHealth,
        'defineAccept',
      ),
      delete: command('Delete a schedule', schedules, 'defineDelete'),
    },
  },
  watch: command('Be told when something on a page changes', watch, 'defineWatch'),
  dataset: {
    summary: 'Read the tables that jobs and schedules keep',
    commands: {
      list: command('List datasets', datasets, 'defineList'),
      show: command('Show a dataset, or how one of its records has changed', datasets, 'defineShow'),
      pull: command('Print a dataset, or what has changed in it', datasets, 'definePull'),
      delete: command('Delete a dataset with its records', datasets, 'defineDelete'),
    },
  },
  recipe: {
    summary: 'Keep the options for the pages of a site, with tests',
    commands: {
      list: command('List recipes', recipes, 'defineList'),
      show: command('Show a recipe', recipes, 'defineShow'),
      pull: command('Write recipes and the pages of their tests to a folder', recipeFiles, 'definePull'),
      push: command('Store the recipes of a folder', recipeFiles, 'definePush'),
      test: command('Run tests, of files or of what is stored', testRecipes, 'defineTest'),
      record: command('Make a test of a result of a job', recipes, 'defineRecord'),
      delete: command('Delete a recipe with its tests', recipes, 'defineDelete'),
    },
  },
  webhook: {
    summary: 'See what was sent to webhooks, or receive it here',
    commands: {
      listen: command('Receive webhooks on this machine, check and print them', listen, 'defineListen'),
      deliveries: command('List deliveries with their attempts', deliveries, 'defineDeliveries'),
      redeliver: command('Send a delivery again', deliveries, 'defineRedeliver'),
      test: command('Send a test event to a URL', deliveries, 'defineTest'),
      secret: command('Print the secret that signs deliveries', deliveries, 'defineSecret'),
    },
  },
  channel: {
    summary: 'Manage channels by which rules of schedules tell you',
    commands: {
      create: command('Create a channel: email, a chat, or an endpoint', channels, 'defineCreate'),
      list: command('List channels', channels, 'defineList'),
      edit: command('Change the name or the address of a channel', channels, 'defineEdit'),
      test: command('Send a test message to a channel', channels, 'defineTest'),
      delete: command('Delete a channel', channels, 'defineDelete'),
    },
  },
  key: {
    summary: 'Manage API keys',
    commands: {
      create: command('Create a key', keys, 'defineCreate'),
      list: command('List keys', keys, 'defineList'),
      revoke: command('Revoke a key', keys, 'defineRevoke'),
    },
  },
  usage: command('Show the credits used and left', usage, 'defineUsage'),
  secret: {
    summary: 'Manage secrets for actions',
    commands: {
      set: command('Store a secret, or replace its value', secrets, 'defineSet'),
      list: command('List secrets, without their values', secrets, 'defineList'),
      delete: command('Delete a secret', secrets, 'defineDelete'),
    },
  },
  profile: {
    summary: 'Manage sessions at sites, which are signed in once',
    commands: {
      create: command('Create a profile', siteProfiles, 'defineCreate'),
      list: command('List profiles with their state', siteProfiles, 'defineList'),
      show: command('Show a profile', siteProfiles, 'defineShow'),
      login: command('Sign in again, or upload a session', siteProfiles, 'defineLogin'),
      delete: command('Delete a profile with its session', siteProfiles, 'defineDelete'),
    },
  },
  login: command('Keep address and key of a service as a profile', profiles, 'defineLogin'),
  logout: command('Remove a profile', profiles, 'defineLogout'),
  profiles: command('List profiles, or choose one', profiles, 'defineProfiles'),
  open: command('Open the console or the API documentation in a browser', open, 'defineOpen'),
  doctor: command('Check the installation, and say how to mend it', doctor, 'defineDoctor'),
  mcp: command('Serve the tools of the service to agents, by the Model Context Protocol', mcp, 'defineMcp'),
  completion: command('Print the completions of a shell', completion, 'defineCompletion'),
};
