import { describe, expect, it } from 'vitest'
import type { KeyedTable } from '../keys/keyed-table.js'
import { type RouteOfIndex, routeOf } from './query-route.js'

const input = { TableName: 'log', IndexName: 'by_rank' }

const tableWith = (routeOfIndex: RouteOfIndex | undefined) =>
  ({ options: { name: 'log' }, routeOfIndex }) as KeyedTable & { routeOfIndex: RouteOfIndex | undefined }

describe('a query', () => {
  it('without an index reads the table, whatever parts the client has', () => {
    expect(routeOf(tableWith(undefined), { TableName: 'log' })).toEqual({ kind: 'table', replica: undefined })
  })

  it('of an index is refused by a client without the part for it', () => {
    expect(() => routeOf(tableWith(undefined), input)).toThrow(
      expect.objectContaining({
        code: 'part.missing',
        details: { part: 'indexes', use: 'Query with IndexName', table: 'log' },
      }),
    )
  })

  it('of an index is routed by the part for it', () => {
    const route = { kind: 'table', replica: 'by_rank' } as const
    expect(
      routeOf(
        tableWith(() => route),
        input,
      ),
    ).toBe(route)
  })
})
