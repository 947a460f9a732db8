"""A real Scrapy crawls a local site, is stopped and resumed, and fetches each
page once.  PAGES (300) is the size of the site; each page has ten links."""

import asyncio
import collections
import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest

try:
    import scrapy  # noqa: F401
except ImportError:
    print("skipped: python3-scrapy is not installed")
    sys.exit(77)

import freshet
from freshet.scrapy import DupeFilter

PAGES = int(os.environ.get("PAGES", "300"))
LINKS = 10

SPIDER = """
import sys
import scrapy
from scrapy.crawler import CrawlerProcess

class Spider(scrapy.Spider):
    name = "local"

    def start_requests(self):
        yield scrapy.Request(sys.argv[1] + "/0")

    def parse(self, response):
        for href in response.css("a::attr(href)").getall():
            yield response.follow(href)

process = CrawlerProcess({
    "DUPEFILTER_CLASS": "freshet.scrapy.DupeFilter",
    "FRESHET_MEMORY": "4M",
    "FRESHET_AUDIT": "1M",
    "JOBDIR": sys.argv[2],
    "CLOSESPIDER_PAGECOUNT": int(sys.argv[3]),
    "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
    "LOG_LEVEL": "ERROR",
    "TELNETCONSOLE_ENABLED": False,
})
crawler = process.create_crawler(Spider)
process.crawl(crawler)
process.start()
import json
print(json.dumps(crawler.stats.get_stats(), default=str))
"""


def links_of(page):
    """A tree that reaches every page, and links to pages all over the site."""
    tree = [2 * page + 1, 2 * page + 2]
    other = [(page * 7919 + i * 104729) % PAGES for i in range(LINKS - 2)]
    return [link for link in tree if link < PAGES] + other


class Site:
    """Serves pages /0 to /PAGES-1 on a port of its own, and counts fetches."""

    def __init__(self):
        self.fetched = collections.Counter()
        self.loop = asyncio.new_event_loop()
        start = asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.server = self.loop.run_until_complete(start)
        self.url = "http://127.0.0.1:%d" % self.server.sockets[0].getsockname()[1]
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    async def serve(self, reader, writer):
        try:
            while line := await reader.readline():
                while await reader.readline() not in (b"\r\n", b""):
                    pass
                page = int(line.split()[1][1:])
                self.fetched[page] += 1
                body = "".join(f'<a href="/{link}">x</a>' for link in links_of(page))
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                    b"Content-Length: %d\r\n\r\n%s" % (len(body), body.encode())
                )
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    def close(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()


class Crawl(unittest.TestCase):
    def crawl(self, folder, pages):
        command = [sys.executable, "-c", SPIDER, self.site.url, folder, str(pages)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=540)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    def test_each_page_is_fetched_once_over_a_stop(self):
        self.site = Site()
        with tempfile.TemporaryDirectory() as folder:
            stopped = self.crawl(folder, PAGES // 3)
            self.assertEqual(stopped["finish_reason"], "closespider_pagecount")
            self.assertLess(len(self.site.fetched), PAGES)
            ended = self.crawl(folder, 0)
            self.assertEqual(ended["finish_reason"], "finished")
        self.site.close()
        self.assertEqual(len(self.site.fetched), PAGES)
        self.assertEqual(set(self.site.fetched.values()), {1})
        self.assertGreater(stopped["dupefilter/filtered"], 0)
        self.assertEqual(stopped["freshet/false_drop_rate"], 0)
        self.assertEqual(ended["freshet/memory"], 4 << 20)


class Resumed(unittest.TestCase):
    def test_options_without_effect_are_told(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "requests.freshet")
            freshet.Filter(memory="1M").save(path)
            with self.assertLogs("freshet.scrapy", "INFO") as told:
                DupeFilter({"memory": "2M", "audit": "1M"}, path).close("finished")
        self.assertRegex(told.output[0], "INFO.* 1048576 bytes.*FRESHET_MEMORY")
        self.assertRegex(told.output[1], "WARNING.*FRESHET_AUDIT has no effect")


if __name__ == "__main__":
    unittest.main()
