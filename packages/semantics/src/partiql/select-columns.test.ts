import { describe, expect, it } from 'vitest'
import type { Item } from '../attribute-value.js'
import { parseStatement } from './parse-statement.js'
import { selectColumns, selectItem } from './select-columns.js'

const ITEM: Item = {
  pk: { S: 'a' },
  map: { M: { deep: { M: { n: { N: '1' } } }, items: { L: [{ S: 'x' }, { S: 'y' }] } } },
  items: { L: [{ M: { a: { N: '1' }, b: { N: '2' }, c: { N: '3' } } }] },
}

function selected(columns: string): Item {
  const { statement } = parseStatement(`SELECT ${columns} FROM t`)
  if (statement.kind !== 'select' || statement.columns === undefined) throw new TypeError('It has columns.')
  return selectItem(selectColumns(statement.columns), ITEM)
}

describe('the columns of a SELECT', () => {
  it('are named by the last name of their paths', () => {
    expect(selected(`pk, map.deep.n`)).toEqual({ pk: { S: 'a' }, n: { N: '1' } })
  })

  it('keep an index in their names', () => {
    expect(selected('map.items[1]')).toEqual({ 'items[1]': { S: 'y' } })
  })

  it('keep the shape of what lies below an index', () => {
    expect(selected('items[0].a, items[0].b')).toEqual({
      'items[0]': { M: { a: { N: '1' }, b: { N: '2' } } },
    })
  })

  it('keep all indexes that follow a name', () => {
    const lists: Item = { grid: { L: [{ L: [{ S: 'x' }, { M: { a: { N: '1' }, b: { N: '2' } } }] }] } }
    const { statement } = parseStatement('SELECT grid[0][0], grid[0][1].a FROM t')
    if (statement.kind !== 'select' || statement.columns === undefined) throw new TypeError('It has columns.')
    expect(selectItem(selectColumns(statement.columns), lists)).toEqual({
      'grid[0][0]': { S: 'x' },
      'grid[0][1]': { M: { a: { N: '1' } } },
    })
  })

  it('are left out where there is nothing', () => {
    const nothing = 'nix.here, items[0].z, items[7], items[8].y, map.items[1].w, map.deep.n.x'
    expect(selected(`pk, ${nothing}`)).toStrictEqual({ pk: { S: 'a' } })
  })

  it('must have different names', () => {
    expect(() => selected('map.pk, pk')).toThrow('Duplicate identifiers in select clause: pk')
  })

  it('must have different names where they keep the shape of a document', () => {
    const message = 'Duplicate identifiers in select clause: items[0]'
    expect(() => selected('items[0].a, map.items[0].b')).toThrow(message)
    expect(() => selected('items[0].a, map.items[0]')).toThrow(message)
  })

  it('must lie apart', () => {
    expect(() => selected('map, map.deep')).toThrow(/^Two document paths overlap with each other;/)
  })
})
