import { describe, expect, it } from 'vitest'
import type { Item } from '../attribute-value.js'
import { ValidationError } from '../validation-error.js'
import type { DocumentPath } from './document-path.js'
import { defineAttribute, PathWriter } from './write-path.js'

describe('writing at a path', () => {
  it.each<{ path: DocumentPath }>([
    { path: ['q', 'x'] },
    { path: ['q', 0] },
    { path: ['s', 'x'] },
    { path: ['s', 0] },
    { path: ['l', 'x'] },
    { path: ['m', 0] },
    { path: ['m', 'q', 'x'] },
    { path: ['l', 7, 0] },
  ])('is refused where no map or list has such a place: $path', ({ path }) => {
    const item: Item = { s: { S: 's' }, l: { L: [{ N: '1' }] }, m: { M: { x: { N: '1' } } } }
    const before = structuredClone(item)
    expect(() => new PathWriter(item).write(path, { S: 'new' })).toThrow(ValidationError)
    expect(item).toEqual(before)
  })

  it('without a value leaves neither the value nor its name', () => {
    const item: Item = { m: { M: { x: { N: '1' }, y: { N: '2' } } }, n: { N: '1' } }
    const writer = new PathWriter(item)
    writer.write(['m', 'x'], undefined)
    writer.write(['n'], undefined)
    expect(item).toStrictEqual({ m: { M: { y: { N: '2' } } } })
  })
})

it('an attribute called __proto__ can be changed and removed like any other', () => {
  const item: Item = {}
  defineAttribute(item, '__proto__', { S: 'p' })
  expect(Object.getOwnPropertyDescriptor(item, '__proto__')).toEqual(
    Object.getOwnPropertyDescriptor({ plain: { S: 'p' } }, 'plain'),
  )
})
