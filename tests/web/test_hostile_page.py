"""Another page in the same browser, on another port of this machine, even one that has learnt the
secret: it can neither read an answer nor ask a question."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from browser import chromium, needed, served

HOSTILE = """<!doctype html><title>hostile</title><body><script>
async function attack(page) {
  const found = {}, body = JSON.stringify({puzzle: {}});
  const tries = {
    read: () => fetch(page + "api/catalogue"),
    ask: () => fetch(page + "api/live", {method: "POST", body,
      headers: {"content-type": "application/json"}}),
    simple: () => fetch(page + "api/live", {method: "POST", body}),
    blind: () => fetch(page + "api/live", {method: "POST", body, mode: "no-cors"}),
    script: () => import(page + "static/main.js"),
    kernel: () => import(page + "kernel/satdoku.js"),
    engine: () => fetch(page + "kernel/satdoku.wasm"),
  };
  for (const [name, attempt] of Object.entries(tries))
    found[name] = await attempt().then(a => a.type || "loaded", () => "refused");
  for (const [name, tag] of [["image", "img"], ["styles", "link"]])
    found[name] = await new Promise(done => {
      const element = document.createElement(tag);
      element.onload = () => done("loaded");
      element.onerror = () => done("refused");
      if (tag === "link") element.rel = "stylesheet";
      element[tag === "img" ? "src" : "href"] =
        page + (tag === "img" ? "static/icon.svg" : "static/style.css");
      document.body.append(element);
    });
  const frame = document.createElement("iframe");
  frame.src = page;
  await new Promise(done => { frame.onload = done; document.body.append(frame); });
  try { found.frame = frame.contentWindow.document.title; } catch { found.frame = "refused"; }
  return found;
}
</script>"""


class Hostile(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(HOSTILE.encode())

    def log_message(self, *_):
        pass


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_hostile_page_can_neither_read_nor_ask(tmp_path, name):
    needed()
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), Hostile) as server,
        served() as page,
        chromium(tmp_path) as driver,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        driver.get(f"http://{name}:{server.server_port}/")
        script = f"const done = arguments[0]; attack({json.dumps(page)}).then(done);"
        found = driver.execute_async_script(script)
        server.shutdown()
    assert found.pop("blind") in ("opaque", "refused")  # nothing of it can be read
    assert found == dict.fromkeys(found, "refused") and len(found) == 9
