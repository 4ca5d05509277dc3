"""Morning page and alert page in a real browser: each fits each screen, breaks no policy, and axe finds no fault."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.pages.pages import BASE, CHECK, GROUP, answer_of, browse, browser, drive, morning, report

from quotelake.pages.morning_page import FOLDER, PAGE, write_morning
from quotelake.pages.page import write_page

pytestmark = [pytest.mark.process, browser]

WIDTHS = (360, 390, 400, 768, 1280, 1600)
PAGES = (PAGE, f"{FOLDER}/{GROUP}.html", f"ko/{PAGE}", f"ko/{FOLDER}/{GROUP}.html", "alerts.html")
AXE = "4.10.3"
#: Runs axe in the page and leaves the rules that it breaks.
RUN = """axe.run(document, { resultTypes: ["violations"] }).then((found) => {
  const said = found.violations.map((one) => [one.id, one.nodes[0].html]);
  document.body.replaceChildren(Object.assign(document.createElement("pre"), { textContent: JSON.stringify(said) }));
});"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("morning")
    long = dict(BASE, outlet=morning()[0]["silent"][0]["outlet"], url="https://example.org/" + "x" * 300)
    check = dict(CHECK, elsewhere=["Farmers " * 40], outlet=long["outlet"])
    content = report(long, dict(long, quote_id="1" * 32), check)
    write_page(content, folder / "alerts.html")
    write_morning(content, *morning(), folder)
    write_morning({**content, "language": "ko"}, *morning("We will meet again", "한강일보"), folder / "ko")
    return folder


def test_no_page_is_wider_than_its_window_and_the_first_alert_is_on_the_first_screen(folder: Path):
    found = drive(folder, "widths", PAGES, WIDTHS)
    assert len(found) == len(PAGES) * len(WIDTHS)
    assert {key: over for key, (over, *_) in found.items() if over > 0} == {}
    assert {int(key.split()[1]): inner for key, (_, _, inner) in found.items()} == {width: width for width in WIDTHS}
    assert 0 < found[f"{PAGE} 1280"][1] < 800


@pytest.fixture(scope="module")
def axe(request: pytest.FixtureRequest) -> str:
    """Axe as one script, from the registry of npm; kept beside pytest's cache."""
    kept = request.config.cache.mkdir("axe") / f"axe-{AXE}.js"  # type: ignore[union-attr]
    if not kept.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("no npm on PATH, which brings axe-core")
        command = [npm, "pack", f"axe-core@{AXE}", "--silent", "--pack-destination", str(kept.parent)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=kept.parent)
        if done.returncode:
            pytest.skip(f"npm has no axe-core {AXE}: {done.stderr.strip()[-200:]}")
        shutil.unpack_archive(kept.parent / done.stdout.split()[-1], kept.parent)
        (kept.parent / "package" / "axe.min.js").rename(kept)
    return kept.read_text("utf-8")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("scheme", ["0", "1"], ids=["dark", "light"])
def test_axe_finds_no_fault(folder: Path, axe: str, page: str, scheme: str):
    """The policy of a page refuses a foreign script, so it is left out."""
    text = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", (folder / page).read_text("utf-8"))
    copy = (folder / page).with_name("axe.html")
    copy.write_text(text.replace("</body>", f"<script>{axe}</script><script>{RUN}</script></body>"), "utf-8")
    flags = ("--virtual-time-budget=60000", f"--blink-settings=preferredColorScheme={scheme}")
    assert answer_of(browse(copy, *flags)) == []
