"""
The work of the jobs bench as a Scrapy spider: python3 spider.py <url> <pages> <file> <fields> <at once>.
Appends what it takes to the file as JSON lines, and prints what the crawl took, start-up excluded: CPU and wall time.
"""

import json
import resource
import sys
import time

import scrapy
from scrapy.crawler import CrawlerProcess
from take_fields import TAKE_FIELDS

ORIGIN, PAGES, FILE, FIELDS, AT_ONCE = sys.argv[1], int(sys.argv[2]), *sys.argv[3:5], int(sys.argv[5])


class Pages(scrapy.Spider):
    name = "pages"
    start_urls = [f"{ORIGIN}{index}" for index in range(PAGES)]

    def parse(self, response):
        yield {"page": int(response.url[len(ORIGIN) :]), "data": TAKE_FIELDS[FIELDS](response)}


def cpu_ms():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return (usage.ru_utime + usage.ru_stime) * 1000


SETTINGS = {
    "LOG_LEVEL": "ERROR",
    "ROBOTSTXT_OBEY": False,
    "CONCURRENT_REQUESTS": AT_ONCE,
    "CONCURRENT_REQUESTS_PER_DOMAIN": AT_ONCE,
    "TELNETCONSOLE_ENABLED": False,
    "FEEDS": {FILE: {"format": "jsonlines"}},
}
process = CrawlerProcess(SETTINGS)
process.crawl(Pages)
started, started_cpu_ms = time.monotonic(), cpu_ms()
process.start()
print(
    json.dumps(
        {
            "cpuMs": cpu_ms() - started_cpu_ms,
            "seconds": time.monotonic() - started,
            "peakBytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        }
    )
)
