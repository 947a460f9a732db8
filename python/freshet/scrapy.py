"""A Scrapy duplicate filter in fixed memory.  In a project's settings:

    DUPEFILTER_CLASS = "freshet.scrapy.DupeFilter"

FRESHET_MEMORY ("256M"), FRESHET_ERROR (1e-6), FRESHET_WITHIN (None: for ever)
and FRESHET_AUDIT (None, or the memory of the audit's sample) are options of
freshet.Filter.  With JOBDIR the filter is saved there when the spider closes,
and a crawl that is resumed goes on with it: these options are those of its
first run then, and the audit ends with that run.
"""

import logging
import os

import freshet
from scrapy.dupefilters import BaseDupeFilter
from scrapy.utils.request import RequestFingerprinter

FILE = "requests.freshet"


class DupeFilter(BaseDupeFilter):
    def __init__(self, options, path=None, debug=False, fingerprinter=None, stats=None):
        self.path = path
        self.stats = stats
        self.debug = debug
        self.log_once = True
        self.logger = logging.getLogger(__name__)
        self.fingerprinter = fingerprinter or RequestFingerprinter()
        if path and os.path.exists(path):
            self.seen = freshet.open(path)
            self._tell_resumed(options)
        else:
            self.seen = freshet.Filter(**options)

    @classmethod
    def from_crawler(cls, crawler):
        settings = crawler.settings
        options = {
            "memory": settings.get("FRESHET_MEMORY", "256M"),
            "error": settings.getfloat("FRESHET_ERROR", 1e-6),
            "within": settings.get("FRESHET_WITHIN"),
            "audit": settings.get("FRESHET_AUDIT"),
        }
        folder = settings.get("JOBDIR")
        return cls(
            options,
            os.path.join(folder, FILE) if folder else None,
            settings.getbool("DUPEFILTER_DEBUG"),
            crawler.request_fingerprinter,
            crawler.stats,
        )

    def _tell_resumed(self, options):
        self.logger.info(
            "The filter of the stopped crawl is used: %(filter)r; FRESHET_MEMORY, "
            "FRESHET_ERROR and FRESHET_WITHIN have no effect on it",
            {"filter": self.seen},
        )
        if options.get("audit"):
            self.logger.warning(
                "FRESHET_AUDIT has no effect on a resumed crawl: which requests "
                "the stopped one has seen is known to the filter alone"
            )

    def request_seen(self, request):
        return not self.seen.add(self.fingerprinter.fingerprint(request))

    def close(self, reason):
        if self.stats:
            self._report()
        if self.path:
            self.seen.save(self.path)
        self.seen.close()

    def _report(self):
        info = self.seen.info()
        self.stats.set_value("freshet/memory", info["memory"])
        self.stats.set_value("freshet/new", info["new"])
        self.stats.set_value("freshet/false_drop_expected", info["false_drop"])
        try:
            measured = self.seen.audit()
        except ValueError:  # the filter has no audit
            return
        for name in "false_drop", "false_pass":
            for figure in "rate", "low", "high":
                self.stats.set_value(f"freshet/{name}_{figure}", measured[name][figure])

    def log(self, request, spider):
        if self.debug:
            self.logger.debug(
                "Filtered duplicate request: %(request)s",
                {"request": request},
                extra={"spider": spider},
            )
        elif self.log_once:
            self.logger.debug(
                "Filtered duplicate request: %(request)s - no more duplicates will "
                "be shown (see DUPEFILTER_DEBUG to show all duplicates)",
                {"request": request},
                extra={"spider": spider},
            )
            self.log_once = False
        if self.stats:
            self.stats.inc_value("dupefilter/filtered", spider=spider)
