/** Reads the results of a job with the client and prints how many, the largest resident memory, and the time. */
const [client, url, id] = process.argv.slice(2);
const { Gleaner } = await import(client);
const startedMs = performance.now();
let read = 0;
for await (const _result of new Gleaner({ url }).jobs.results(id)) read += 1;
const residentMiB = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(
  JSON.stringify({ read, residentMiB, seconds: ((performance.now() - startedMs) / 1000).toFixed(2) }),
);
