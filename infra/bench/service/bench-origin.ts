import { createServer } from 'node:http';

/** A loopback site with one page of records, each with a heading, a price and a link. */
export interface BenchOrigin extends AsyncDisposable {
  readonly url: string;
}

/** Starts the site on a free port; every path answers the same page, which has a third of a kilobyte for each record. */
export async function startBenchOrigin(records: number): Promise<BenchOrigin> {
  const html = Buffer.from(page(records));
  const server = createServer({ keepAlive: true, noDelay: true }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': html.length });
    response.end(html);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function page(records: number): string {
  const html = Array.from({ length: records }, (_, index) => record(index)).join('\n');
  return `<!doctype html><html lang="en"><head><title>Bench page</title></head><body><main>${html}</main></body></html>`;
}

function record(index: number): string {
  return `<article class="record" data-index="${index}">
  <h2><a href="/records/${index}">Record number ${index}</a></h2>
  <p class="price">£${(index * 1.37).toFixed(2)}</p>
  <p class="about">Some words about record ${index}, so that the page has the weight of a page and not of a list of
  names; they say nothing, at some length, in the manner of such words everywhere.</p>
  <ul class="tags"><li>tag-${index % 5}</li><li>tag-${index % 7}</li></ul>
</article>`;
}
