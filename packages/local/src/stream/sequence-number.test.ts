import { describe, expect, it } from 'vitest'
import { canonicalNumber, previousNumber, SequenceNumbers, sequenceNumberAt } from './sequence-number.js'

describe('a sequence number', () => {
  it('has 21 digits, in the order of time', () => {
    expect(sequenceNumberAt(0)).toBe('000000000000000000000')
    expect(sequenceNumberAt(1.9)).toBe('000000000000100000000')
    expect(sequenceNumberAt(-5)).toBe(sequenceNumberAt(0))
    expect(sequenceNumberAt(1_800_000_000_000) > sequenceNumberAt(1_799_999_999_999)).toBe(true)
  })

  it('is the same however many zeros it begins with', () => {
    expect(canonicalNumber('7')).toBe('000000000000000000007')
    expect(canonicalNumber(`000${sequenceNumberAt(5)}`)).toBe(sequenceNumberAt(5))
  })

  it('has one before it', () => {
    expect(previousNumber('000000000000000000010')).toBe('000000000000000000009')
  })
})

describe('the sequence numbers of a stream', () => {
  it('begin with the first one of a time, and then count', () => {
    const numbers = new SequenceNumbers()
    expect(numbers.next(5.5)).toBe(sequenceNumberAt(5))
    expect(numbers.next(5)).toBe('000000000000500000001')
    expect(numbers.next(6)).toBe(sequenceNumberAt(6))
  })

  it('grow although the clock goes back', () => {
    const numbers = new SequenceNumbers()
    numbers.next(5)
    expect(numbers.next(2)).toBe('000000000000500000001')
  })

  it('go on behind the last one before a restart', () => {
    const numbers = new SequenceNumbers(sequenceNumberAt(9))
    expect(numbers.next(9)).toBe('000000000000900000001')
  })
})
