import { describe, expect, it } from 'vitest'
import type { Attributes } from './item-operations.js'
import { beforeReading, newVoucher, type Voucher } from './voucher.js'

const UNUSED: Attributes = { unused: { S: 'campaign0' } }
const claimed = (claim: string, more: Attributes = {}): Attributes => ({ claim: { S: claim }, ...more })

function voucher(known: Partial<Voucher>): Voucher {
  return { ...newVoucher('campaign0', 'code0'), isRegistered: true, ...known }
}

function lookAt(known: Voucher, item: Attributes | undefined): () => void {
  const look = beforeReading(known)
  return () => look(item, 1_000)
}

describe('what is known of a voucher', () => {
  const has = () => ({ process: 'p1', claim: 'claim1' })

  it.each([
    ['was registered', {}, undefined, 'no voucher is lost'],
    ['is in no hand', {}, claimed('claim1'), 'no voucher is lost'],
    ['is in no hand, and in no index', {}, {}, 'no voucher is lost'],
    ['is held', { holder: has() }, claimed('claim2'), 'a voucher is in one hand'],
    ['is held, and found', { holder: has() }, claimed('claim1', UNUSED), 'a voucher is in one hand'],
    ['was used', { holder: { ...has(), became: 'used' } }, claimed('claim1'), 'what was used stays used'],
  ] as const)('is held against what is stored, where it %s', (_how, known, item, rule) => {
    expect(lookAt(voucher(known), item)).toThrow(rule)
  })

  it.each([
    ['is in no hand', {}, UNUSED],
    ['is in no hand, and a claim may come', { underWay: 1 }, claimed('claim1')],
    ['is in no hand, and a claim may have come', { mayBeClaimed: true }, claimed('claim1')],
    ['is held', { holder: has() }, claimed('claim1')],
    ['is given back, perhaps', { holder: { ...has(), became: 'given back' } }, UNUSED],
    ['was used', { holder: { ...has(), became: 'used' } }, claimed('claim1', { used_by: { S: 'claim1' } })],
    ['was not registered', { isRegistered: false }, undefined],
  ] as const)('agrees with what is stored, where it %s', (_how, known, item) => {
    expect(lookAt(voucher(known), item)).not.toThrow()
  })

  it('says nothing of what changed while it was read', () => {
    const known = voucher({})
    const look = lookAt(known, claimed('claim1'))
    known.changes += 1
    expect(look).not.toThrow()
  })

  it('begins with what is there when no batch can come any more', () => {
    const early = voucher({ isRegistered: false, overAt: 1_001 })
    lookAt(early, UNUSED)()
    expect(early.isRegistered).toBe(false)
    const late = voucher({ isRegistered: false, overAt: 999, holder: has() })
    lookAt(late, claimed('claim2'))()
    expect(late).toMatchObject({ isRegistered: true, holder: { claim: 'claim2' } })
  })
})
