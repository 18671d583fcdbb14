import { describe, expect, it } from 'vitest'
import { answered, answerOf, CHANGED, type Outcome, STALE, unlessFailed } from './outcome.js'

const error = new Error('denied')
const REFUSED = { kind: 'refused', error } as const
const FAILED = { kind: 'failed', error } as const

describe('the outcome of a request', () => {
  it('is of one kind', () => {
    const outcomes = [answered(7), STALE, CHANGED, REFUSED, FAILED]
    expect(outcomes.map(({ kind }) => kind)).toEqual(['answered', 'stale', 'changed', 'refused', 'failed'])
  })

  it.each<Outcome<number>>([REFUSED, FAILED])('throws its error if it is $kind', (outcome) => {
    expect(() => unlessFailed(outcome)).toThrow(error)
    expect(() => answerOf(outcome)).toThrow(error)
  })

  it('is passed on if it has no error', () => {
    expect(unlessFailed(answered(7))).toEqual({ kind: 'answered', output: 7 })
    expect(unlessFailed(STALE)).toBe(STALE)
  })

  it('gives its output, which only a request on a view may lack', () => {
    expect(answerOf(answered(7))).toBe(7)
    expect(() => answerOf(STALE)).toThrow('stale')
  })
})
