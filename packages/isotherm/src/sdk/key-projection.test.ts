import { describe, expect, it } from 'vitest'
import { withKeys } from './key-projection.js'

describe('a projection to which key attributes are added', () => {
  it("does not change the caller's placeholders", () => {
    const wanted = {
      ProjectionExpression: '#isotherm_partition, #isotherm_sort',
      ExpressionAttributeNames: { '#isotherm_partition': 'a', '#isotherm_sort': 'b' },
    }
    const { request, hides } = withKeys(wanted, ['pk', 'sk'])
    expect(hides).toEqual(['pk', 'sk'])
    expect(request).toEqual({
      ProjectionExpression: '#isotherm_partition, #isotherm_sort, #isotherm_partition_2, #isotherm_sort_2',
      ExpressionAttributeNames: {
        '#isotherm_partition': 'a',
        '#isotherm_sort': 'b',
        '#isotherm_partition_2': 'pk',
        '#isotherm_sort_2': 'sk',
      },
    })
  })
})
