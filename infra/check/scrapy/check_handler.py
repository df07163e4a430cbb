"""Sends requests of each kind through the download handler of Gleaner, and prints the outcome of each as JSON: check_handler.py."""

import json
import os

import scrapy
from gleaner_client import GleanerError
from gleaner_client.scrapy_handler import TemporaryError
from scrapy.crawler import CrawlerProcess

ORIGIN, SHOP = os.environ["ORIGIN_URL"], os.environ["SHOP_URL"]
HANDLER = "gleaner_client.scrapy_handler.GleanerDownloadHandler"
POST = {"method": "POST", "meta": {"gleaner": True}}
ONCE = {"dont_retry": True}

REQUESTS = {
    "own": {"url": f"{ORIGIN}/echo"},
    "off": {"url": f"{ORIGIN}/echo?off", "meta": {"gleaner": False}},
    "plain": {
        "url": f"{SHOP}books/emma",
        "meta": {"gleaner": {"selectors": {"title": "h1"}, "formats": ["links"]}},
    },
    "rendered": {"url": f"{SHOP}specials", "meta": {"gleaner": {"render": True}}},
    "echo": {
        "url": f"{ORIGIN}/echo?a=1",
        "meta": {"gleaner": {"download": True}},
        "headers": {"X-Own": "1"},
        "cookies": {"session": "s1"},
    },
    "form": {
        **POST,
        "url": f"{ORIGIN}/echo?form",
        "body": "q=ä&q=b",
        "headers": {"Content-Type": "application/x-www-form-urlencoded"},
        "meta": {"gleaner": {"download": True}},
    },
    "redirected": {"url": f"{ORIGIN}/redirect/302?to=/product/1", "meta": {"gleaner": True}},
    "missing": {"url": f"{ORIGIN}/status/404", "meta": {"gleaner": True, "handle_httpstatus_all": True}},
    "down": {"url": f"{ORIGIN}/status/503", "meta": {"gleaner": True, "handle_httpstatus_all": True}},
    "slow": {"url": f"{ORIGIN}/slow/60000", "meta": {"gleaner": True, "download_timeout": 1}},
    "login": {"url": f"{ORIGIN}/suspect/bare-login", "meta": {"gleaner": {"onSuspect": "fail"}}},
    "captcha": {"url": f"{ORIGIN}/suspect/image-captcha", "meta": {"gleaner": {"onSuspect": "fail"}, **ONCE}},
    "wrong": {"url": f"{ORIGIN}/echo?wrong", "meta": {"gleaner": {"render": "perhaps"}}},
    "twice": {"url": f"{ORIGIN}/echo?twice", "meta": {"gleaner": {"headers": {"a": "b"}}}},
    "binary": {**POST, "url": f"{ORIGIN}/echo?binary", "body": b"\xff"},
}


class EachSpider(scrapy.Spider):
    name = "each"
    found = {}

    def start_requests(self):
        for name, request in REQUESTS.items():
            yield scrapy.Request(
                **request,
                callback=self.parse,
                errback=self.failed,
                cb_kwargs={"name": name},
                dont_filter=True,
            )

    def parse(self, response, name):
        result = response.meta.get("gleaner_result")
        self.found[name] = {
            "class": type(response).__name__,
            "url": response.url,
            "status": response.status,
            "heading": response.css("h1::text").get() if type(response).__name__ == "HtmlResponse" else None,
            "links": len(response.css("a")) if type(response).__name__ == "HtmlResponse" else None,
            "echo": response.json() if name in ("own", "off", "echo", "form") else None,
            "result": result,
        }

    def failed(self, failure):
        name, error = failure.request.cb_kwargs["name"], failure.value
        is_ours = isinstance(error, GleanerError)
        self.found[name] = {
            "error": error.code if is_ours else repr(error),
            "temporary": isinstance(error, TemporaryError),
            "message": str(error),
            "retries": failure.request.meta.get("retry_times", 0),
        }


def run(settings):
    process = CrawlerProcess(
        {
            "DOWNLOAD_HANDLERS": {"http": HANDLER, "https": HANDLER},
            "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
            "TELNETCONSOLE_ENABLED": False,
            "LOG_LEVEL": "WARNING",
            "RETRY_TIMES": 1,
            **settings,
        }
    )
    crawler = process.create_crawler(EachSpider)
    process.crawl(crawler)
    process.start()
    return crawler.stats.get_stats()


stats = run(json.loads(os.environ.get("SETTINGS", "{}")))
counts = {name: value for name, value in stats.items() if name.startswith(("gleaner/", "retry/"))}
print(json.dumps({"found": EachSpider.found, "stats": counts}))
