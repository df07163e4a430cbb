/**
 * Reads the results of a job and prints how many, the largest resident memory, and the time: with the client, or with
 * `fetch` alone, which counts lines and keeps nothing.
 */
const [client, url, id] = process.argv.slice(2);
const startedMs = performance.now();
let read = 0;
if (client === 'fetch') {
  const { body } = await fetch(`${url}/v1/jobs/${id}/results`);
  for await (const chunk of body) for (const byte of chunk) if (byte === 10) read += 1;
} else {
  const { Gleaner } = await import(client);
  for await (const _result of new Gleaner({ url }).jobs.results(id)) read += 1;
}
const residentMiB = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(
  JSON.stringify({ read, residentMiB, seconds: ((performance.now() - startedMs) / 1000).toFixed(2) }),
);
