import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Engine, Feature } from '../engines/engine.js'
import { Laboratory } from '../laboratory/laboratory.js'
import { GUARANTEES } from './all.js'
import type { Guarantee } from './guarantee.js'

const START_MILLISECONDS = 180_000
/** Enough for thousands of requests to a remote engine. */
const GUARANTEE_MILLISECONDS = 180_000

/** Tests every guarantee on one engine; skipped ones show their reason. */
export function heldOn(engine: Engine): void {
  if (engine.absent !== undefined) {
    console.log(`No guarantee is held on ${engine.name}. ${engine.absent}`)
    it.skip(`all guarantees on ${engine.name}`, () => {})
    return
  }
  tellSkipped(engine)
  describe(engine.name, () => {
    let lab: Laboratory
    beforeAll(async () => {
      lab = await Laboratory.open(engine)
    }, START_MILLISECONDS)
    afterAll(() => lab?.close(), START_MILLISECONDS)
    for (const { subject, all } of GUARANTEES) {
      describe(subject, () => {
        for (const guarantee of all) {
          const lacking = whyNot(engine, guarantee)
          it(guarantee.sentence, { timeout: GUARANTEE_MILLISECONDS }, async (context) => {
            context.skip(lacking !== undefined, lacking)
            await guarantee.holds(lab)
          })
        }
      })
    }
  })
}

/** Why a guarantee cannot be tested on the engine. */
export function whyNot(engine: Pick<Engine, 'lacks'>, { needs = [] }: Guarantee): string | undefined {
  return needs.map((feature: Feature) => engine.lacks[feature]).find((reason) => reason !== undefined)
}

/** Prints one line for each reason; the test list shows which guarantees are skipped. */
function tellSkipped(engine: Engine): void {
  const reasons = GUARANTEES.flatMap(({ all }) => all.map((guarantee) => whyNot(engine, guarantee)))
  for (const reason of new Set(reasons)) {
    if (reason === undefined) continue
    const count = reasons.filter((each) => each === reason).length
    console.log(`${count} guarantees are skipped on ${engine.name}: ${reason}.`)
  }
}
