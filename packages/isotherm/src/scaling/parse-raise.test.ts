import { describe, expect, it } from 'vitest'
import { raiseReadCapacity } from './raise-read-capacity.js'
import { raiseWriteCapacity } from './raise-write-capacity.js'

const invalid = (option: string, value: unknown) =>
  expect.objectContaining({ code: 'options.invalid', details: { option, value } })

describe('a raise of the capacity', () => {
  it('is by half, at most once a minute, by default', () => {
    const pace = { factor: 1.5, cooldownMilliseconds: 60_000 }
    expect(raiseReadCapacity({ maxReadUnits: 40 })).toMatchObject({
      kind: 'raise',
      access: 'read',
      maxReadUnits: 40,
      ...pace,
    })
    expect(raiseWriteCapacity({ maxWriteUnits: 30 })).toMatchObject({
      kind: 'raise',
      access: 'write',
      maxWriteUnits: 30,
      ...pace,
    })
  })

  it('is by the factor that is given, and as often', () => {
    const given = { maxReadUnits: 1, factor: 10, cooldown: '5s' } as const
    expect(raiseReadCapacity(given)).toMatchObject({ factor: 10, cooldownMilliseconds: 5_000 })
  })

  it.each([1, 10.1, Number.NaN, '2', null])('has no factor of %s', (factor) => {
    const options = { factor } as { factor: number }
    expect(() => raiseReadCapacity({ maxReadUnits: 40, ...options })).toThrow(
      invalid('raiseReadCapacity.factor', factor),
    )
    expect(() => raiseWriteCapacity({ maxWriteUnits: 40, ...options })).toThrow(
      invalid('raiseWriteCapacity.factor', factor),
    )
  })

  it('has a maximum of at least one unit, and a cooldown that is a duration', () => {
    expect(() => raiseReadCapacity({ maxReadUnits: 0 })).toThrow(invalid('raiseReadCapacity.maxReadUnits', 0))
    expect(() => raiseWriteCapacity({ maxWriteUnits: 0.5 })).toThrow(
      invalid('raiseWriteCapacity.maxWriteUnits', 0.5),
    )
    expect(() => raiseWriteCapacity({ maxWriteUnits: 5, cooldown: 'soon' as never })).toThrow(
      invalid('raiseWriteCapacity.cooldown', 'soon'),
    )
  })

  it('has no other options, above all not the maximum of the other capacity', () => {
    expect(() => raiseReadCapacity({ maxReadUnits: 5, maxWriteUnits: 5 } as never)).toThrow(
      expect.objectContaining({
        code: 'options.unknown',
        details: {
          option: 'raiseReadCapacity.maxWriteUnits',
          known: ['maxReadUnits', 'factor', 'cooldown'],
        },
      }),
    )
  })
})
