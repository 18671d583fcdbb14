import { describe, expect, it } from 'vitest'
import { isSameItem, storedReadUnits, storedUnits } from './stored-item.js'

const ITEM = { pk: { S: 'k_1' }, sk: { N: '1' }, text: { S: 'one' } }

describe('two copies of an item', () => {
  const isSame = (other: object) => isSameItem({ partitionKey: 'pk' }, ITEM, { ...ITEM, ...other })

  it('are the same whatever shard they are in, and whatever marks they have', () => {
    expect(isSame({})).toBe(true)
    expect(isSame({ pk: { S: 'k_9' } })).toBe(true)
    expect(isSame({ isotherm_moving: { S: '2:7' }, isotherm_moved: { S: '1:2:7' } })).toBe(true)
  })

  it('are not the same if the application sees a difference', () => {
    expect(isSame({ text: { S: 'two' } })).toBe(false)
    expect(isSame({ other: { S: 'one' } })).toBe(false)
    expect(isSame({ sk: { N: '2' } })).toBe(false)
  })
})

describe('the cost of an item', () => {
  const item = { ...ITEM, text: { S: 'x'.repeat(8_500) } }

  it('is a write unit for each kilobyte', () => {
    expect(storedUnits(ITEM)).toBe(1)
    expect(storedUnits(item)).toBe(9)
  })

  it('is a read unit for each four kilobytes, because moves read consistently', () => {
    expect(storedReadUnits(ITEM)).toBe(1)
    expect(storedReadUnits(item)).toBe(3)
  })
})
