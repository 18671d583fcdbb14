import { expect, it } from 'vitest'
import { pickAttributes } from './pick-attributes.js'

it('attributes are picked in the order of the names, without names that the item lacks', () => {
  const item = { id: { S: 'a' }, size: { N: '1' }, ['__proto__']: { S: 'p' } }
  const picked = pickAttributes(item, ['size', 'range', 'constructor', '__proto__', 'id'])
  expect(Object.entries(picked)).toEqual([
    ['size', { N: '1' }],
    ['__proto__', { S: 'p' }],
    ['id', { S: 'a' }],
  ])
})
