import { describe, expect, it } from 'vitest'
import { checkOneChange } from './one-change.js'

const UNITS = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }
const CHANGES = {
  billing: { BillingMode: 'PAY_PER_REQUEST' },
  provisioned: { BillingMode: 'PROVISIONED' },
  units: { ProvisionedThroughput: UNITS },
  maximum: { OnDemandThroughput: { MaxReadRequestUnits: 5 } },
  warm: { WarmThroughput: { ReadUnitsPerSecond: 13_000 } },
  create: { GlobalSecondaryIndexUpdates: [{ Create: {} }] },
  update: { GlobalSecondaryIndexUpdates: [{ Update: {} }] },
  remove: { GlobalSecondaryIndexUpdates: [{ Delete: {} }] },
  stream: { StreamSpecification: { StreamEnabled: true } },
  class: { TableClass: 'STANDARD' },
  protection: { DeletionProtectionEnabled: true },
  encryption: { SSESpecification: { Enabled: true } },
} as const
type Change = keyof typeof CHANGES

function refusal(...changes: Change[]): string {
  try {
    checkOneChange(Object.assign({}, ...changes.map((change) => CHANGES[change])))
  } catch (error) {
    return String(error).replace(/.*One or more parameter values were invalid: /, '')
  }
  return ''
}

describe('an UpdateTable request', () => {
  it.each(Object.keys(CHANGES) as Change[])('may make one change: %s', (change) => {
    expect(refusal(change)).toBe('')
  })

  it.each<[string, Change[]]>([
    ['Server-Side Encryption', ['encryption', 'class', 'protection', 'warm']],
    ['TableClass', ['class', 'protection', 'create']],
    ['DeletionProtection', ['protection', 'stream']],
    ['DeletionProtection', ['protection', 'maximum']],
    ['DeletionProtection', ['protection', 'billing']],
    ['DeletionProtection', ['protection', 'units']],
    ['DeletionProtection', ['protection', 'warm']],
    ['DeletionProtection', ['protection', 'create']],
  ])('that modifies %s makes no other change: %s', (name, changes) => {
    expect(refusal(...changes)).toBe(`${name} modification must be the only operation in the request`)
  })

  it.each<[string, Change[]]>([
    [
      'OnDemandThroughput can only be combined with BillingMode in an UpdateTable request',
      ['maximum', 'stream'],
    ],
    [
      'OnDemandThroughput can only be combined with BillingMode in an UpdateTable request',
      ['maximum', 'warm'],
    ],
    ['WarmThroughput must be the only operation in the request', ['warm', 'stream']],
    ['WarmThroughput must be the only operation in the request', ['warm', 'units']],
    ['Create global secondary index cannot be specified when updating WarmThroughput', ['warm', 'create']],
    ['You cannot modify stream status while updating table IOPS', ['stream', 'units']],
    ['You cannot modify stream status while updating table IOPS', ['stream', 'provisioned']],
    ['You cannot create or delete index while updating table IOPS', ['units', 'create']],
    ['You cannot create or delete index while updating table IOPS', ['units', 'remove']],
    ['You cannot create or delete index while changing stream status', ['stream', 'create']],
  ])('is refused: %s (%s)', (text, changes) => {
    expect(refusal(...changes)).toBe(text)
  })

  it.each<[Change[]]>([
    [['billing', 'maximum']],
    [['billing', 'stream']],
    [['billing', 'create']],
    [['units', 'update']],
    [['provisioned', 'units', 'update']],
    [['warm', 'update']],
  ])('may combine %s', (changes) => {
    expect(refusal(...changes)).toBe('')
  })
})
