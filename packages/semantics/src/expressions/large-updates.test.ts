import { expect, it } from 'vitest'
import type { AttributeValue, Item } from '../attribute-value.js'
import { itemBytes } from '../item-size.js'
import { MAX_ITEM_BYTES } from '../limits.js'
import { applyUpdate } from './apply-update.js'
import { bindUpdate } from './bind-update.js'
import { parseUpdate } from './parse-update.js'
import { Placeholders } from './placeholders.js'

const listOf = (count: number): AttributeValue => ({
  L: Array.from({ length: count }, (_, number) => ({ N: String(number) })),
})
const updated = (expression: string, before: Item, values: Item = {}) =>
  applyUpdate(bindUpdate(parseUpdate(expression), new Placeholders({}, values)), before)

it('many paths into one list and one map change each place once, and leave the item before as it was', () => {
  const before: Item = { l: listOf(6), m: { M: { a: listOf(3), b: { N: '1' }, c: { N: '2' } } } }
  const copy = structuredClone(before)
  const after = updated(
    'SET l[9] = :x, l[8] = :y, m.d = :x, m.a[1] = :y REMOVE l[0], l[2], l[4], m.b, m.a[0]',
    before,
    {
      ':x': { S: 'x' },
      ':y': { S: 'y' },
    },
  )
  expect(after).toEqual({
    l: { L: [{ N: '1' }, { N: '3' }, { N: '5' }, { S: 'y' }, { S: 'x' }] },
    m: { M: { a: { L: [{ S: 'y' }, { N: '2' }] }, c: { N: '2' }, d: { S: 'x' } } },
  })
  expect(before).toEqual(copy)
})

it('a list that two attributes share is changed in one of them', () => {
  const after = updated('SET b = a, a[0] = :x', { a: listOf(2) }, { ':x': { S: 'x' } })
  expect(after).toEqual({ a: { L: [{ S: 'x' }, { N: '1' }] }, b: listOf(2) })
})

it('values that are too large together are still too large when later lists, maps and sets are left out', () => {
  const before: Item = {
    l: listOf(90_000),
    m: { M: { l: listOf(90_000) } },
    s: { SS: Array.from({ length: 60_000 }, (_, number) => String(number)) },
    n: { NS: ['1', '2'] },
    b: { BS: [Uint8Array.of(1), Uint8Array.of(2)] },
  }
  const names = Array.from({ length: 30 }, (_, number) => number)
  const sets = names.flatMap((n) => [`j${n} = list_append(l, l)`, `l${n} = l`, `m${n} = m`, `s${n} = s`])
  sets.push('n1 = n', 'b1 = b', 'u = :t')
  const after = updated(`SET t = :t, ${sets.join(', ')}`, before, { ':t': { S: 'x' } })
  expect(itemBytes(after)).toBeGreaterThan(MAX_ITEM_BYTES)
  expect(after.j29).toEqual({ L: [] })
  expect(after.m29).toEqual({ M: {} })
  expect(after.l29).toEqual({ L: [] })
  expect(after.s29).toEqual({ SS: [] })
  expect(after.n1).toEqual({ NS: [] })
  expect(after.b1).toEqual({ BS: [] })
  expect(after).toMatchObject({ t: { S: 'x' }, u: { S: 'x' } })
})

it('an operand of a wrong type is refused, also behind values that are too large', () => {
  const before: Item = { l: listOf(200_000), n: { N: '1' } }
  expect(() => updated('SET a = l, b = l, c = list_append(l, n)', before)).toThrow('incorrect data type')
})

it('an update that just fits is whole', () => {
  const list = listOf(20_000)
  const after = updated('SET a = l, b = list_append(l, :one)', { l: list }, { ':one': { L: [{ N: '1' }] } })
  expect(itemBytes(after)).toBeLessThan(MAX_ITEM_BYTES)
  expect((after.b as { L: unknown[] }).L).toHaveLength(20_001)
  expect(after.a).toEqual(list)
})
