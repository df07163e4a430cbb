"""Extracts the fields of a set from a Scrapy response, as FIELD_SETS of workload.ts describes them."""


def text(node):
    return " ".join(node.xpath("string()").get().split())


def first(nodes):
    return text(nodes[0]) if nodes else None


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


TAKE_FIELDS = {"lists": lists, "simple": simple}
