import { SeededRandom } from '@isotherm/runtime'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnsweredIds } from '../fuzz/answered-ids.js'
import { brokenJson } from '../fuzz/break-json.js'
import { validInput } from '../fuzz/valid-input.js'
import { OPERATIONS } from '../operations/operations.js'
import { checkShape } from './check-shape.js'
import { fitsShape } from './fits-shape.js'
import type { StructureShape } from './shape.js'
import { withoutNulls } from './without-nulls.js'

const operations = [...OPERATIONS].map(([name, { shape }]) => ({ name, shape, fits: fitsShape(shape) }))

describe('the test of a shape', () => {
  it('accepts exactly the requests that pass the check and contain no nulls', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...operations),
        fc.integer({ min: 0 }),
        fc.boolean(),
        ({ shape, fits }, seed, isBroken) => {
          const random = new SeededRandom(seed)
          const valid = validInput(shape, random, new AnsweredIds())
          const input = isBroken ? parsed(brokenJson(random, valid)) : valid
          expect(fits(input)).toBe(isRight(shape, input))
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('agrees for members without a value, and for lists with holes', () => {
    for (const shape of [
      { type: 'structure', members: { Name: { type: 'string' } } },
      { type: 'structure', members: { Name: { type: 'string', required: true } } },
      { type: 'structure', members: {}, unsupported: ['Name'] },
      { type: 'structure', members: { Name: { type: 'list', of: { type: 'string' } } } },
    ] as const satisfies readonly StructureShape[]) {
      for (const Name of [undefined, null, 'x', new Array(1)]) {
        const input = { Name }
        expect(fitsShape(shape)(input)).toBe(isRight(shape, input))
      }
    }
  })
})

function isRight(shape: StructureShape, input: unknown): boolean {
  const shaped = withoutNulls(shape, input)
  if (shaped !== input) return false
  try {
    checkShape(shape, shaped)
    return true
  } catch {
    return false
  }
}

/** Text that is not JSON never reaches validation. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
