"""Opens a report of mli-run in Chromium and uses it: `report_page.py FILE.html [PNG]`.

What the page should show is computed here, of the JSON in it. Prints what users see: the
numbers of the function and the rows of the table. With PNG it writes a picture.
"""

import json
import re
import shutil
import sys

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
           "--hide-scrollbars", "--window-size=1400,1600"]
SECONDS = 60  # Until a wait fails, on a busy machine.


def start():
    options = webdriver.ChromeOptions()
    for option in OPTIONS:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


class Page:
    def __init__(self, driver, path):
        self.driver = driver
        driver.get("file://" + path)
        self.wait(lambda: self.find("body").get_attribute("data-state") == "ready")
        text = open(path, encoding="utf-8").read()
        data = re.search('<script type="application/json" id="report">(.*?)</script>', text, re.S)
        self.function = json.loads(data[1])["functions"][0]
        self.layers = self.function["layers"]
        self.texts = {text: i for i, layer in enumerate(self.layers) for text in layer["texts"]}

    def wait(self, holds):
        WebDriverWait(self.driver, SECONDS).until(lambda _: holds())

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def texts_of(self, selector):
        return self.driver.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait_for(self, layer):
        """Waits until all views show `layer`, a number."""
        name = self.layers[layer]["name"]
        self.wait(lambda: self.texts_of("#detail-name") == [name])
        assert self.texts_of("#table tr.selected td:first-child") == [str(layer)]
        assert self.run("return page.views[0].graph.nodes('.selected').map(n => n.id())") == [str(layer)]

    def press(self, key):
        ActionChains(self.driver).send_keys(key).perform()

    def point(self, chart, time, value):
        """The pointer over a place of a chart, in its own numbers."""
        over = self.find_all(".u-over")[chart]
        self.run("arguments[0].scrollIntoView({block: 'center'})", over)
        x, y = self.run(
            "const plot = [...page.memory.charts.map(each => each.chart), page.views[2].chart][arguments[0]].plot;"
            "return [plot.valToPos(arguments[1], 'x'), plot.valToPos(arguments[2], 'y')]",
            chart, time, value)
        # Selenium counts from the middle.
        size = over.size
        return ActionChains(self.driver).move_to_element_with_offset(
            over, round(x - size["width"] / 2), round(y - size["height"] / 2))


def check_clean(page):
    """No error, nothing fetched, and nothing of a name in the document."""
    log = page.driver.get_log("browser")
    assert log == [], log
    assert page.run("return performance.getEntriesByType('resource').length") == 0
    assert page.find_all("b") == []


def check_differences(page):
    """The table has the worst of the kernels of each layer that were compared."""
    titles = page.texts_of("#table thead th")
    if "max |d|" not in titles:
        assert not any("differences" in layer for layer in page.layers)
        return
    shown = page.texts_of(f"#table tbody td:nth-child({titles.index('max |d|') + 1})")
    for layer, text in zip(page.layers, shown):
        compared = [each for each in layer.get("differences", []) if "obstacle" not in each]
        distances = [each["max_abs"] for each in compared]
        expected = "" if not distances else "NaN" if None in distances else f"{max(distances):g}"
        assert text == expected, (layer["name"], text)


def check_table(page):
    for row in page.find_all("#sizes div"):
        print(": ".join(part.text for part in row.find_elements(By.CSS_SELECTOR, "dt, dd")))
    rows = page.texts_of("#table tbody tr td:nth-child(2)")
    assert rows == [layer["name"] for layer in page.layers], rows
    moved = page.texts_of("#table thead th").index("bytes moved") + 1
    shown = page.texts_of(f"#table tbody td:nth-child({moved})")
    numbers = [layer["moved_in"] + layer["moved_out"] for layer in page.layers]
    assert shown == [f"{number:,}" for number in numbers], shown
    assert page.texts_of(f"#table tfoot td:nth-child({moved})") == [f"{sum(numbers):,}"]
    check_differences(page)
    # By a click on the title the most come first.
    page.find(f"#table thead th:nth-child({moved}) button").click()
    shown = page.texts_of(f"#table tbody td:nth-child({moved})")
    assert shown == [f"{number:,}" for number in sorted(numbers, reverse=True)], shown
    page.find("#table thead th:first-child button").click()
    for row in page.find_all("#table tbody tr")[:8]:
        print(" | ".join(cell.text for cell in row.find_elements(By.TAG_NAME, "td")))


def check_details(page, layer):
    """A click on a row of the table shows the live buffers and the decision of its layer."""
    page.run("arguments[0].scrollIntoView({block: 'center'})", page.find(f"tr[data-layer='{layer}']"))
    page.find(f"tr[data-layer='{layer}'] td:nth-child(2)").click()
    page.wait_for(layer)
    for found in page.function["memories"]:
        times = [found["steps"][step] for step in page.layers[layer]["steps"]]
        live = [
            buffer["bytes_per_npu"]
            for buffer in found["buffers"]
            if any(buffer["lower"] < t["upper"] and t["lower"] < buffer["upper"] for t in times)
        ]
        shown = page.texts_of(f".live[data-space='{found['space']}'] td:nth-child(3)")
        assert shown == [f"{n:,}" for n in sorted(live, reverse=True)][:200], (found["space"], shown)
    decisions = " ".join(page.texts_of("#detail-decisions li"))
    for found in page.function["memories"]:
        for part in found.get("parts", []):
            if any(page.texts.get(text) == layer for text in part["layers"]):
                assert f"{part['bytes_per_npu']:,} of {part['capacity']:,} bytes" in decisions, decisions
                assert part["next"].partition(": ")[2] in decisions, decisions
    kernels = page.texts_of("#detail-kernels tbody td:nth-child(1)")
    called = [each["kernel"] for each in page.layers[layer]["kernels"] if "function" in each]
    assert kernels == called, kernels


