import { describe, expect, it } from 'vitest'
import { distinct } from './query-source.js'

describe('the attributes of a key', () => {
  it('are named once, where an index has a key attribute of the table', () => {
    expect(distinct(['pk', 'sk', 'sk'])).toEqual(['pk', 'sk'])
  })

  it('are only those that the table and the index have', () => {
    expect(distinct(['pk', undefined, 'rank'])).toEqual(['pk', 'rank'])
  })
})
