import type { KeyValue } from '@isotherm/semantics'
import { expect, it } from 'vitest'
import { TwoCopiesReport } from './two-copies-report.js'

const of = (sortKey: KeyValue | undefined, sourceCopy: 'kept' | 'discarded' = 'kept') =>
  ({
    type: 'two-copies',
    table: 'log',
    logicalKey: '/sale',
    sortKey,
    source: 2,
    target: 1,
    sourceCopy,
    at: 0,
  }) as const

it('says nothing where no copy is left', () => {
  const report = new TwoCopiesReport()
  report.onEvent(of({ S: 'noon' }, 'discarded'))
  expect(report.text()).toBeUndefined()
})

it('shows keys of every type, and no more than a screen of items', () => {
  const report = new TwoCopiesReport()
  const sortKeys = [{ S: 'a\u001b' }, { N: '7' }, { B: Buffer.from('xy') }, undefined]
  for (const sortKey of sortKeys) report.onEvent(of(sortKey))
  report.onEvent({ ...of({ N: '8' }), logicalKey: Buffer.from('k') })
  for (let more = 0; more < 1_016; more++) report.onEvent(of({ N: '1' }))
  const lines = report.text()?.split('\n') ?? []
  expect(lines[1]).not.toContain('\u001b')
  expect(lines[2]).toBe('  "/sale", sort key 7: shard 1 has the copy that counts, and shard 2 the other')
  expect(lines[3]).toContain('sort key eHk= (base64)')
  expect(lines[4]).toContain('sort key none')
  expect(lines[5]).toContain('  aw== (base64), sort key 8')
  expect(lines.slice(-2)).toEqual(['  and 1,001 more', expect.stringContaining('--discard')])
})
