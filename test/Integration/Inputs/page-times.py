# SPDX-License-Identifier: Apache-2.0
"""How long a page of `mli-run --report` takes to open in headless Chromium, from the start
until it can be used: page-times.py FILE.html... Prints for each its bytes and the median of
five, with the buffers and steps that it shows."""

import pathlib
import shutil
import statistics
import sys

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

READY = "return document.body.dataset.state === 'ready' && performance.now()"
COUNTS = ("const maps = page.model.maps; const count = (key) => maps.reduce((sum, map) => sum + map[key].length, 0);"
          "return [page.model.layers.length, count('buffers'), page.model.steps.length]")


def open_once(path):
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(option)
    driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    try:
        driver.get(path.resolve().as_uri())
        while not (milliseconds := driver.execute_script(READY)):
            pass
        return milliseconds, driver.execute_script(COUNTS)
    finally:
        driver.quit()


def main():
    for path in map(pathlib.Path, sys.argv[1:]):
        times, counts = zip(*(open_once(path) for _ in range(5)))
        layers, buffers, steps = counts[0]
        print(f"{path}: {path.stat().st_size} bytes, {layers} layers, {buffers} buffers, "
              f"{steps} steps, {statistics.median(times) / 1000:.1f} s")


main()
