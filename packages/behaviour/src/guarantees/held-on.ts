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
    it(`all guarantees on ${engine.name}`, ({ skip }) => skip(engine.absent))
    return
  }
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
