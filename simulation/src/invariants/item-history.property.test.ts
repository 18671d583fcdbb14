import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ItemHistory, type ItemOperation } from './item-history.js'

/** A call, when it was made and answered, and how; where nobody saw the answer, until when it could still happen. */
interface Call {
  readonly operation: ItemOperation
  readonly from: number
  readonly to: number
  readonly answer: string | undefined
}

const VALUES = ['', 'a', 'b'] as const

const operations: fc.Arbitrary<ItemOperation> = fc.oneof(
  fc.constant({ text: 'get', apply: (state: string) => ({ state, answer: state }) }),
  fc.constantFrom(...VALUES).map((value) => ({
    text: `put ${value}`,
    apply: () => ({ state: value, answer: 'done' }),
  })),
  fc.tuple(fc.constantFrom(...VALUES), fc.constantFrom(...VALUES)).map(([from, to]) => ({
    text: `replace ${from} by ${to}`,
    apply: (state: string) => (state === from ? { state: to, answer: 'done' } : { state, answer: 'refused' }),
  })),
)

const calls: fc.Arbitrary<readonly Call[]> = fc.array(
  fc
    .record({
      operation: operations,
      at: fc.nat(9),
      lasts: fc.nat(6),
      answer: fc.constantFrom('done', 'refused', ...VALUES, undefined, undefined, undefined),
    })
    .map(({ operation, at, lasts, answer }) => ({
      operation: { ...operation },
      from: at,
      to: at + lasts + 0.5,
      answer: operation.text === 'get' && (answer?.length ?? 0) > 1 ? '' : answer,
    })),
  { maxLength: 6 },
)

/** Tries every order of the calls that their times allow. */
function isExplained(left: readonly Call[], state: string): boolean {
  if (left.length === 0) return true
  return left.some((call) => {
    const others = left.filter((other) => other !== call)
    if (call.answer === undefined && isExplained(others, state)) return true
    if (others.some((other) => other.to < call.from)) return false
    const { state: next, answer } = call.operation.apply(state)
    return (call.answer === undefined || answer === call.answer) && isExplained(others, next)
  })
}

function isTaken(told: readonly Call[]): boolean {
  const history = new ItemHistory(['item'])
  const steps = told.flatMap(({ operation, from, to, answer }) => [
    { at: from, step: () => history.called(operation) },
    {
      at: to,
      step: () =>
        answer === undefined ? history.neverAnswered(operation) : history.answered(operation, answer),
    },
    ...(answer === undefined ? [{ at: (from + to) / 2, step: () => history.unanswered(operation) }] : []),
  ])
  try {
    for (const { step } of steps.sort((a, b) => a.at - b.at)) step()
    return true
  } catch {
    return false
  }
}

describe('the history of an item', () => {
  it('takes just the answers that some order of the calls explains', () => {
    const seen = { taken: 0, refused: 0 }
    fc.assert(
      fc.property(calls, (told) => {
        const expected = isExplained(told, '')
        seen[expected ? 'taken' : 'refused'] += 1
        expect(isTaken(told)).toBe(expected)
      }),
      { numRuns: 4_000 },
    )
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(100)
  })
})
