import { type Item, itemBytes } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import { auditItem } from './audit-item.js'
import type { AuditEntry } from './workload.js'

const entry: AuditEntry = {
  request: {
    epochSeconds: 1_431_857_100,
    client: 'c1',
    method: 'GET',
    path: '/größe.png',
    status: 200,
    bytes: 25_230,
  },
  accessedAt: '2015-05-17T10:05:00.000Z#000000000',
}

describe('an audit item', () => {
  it("holds the log's own attributes under the file and the time", () => {
    expect(auditItem(entry, 0)).toEqual({
      file_path: { S: '/größe.png' },
      accessed_at: { S: '2015-05-17T10:05:00.000Z#000000000' },
      client: { S: 'c1' },
      method: { S: 'GET' },
      status: { N: '200' },
      bytes: { N: '25230' },
    })
  })

  it('is padded to a size that it keeps with a suffix on its key', () => {
    const padded = auditItem(entry, 1_024)
    const suffixed = { ...padded, file_path: { S: '/größe.png_1000' } }
    expect(itemBytes(suffixed as Item)).toBeLessThanOrEqual(1_024)
    expect(itemBytes(suffixed as Item)).toBeGreaterThan(1_010)
  })

  it('is left alone where it is larger than asked for', () => {
    expect(auditItem(entry, 50)).toEqual(auditItem(entry, 0))
  })
})
