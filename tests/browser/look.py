"""What a test of a page looks at: whether it goes sideways, and how far its text stands out from its ground."""

from __future__ import annotations

from playwright.sync_api import Page

_CONTRASTS = """() => {
  const light = (c) => { const [r, g, b] = c.match(/[\\d.]+/g).slice(0, 3).map((v) => {
    v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4 });
    return .2126 * r + .7152 * g + .0722 * b };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    if (!/, 0\\)$/.test(c) && c !== "transparent") return c } return "rgb(255,255,255)" };
  const seen = "h1, h2, h3, h4, p, td, th, a, b, li, dt, dd, code, label, legend, button, blockquote, .tag, .mark";
  return [...document.querySelectorAll(seen)].filter((e) => !e.closest("svg")).map((e) => {
    const a = light(getComputedStyle(e).color), b = light(ground(e));
    return (Math.max(a, b) + .05) / (Math.min(a, b) + .05) }) }"""


def overflows(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))


def contrasts(page: Page) -> list[float]:
    """The contrast of every text with what it stands on; WCAG AA asks for 4.5."""
    ratios: list[float] = page.evaluate(_CONTRASTS)
    return ratios
