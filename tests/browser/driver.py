"""A browser driven through WebDriver (chromedriver), with the standard library alone."""

import base64
import json
import os
import re
import subprocess
import tempfile
import urllib.request

ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage",
]


# Seconds that only a hang exceeds, however busy the machine is.
HANGS = 300


class Browser:
    """A headless Chromium with a profile of its own."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # Port 0: the driver takes a free one and says which.
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL, text=True, env={**os.environ, "NO_PROXY": "*", "no_proxy": "*"})
        self.port = None
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                self.port = int(found.group(1))
                break
        if self.port is None:
            raise RuntimeError("chromedriver did not start")
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        options = {"args": ARGUMENTS + [f"--user-data-dir={self.profile.name}"]}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = ""
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = "/session/" + made["sessionId"]

    def call(self, method, path, body=None):
        """One command."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{self.session if path != '/session' else ''}{path}",
            data, {"Content-Type": "application/json"}, method=method)
        try:
            with self.opener.open(request, timeout=HANGS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {error.read().decode()[:500]}") from None

    def devtools(self, command, **parameters):
        """A command of the Chrome DevTools protocol."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def run(self, script, *arguments):
        """The value of a script, which ends with a return."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def open(self, path):
        """Opens a file."""
        self.call("POST", "/url", {"url": "file://" + os.path.abspath(path)})

    def click(self, query):
        """Clicks the first element that a selector finds, as a mouse does."""
        found = self.call("POST", "/element", {"using": "css selector", "value": query})
        self.call("POST", f"/element/{next(iter(found.values()))}/click", {})

    def type(self, query, text):
        """Types into an element."""
        found = self.call("POST", "/element", {"using": "css selector", "value": query})
        self.call("POST", f"/element/{next(iter(found.values()))}/value", {"text": text})

    def view(self, width, height=900, scheme="light"):
        """Sets the size of the page and the theme of the system."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=1, mobile=False)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.devtools("Emulation.setEmulatedMedia", media="", features=features)

    def messages(self):
        """What the page has written to the console since the last call."""
        return self.call("POST", "/se/log", {"type": "browser"})

    def screenshot(self, path):
        """The whole page as a picture."""
        size = self.devtools("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        found = self.devtools("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        with open(path, "wb") as file:
            file.write(base64.b64decode(found["data"]))

    def close(self):
        """Ends browser and driver."""
        try:
            self.call("DELETE", "", None)
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.profile.cleanup()