def check_steps(page, layer):
    """The arrow keys go to the next layer and back, and a click in the graph to any."""
    page.press(Keys.ARROW_DOWN)
    page.wait_for(layer + 1)
    page.press(Keys.ARROW_LEFT)
    page.wait_for(layer)
    graph = page.find("#graph")
    page.run("arguments[0].scrollIntoView({block: 'center'})", graph)
    at = page.run("page.views[0].show(0); return page.views[0].graph.getElementById('0').renderedPosition()")
    size = graph.size
    ActionChains(page.driver).move_to_element_with_offset(
        graph, round(at["x"] - size["width"] / 2), round(at["y"] - size["height"] / 2)).click().perform()
    page.wait_for(0)


def find_clear(buffers):
    """The largest buffer that has a time and a byte to itself: a buffer, and both."""
    for buffer in sorted(buffers, key=lambda b: -b["bytes_per_npu"] * (b["upper"] - b["lower"])):
        byte = buffer["offset"] + buffer["bytes_per_npu"] / 2
        for time in range(buffer["lower"], buffer["upper"]):
            inside = [b for b in buffers if b["lower"] <= time + 0.5 < b["upper"]
                      and b["offset"] <= byte < b["offset"] + b["bytes_per_npu"]]
            if len(inside) == 1:
                return buffer, time + 0.5, byte
    sys.exit("error: expected a buffer with a place of its own, but got none")


def check_chart(page):
    """The pointer over a buffer shows it, a click its layer, a drag a part of the chart."""
    shown = [found for found in page.function["memories"] if found["buffers"]]
    chart = len(shown) - 1
    buffer, time, byte = find_clear([b for b in shown[-1]["buffers"] if b.get("layer")])
    page.point(chart, time, byte).perform()
    page.wait(lambda: f"{buffer['bytes_per_npu']:,} bytes at" in "".join(page.texts_of("#tooltip")))
    page.point(chart, time, byte).click().perform()
    page.wait_for(page.texts[buffer["layer"]])
    place = f"bytes at [{buffer['offset']}, {buffer['offset'] + buffer['bytes_per_npu']})"
    shown_buffer = " ".join(page.texts_of("#detail-buffer li"))
    assert place in shown_buffer, shown_buffer
    npus = shown[-1]["npus"]
    last = buffer["start_npu"] + buffer["npu_count"] - 1
    if buffer["npu_count"] > 2 and last < npus:
        assert f"of each of NPUs {buffer['start_npu']} to {last} of {npus}" in shown_buffer, shown_buffer
    scale = f"const {{min, max}} = page.memory.charts[{chart}].chart.plot.scales.x; return [min, max]"
    whole = page.run(scale)
    middle = whole[0] + 0.4 * (whole[1] - whole[0])
    half = page.run(f"return page.memory.charts[{chart}].chart.plot.scales.y.max / 2")
    page.point(chart, middle, half).click_and_hold().move_by_offset(90, 50).release().perform()
    page.wait(lambda: whole[0] < page.run(scale)[0] < page.run(scale)[1] < whole[1])
    over = page.find_all(".u-over")[chart]
    ActionChains(page.driver).double_click(over).perform()
    page.wait(lambda: page.run(scale) == whole)


def holds(found, buffer, npu):
    return (npu - buffer["start_npu"]) % found["npus"] < buffer["npu_count"]


def check_npus(page):
    """The chart of an NPU has the buffers that are there; NPUs with the same ones are a group."""
    shown = [found for found in page.function["memories"] if found["buffers"]]
    if shown[-1]["npus"] < 2:
        assert page.find_all(".npus") == []
        return
    found, chart = shown[-1], len(shown) - 1
    sets = [[i for i, b in enumerate(found["buffers"]) if holds(found, b, npu)] for npu in range(found["npus"])]
    firsts = [npu for npu in range(found["npus"]) if npu == 0 or sets[npu] != sets[npu - 1]]
    options = page.find_all(".npus option")
    assert [option.get_attribute("value") for option in options[1:]] == [str(npu) for npu in firsts]
    for npu, option in zip(firsts, options[1:]):
        option.click()
        boxes = page.run(f"return page.memory.charts[{chart}].chart.boxes.map(box => box.buffer.address)")
        expected = [found["buffers"][i]["address"] for i in sets[npu]]
        assert sorted(boxes) == sorted(expected), (npu, boxes)
    options[0].click()
    boxes = page.run(f"return page.memory.charts[{chart}].chart.boxes.length")
    assert boxes == len(found["buffers"]), boxes
    ends = [end - 1 for end in firsts[1:] + [found["npus"]]]
    print("NPUs:", ", ".join(f"{first} to {last}" for first, last in zip(firsts, ends)))


def check_colours(page):
    """Both themes, and each choice of colours, are drawn again without an error."""
    back = "return getComputedStyle(document.body).backgroundColor"
    light = page.run(back)
    page.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    page.wait(lambda: page.run(back) != light)
    if page.find("#colours").is_displayed():  # Where there is a chart.
        for option in page.find_all("#colours option"):
            option.click()
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def main(path, picture=None):
    driver = start()
    try:
        page = Page(driver, path)
        layer = len(page.layers) // 2
        check_table(page)
        check_details(page, layer)
        check_steps(page, layer)
        if any(found["buffers"] for found in page.function["memories"]):
            check_chart(page)
            check_npus(page)
        if picture:
            check_details(page, layer)
            page.run("showTooltip(''); scrollTo(0, 0)")
            driver.save_screenshot(picture)
        check_colours(page)
        check_clean(page)
    finally:
        driver.quit()
    print(f"page: {len(page.layers)} layers work")


main(*sys.argv[1:])
