// The game in the browser, drawn without a graphics card: `cargo run --manifest-path guide/site/Cargo.toml --target-dir target/site -- --game` builds it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inspector, is, launch, row, select, startSite, ticks, until, values, visitIn } from "../../../../guide/site/tests/harness.js";

const site = startSite();
let browser;
before(async () => (browser = await launch(["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"])));
after(() => browser?.close());

/** The size of the park, and the rows above and below it. */
const [WIDTH, HEIGHT, MARGIN] = [48, 27, 2.4];

/** Returns the point of the page at a point of the park. */
async function pixel(page, [x, y]) {
  const box = await page.locator("#game").boundingBox();
  const scale = Math.min(box.width / WIDTH, box.height / (HEIGHT + 2 * MARGIN));
  return [box.x + box.width / 2 + (x - WIDTH / 2) * scale, box.y + box.height / 2 + (y - HEIGHT / 2) * scale];
}

test("the game plays beside the inspector, and the pointer carries a chibi", async () => {
  const page = await visitIn(await browser.newPage({ viewport: { width: 1280, height: 720 } }), `${site.url}love-craft/`, async () => {});
  const frame = await inspector(page);
  await ticks(frame);
  assert.ok((await frame.locator("#list .agent").count()) >= 15, "all are listed");
  const before = await page.locator("#game").screenshot();
  assert.ok(before.length > 30_000, `a picture of ${before.length} bytes`);
  await until("the picture changes", async () => !(await page.locator("#game").screenshot()).equals(before));

  await select(frame, "chibi 5");
  const at = async () => {
    const shown = await values(frame);
    return shown.slice(shown.findIndex((pair) => / Position$/.test(pair)) + 1).slice(0, 2).map((pair) => Number(pair.split(" ")[1]));
  };
  await until("its position is shown", async () => (await at())[1] > 0);
  await frame.locator("#tree").press("Home");
  const isHeld = () => is(row(frame, "dangle"), "r", "fresh");
  // It walks: the hand may miss it.
  for (let turn = 0; turn < 10 && !(await isHeld()); turn++) {
    await page.mouse.up();
    const [x, y] = await at();
    await page.mouse.move(...(await pixel(page, [x, y - 1])));
    await page.mouse.down();
    await page.waitForTimeout(1500);
  }
  assert.ok(await isHeld(), "it dangles");
  await page.mouse.move(...(await pixel(page, [30, 4])), { steps: 5 });
  await until("it is carried", async () => {
    const [x, y] = await at();
    return Math.abs(x - 30) < 1 && Math.abs(y - 5) < 1;
  });
  await page.mouse.up();
  await until("it goes on by itself", async () => !(await isHeld()));
  assert.deepEqual(page.errors, []);
  await page.close();
});
