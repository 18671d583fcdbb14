import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSealed, openRow, sealRow } from './sealed-row.js'

const key = fc
  .uint8Array({ minLength: 1, maxLength: 60 })
  .map((bytes) => Buffer.from(bytes).toString('latin1'))
const value = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))

it('returns what was sealed', () => {
  fc.assert(
    fc.property(key, value, (key, value) => {
      const row = sealRow(key, value)
      expect(isSealed(row)).toBe(true)
      expect(openRow(key, row, true)).toEqual(value)
    }),
  )
})

it('notices every flipped bit of the checksum and the value, and of the key', () => {
  fc.assert(
    fc.property(key, value, fc.nat(), fc.integer({ min: 0, max: 7 }), (key, value, place, bit) => {
      const row = sealRow(key, value)
      const at = 1 + (place % (row.length - 1))
      row.writeUInt8(row.readUInt8(at) ^ (1 << bit), at)
      expect(openRow(key, row, true)).toBeUndefined()

      const bytes = Buffer.from(key, 'latin1')
      const other = place % bytes.length
      bytes.writeUInt8(bytes.readUInt8(other) ^ (1 << bit), other)
      expect(openRow(bytes.toString('latin1'), sealRow(key, value), true)).toBeUndefined()
    }),
  )
})

it('opens a row without a checksum only where there may be such rows', () => {
  const row = Buffer.from('{"root":1}')
  expect(openRow('key', row, true)).toEqual(row)
  expect(openRow('key', row, false)).toBeUndefined()
})

it('never takes a sealed row with a damaged seal for a row of version 1', () => {
  const firstBytes = new Set([0x00, 0x80, ...Buffer.from('"[{-0123456789tfn \t\r\n')])
  for (let bit = 0; bit < 8; bit++) {
    const row = sealRow('key', Buffer.from('value'))
    expect(firstBytes.has(row.readUInt8(0) ^ (1 << bit))).toBe(false)
  }
})
