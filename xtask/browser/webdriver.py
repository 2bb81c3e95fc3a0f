"""A small client of the WebDriver protocol, for Chromium."""

import base64
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# Seconds to wait for anything; a busy machine needs more than one may think.
PATIENCE = float(os.environ.get("LUDENS_PATIENCE", "30"))
KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "Space": " ",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}
# What passes by itself: the page drew an element anew, or something moves over it.
PASSING = {
    "stale element reference",
    "element click intercepted",
    "element not interactable",
    "no such element",
}


class Complaint(Exception):
    """The driver's answer to something that could not be done."""

    def __init__(self, error):
        super().__init__(error.get("message", "").split("\n")[0])
        self.kind = error.get("error")


def free_port():
    """A port of this machine that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait(what, condition, patience=PATIENCE):
    """Returns the first answer of `condition` that counts; asks again and again."""
    end = time.monotonic() + patience
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"waited {patience:.0f} s in vain for {what}")
        time.sleep(0.02)


class Browser:
    """A Chromium without a window."""

    def __init__(self):
        self.address = f"http://127.0.0.1:{free_port()}"
        port = self.address.rsplit(":", 1)[1]
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}", "--log-level=OFF"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.session = None
        self.script = None
        wait("chromedriver", self._is_ready)
        arguments = "--headless=new --no-sandbox --disable-dev-shm-usage --hide-scrollbars"
        options = {"binary": shutil.which("chromium"), "args": arguments.split()}
        wanted = {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
        }
        reply = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = reply["sessionId"]

    def _is_ready(self):
        try:
            return self._call("GET", "/status")["ready"]
        except OSError:
            return False

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise Complaint(json.load(error)["value"]) from None

    def ask(self, path, body):
        """Sends a command of this session."""
        return self._call("POST", f"/session/{self.session}/{path}", body)

    def chrome(self, command, **parameters):
        """Sends a command of Chromium's own protocol."""
        return self.ask("goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, address):
        """Loads an address, even if only what stands behind the # differs."""
        self.ask("url", {"url": "about:blank"})
        self.ask("url", {"url": address})

    def run(self, script, *arguments):
        """Runs the body of a function in the page and returns its answer."""
        return self.ask("execute/sync", {"script": script, "args": list(arguments)})

    def run_later(self, script, *arguments):
        """The same for a function that calls its last argument when it is done."""
        return self.ask("execute/async", {"script": script, "args": list(arguments)})

    def find(self, css):
        """The first element that fits, waited for."""
        return wait(css, lambda: self._find(css))

    def _find(self, css):
        try:
            return self.ask("element", {"using": "css selector", "value": css})[ELEMENT]
        except Complaint as complaint:
            if complaint.kind not in PASSING:
                raise
            return None

    def count(self, css):
        """How many elements fit."""
        return self.run("return document.querySelectorAll(arguments[0]).length", css)

    def text(self, css):
        """The text of the first element that fits; nothing if there is none."""
        script = "return document.querySelector(arguments[0])?.textContent ?? ''"
        return self.run(script, css)

    def see(self, css, text="", patience=PATIENCE):
        """Waits until an element with this text is there."""
        wait(f"{css} with {text!r}", lambda: self.count(css) and text in self.text(css), patience)

    def _act(self, css, path, body):
        def attempt():
            element = self._find(css)
            if element is None:
                return False
            try:
                self.ask(f"element/{element}/{path}", body)
            except Complaint as complaint:
                if complaint.kind not in PASSING:
                    raise
                return False
            return True

        wait(f"{path} on {css}", attempt)

    def click(self, css):
        """Clicks the first element that fits, as soon as that is possible."""
        self._act(css, "click", {})

    def write(self, css, text):
        """Replaces what stands in a field."""
        self._act(css, "clear", {})
        self._act(css, "value", {"text": text})

    def press(self, *keys):
        """Presses and releases keys, wherever the focus is."""
        steps = []
        for key in keys:
            value = KEYS.get(key, key)
            steps += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        action = {"type": "key", "id": "keyboard", "actions": steps}
        self.ask("actions", {"actions": [action]})

    def resize(self, width, height):
        """Takes the size of a screen."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1}
        self.chrome("Emulation.setDeviceMetricsOverride", mobile=width < 600, **metrics)

    def prefer_calm(self, calm):
        """Says whether the person wants things to keep still."""
        feature = {"name": "prefers-reduced-motion", "value": "reduce" if calm else ""}
        self.chrome("Emulation.setEmulatedMedia", features=[feature])

    def before_each_page(self, script):
        """Runs a script before every page that is loaded from now on, instead of the last one."""
        if self.script is not None:
            self.chrome("Page.removeScriptToEvaluateOnNewDocument", identifier=self.script)
        guarded = f"if (location.protocol === 'http:') {{ {script} }}"
        reply = self.chrome("Page.addScriptToEvaluateOnNewDocument", source=guarded)
        self.script = reply["identifier"]

    def picture(self, file):
        """Writes what is seen into a file."""
        reply = self.chrome("Page.captureScreenshot")
        file.write_bytes(base64.b64decode(reply["data"]))

    def complaints(self):
        """What the page wrote on its console since the last time, if it is serious."""
        entries = self.ask("se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]

    def close(self):
        """Ends the browser and its driver."""
        try:
            self._call("DELETE", f"/session/{self.session}")
        finally:
            self.driver.terminate()
            self.driver.wait()
