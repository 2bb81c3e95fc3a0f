"""The checker of accessibility that tests ask: axe-core, fetched from npm once."""

import functools
import hashlib
import io
import pathlib
import tarfile
import urllib.request

VERSION = "4.10.3"
ADDRESS = f"https://registry.npmjs.org/axe-core/-/axe-core-{VERSION}.tgz"
SHA256 = "0f2b4d7dcdf7d1219df8d1959ad68e565f51d14c3f0d88bb71cd59abeb956292"
KEPT = pathlib.Path(__file__).parents[2] / f"target/browser/axe-core-{VERSION}.js"


@functools.cache
def axe():
    """The script that puts `axe` into a page."""
    if not KEPT.exists():
        with urllib.request.urlopen(ADDRESS, timeout=60) as reply:
            package = reply.read()
        found = hashlib.sha256(package).hexdigest()
        if found != SHA256:
            raise ValueError(f"{ADDRESS} has the hash {found}, not {SHA256}")
        with tarfile.open(fileobj=io.BytesIO(package)) as files:
            script = files.extractfile("package/axe.min.js").read()
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        KEPT.write_bytes(script)
    return KEPT.read_text(encoding="utf-8")
