"""
The work of the jobs bench as a Scrapy spider: python3 spider.py <url> <pages> <file> <fields>. Appends what it takes to the
file as JSON lines, and prints what the crawl took, start-up excluded: CPU and wall time.
"""

import json
import resource
import sys
import time

import scrapy
from scrapy.crawler import CrawlerProcess

ORIGIN, PAGES, FILE, FIELDS = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]


def text(node):
    return " ".join(node.xpath("string()").get().split())


def first(nodes):
    return text(nodes[0]) if nodes else None


class Pages(scrapy.Spider):
    name = "pages"
    start_urls = [f"{ORIGIN}{index}" for index in range(PAGES)]

    def parse(self, response):
        yield {
            "page": int(response.url[len(ORIGIN) :]),
            "data": lists(response) if FIELDS == "lists" else simple(response),
        }


def lists(response):
    return {
        "title": first(response.css("title")),
        "headings": [text(node) for node in response.css("h1, h2, h3")],
        "paragraphs": [text(node) for node in response.css("p")],
        "links": response.css("a::attr(href)").getall(),
        "code": [text(node) for node in response.css("code")],
        "items": [
            {"text": first(node.css("p")), "link": node.css("a[href]::attr(href)").get()}
            for node in response.css("li")
        ],
    }


def simple(response):
    return {
        "title": first(response.css("title")),
        "heading": first(response.css("h1")),
        "lead": first(response.css("p")),
        "description": response.css("meta[name=description]::attr(content)").get(),
        "charset": response.css("meta[charset]::attr(charset)").get(),
        "headings": [text(node) for node in response.css("h2")],
        "links": response.css("a::attr(href)").getall(),
    }


def cpu_ms():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return (usage.ru_utime + usage.ru_stime) * 1000


SETTINGS = {
    "LOG_LEVEL": "ERROR",
    "ROBOTSTXT_OBEY": False,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
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
