import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import type { Item } from '@isotherm/semantics'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { requireStorable } from './require-storable.js'

const local = createLocal({ throttle: false })
const client = local.client()
beforeAll(async () => {
  await client.send(createTable('items', ['id']))
})
afterAll(() => local.close())

const inside = (levels: number, innermost: unknown = 1): unknown =>
  levels === 0
    ? innermost
    : levels % 2 === 0
      ? [inside(levels - 1, innermost)]
      : { in: inside(levels - 1, innermost) }

/** Whether the service stores it, and whether the check lets it through. */
async function judged(attributes: Record<string, unknown>): Promise<readonly [boolean, boolean]> {
  const item = marshall({ ...attributes, id: 'a' })
  const stored = await client.send(new PutItemCommand({ TableName: 'items', Item: item })).then(
    () => true,
    ({ name }: Error) => {
      expect(name).toBe('ValidationException')
      return false
    },
  )
  try {
    requireStorable('item', item as Item)
    return [stored, true]
  } catch (error) {
    expect(error).toMatchObject({ code: 'pattern.value' })
    return [stored, false]
  }
}

it.each([
  ['31 maps and lists', { at: inside(31) }],
  ['a number of 38 digits', { at: 10n ** 38n - 1n }],
  ['the smallest number', { at: 1e-130 }],
  ['a set of numbers', { at: new Set([1, 2]) }],
  ['an empty map and an empty list', { at: [{}, []] }],
])('attributes that DynamoDB stores pass: %s', async (_what, attributes) => {
  expect(await judged(attributes)).toEqual([true, true])
})

it.each([
  ['32 maps and lists', { at: inside(32) }],
  ['a name without a letter', { '': 1 }],
  ['a name without a letter, inside', { at: inside(3, { '': 1 }) }],
  ['a name of 64 KB', { ['x'.repeat(65_536)]: 1 }],
  ['a number of 39 digits', { at: 10n ** 38n + 1n }],
  ['a number that is too small', { at: 1e-131 }],
  ['a set with such a number', { at: new Set([1, 1e-131]) }],
])('attributes that DynamoDB refuses do not pass: %s', async (_what, attributes) => {
  expect(await judged(attributes)).toEqual([false, false])
})
