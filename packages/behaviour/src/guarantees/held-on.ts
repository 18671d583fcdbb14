import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Engine, Feature } from '../engines/engine.js'
import { Laboratory } from '../laboratory/laboratory.js'
import { GUARANTEES } from './all.js'
import type { Guarantee } from './guarantee.js'

const START_MILLISECONDS = 180_000
/** Thousands of requests, to an engine that may be far away. */
const GUARANTEE_MILLISECONDS = 180_000

/** Holds every guarantee on one engine; what is skipped says why. */
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

/** Why the engine cannot be held to a guarantee. */
export function whyNot(engine: Pick<Engine, 'lacks'>, { needs = [] }: Guarantee): string | undefined {
  return needs.map((feature: Feature) => engine.lacks[feature]).find((reason) => reason !== undefined)
}

/** One line for each reason; which they are, the list of the tests says. */
function tellSkipped(engine: Engine): void {
  const reasons = GUARANTEES.flatMap(({ all }) => all.map((guarantee) => whyNot(engine, guarantee)))
  for (const reason of new Set(reasons)) {
    if (reason === undefined) continue
    const count = reasons.filter((each) => each === reason).length
    console.log(`${count} guarantees are skipped on ${engine.name}: ${reason}.`)
  }
}
