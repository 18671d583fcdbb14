import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Calendar, parsePeriod } from './periods.js'

const at = (text: string) => Date.parse(text)
const labelAt = (calendar: Calendar, text: string) => calendar.periodAt(at(text)).label

describe('a period', () => {
  it.each([
    ['month', '2026-11-30T23:59:59.999Z', '2026-11'],
    ['month', '2026-12-01T00:00:00.000Z', '2026-12'],
    ['month', '2028-02-29T12:00:00.000Z', '2028-02'],
    ['day', '2026-11-23T00:00:00.000Z', '2026-11-23'],
    ['week', '2026-11-22T23:59:59.999Z', '2026-W47'],
    ['week', '2026-11-23T00:00:00.000Z', '2026-W48'],
    // The first days of a year may belong to the last week of the year before, and the other way round.
    ['week', '2027-01-03T12:00:00.000Z', '2026-W53'],
    ['week', '2027-01-04T00:00:00.000Z', '2027-W01'],
    ['week', '2024-12-30T00:00:00.000Z', '2025-W01'],
  ])('a %s at %s has the label %s', (period, text, label) => {
    expect(labelAt(parsePeriod(period), text)).toBe(label)
  })

  it('of ten days begins every ten days from its epoch', () => {
    const calendar = parsePeriod({ every: '240h', from: '2026-01-01' })
    expect(labelAt(calendar, '2026-01-10T23:59:59.999Z')).toBe('2026-01-01')
    expect(labelAt(calendar, '2026-01-11T00:00:00Z')).toBe('2026-01-11')
    expect(labelAt(calendar, '2025-12-31T23:00:00Z')).toBe('2025-12-22')
  })

  it.each([
    'month',
    'week',
    'day',
    { every: '240h', from: '2026-01-01' },
    { every: '8766000h', from: '2026-01-01' },
  ])('of %j has a label at the first and the last date that there is', (period) => {
    for (const moment of [-8.64e15, 8.64e15])
      expect(parsePeriod(period).periodAt(moment).label).toMatch(/^[\w.+-]+$/)
  })

  it('of hours has a label that a table can have', () => {
    const calendar = parsePeriod({ every: '6h', from: '2026-01-01T03:00' })
    expect(labelAt(calendar, '2026-01-01T08:59:59Z')).toBe('2026-01-01T030000Z')
  })

  const calendars = fc
    .oneof(
      fc.constantFrom('month', 'week', 'day'),
      fc.record({
        every: fc.integer({ min: 1_000, max: 1e10 }),
        from: fc
          .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
          .map((date) => date.toISOString()),
      }),
    )
    .map((period) => parsePeriod(period))

  it('has every moment in it, and borders on the next', () => {
    fc.assert(
      fc.property(calendars, fc.integer({ min: 0, max: 4e12 }), (calendar, moment) => {
        const period = calendar.periodAt(moment)
        expect(period.from).toBeLessThanOrEqual(moment)
        expect(period.to).toBeGreaterThan(moment)
        expect(calendar.periodAt(period.from)).toEqual(period)
        expect(calendar.periodAt(period.to - 1)).toEqual(period)
        const next = calendar.periodAt(period.to)
        expect(next.from).toBe(period.to)
        expect(next.label > period.label).toBe(true)
        expect(period.label).toMatch(/^[\w.-]+$/)
      }),
    )
  })

  it.each([
    ['year', 'rotation.period'],
    [7, 'rotation.period'],
    [{ every: '1d', from: '2026-01-01' }, 'rotation.period.every'],
    [{ every: '500ms', from: '2026-01-01' }, 'rotation.period.every'],
    [{ every: '1h' }, 'rotation.period.from'],
    [{ every: '1h', from: 'soon' }, 'rotation.period.from'],
    [{ every: '24h', from: '2026-01-01 00:00' }, 'rotation.period.from'],
    [{ every: '24h', from: '2026-02-30' }, 'rotation.period.from'],
  ])('%j is refused, and the error names %s', (period, option) => {
    expect(() => parsePeriod(period)).toThrow(
      expect.objectContaining({ code: 'options.invalid', details: expect.objectContaining({ option }) }),
    )
  })
})
