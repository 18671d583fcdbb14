import { describe, expect, it } from 'vitest'
import { isProvisionedLimit, scopeOf, throttleOf } from './throttle.js'

const named = (name: string, members: object = {}) =>
  Object.assign(new Error('Too much.'), { name, ...members })

describe('a throttle', () => {
  it.each([
    ['partition', ['TableWriteKeyRangeThroughputExceeded']],
    ['table', ['TableWriteProvisionedThroughputExceeded']],
    ['table', ['TableWriteAccountLimitExceeded']],
    ['table', ['TableWriteMaxOnDemandThroughputExceeded']],
    ['index', ['IndexWriteKeyRangeThroughputExceeded']],
    ['index', ['IndexWriteProvisionedThroughputExceeded']],
    ['table', ['TableWriteKeyRangeThroughputExceeded', 'TableWriteProvisionedThroughputExceeded']],
    ['index', ['TableWriteKeyRangeThroughputExceeded', 'IndexWriteKeyRangeThroughputExceeded']],
    [undefined, []],
    [undefined, ['SomethingNew']],
  ])('comes from the %s when its reasons are %j', (scope, reasons) => {
    expect(scopeOf(reasons)).toBe(scope)
  })

  it('has its reasons for either spelling of their member', () => {
    const reasons = [{ reason: 'TableWriteKeyRangeThroughputExceeded', resource: 'arn' }]
    for (const member of ['ThrottlingReasons', 'throttlingReasons']) {
      expect(throttleOf(named('ThrottlingException', { [member]: reasons }))?.reasons).toEqual([
        'TableWriteKeyRangeThroughputExceeded',
      ])
    }
  })

  it.each(['ProvisionedThroughputExceededException', 'ThrottlingException'])(
    'is a %s, with or without reasons',
    (name) => expect(throttleOf(named(name))).toMatchObject({ reasons: [] }),
  )

  it("is a RequestLimitExceeded, which means the account's limit when it has no reasons", () => {
    const { reasons = [] } = throttleOf(named('RequestLimitExceeded')) ?? {}
    expect(reasons).toEqual(['RequestLimitExceeded'])
    expect(scopeOf(reasons)).toBe('table')
    expect(isProvisionedLimit(reasons, 'write')).toBe(false)
    const hot = 'TableWriteKeyRangeThroughputExceeded'
    const withReasons = named('RequestLimitExceeded', { ThrottlingReasons: [{ reason: hot }] })
    expect(throttleOf(withReasons)?.reasons).toEqual([hot])
  })

  it('is no other error', () => {
    expect(throttleOf(named('ConditionalCheckFailedException'))).toBeUndefined()
    expect(throttleOf('ThrottlingException')).toBeUndefined()
  })

  it('needs more capacity only when the provisioned rate of the table is exhausted', () => {
    expect(isProvisionedLimit(['TableWriteProvisionedThroughputExceeded'], 'write')).toBe(true)
    expect(isProvisionedLimit(['IndexWriteProvisionedThroughputExceeded'], 'write')).toBe(false)
    expect(isProvisionedLimit(['TableWriteAccountLimitExceeded'], 'write')).toBe(false)
    expect(isProvisionedLimit(['TableReadProvisionedThroughputExceeded'], 'write')).toBe(false)
    expect(isProvisionedLimit(['TableReadProvisionedThroughputExceeded'], 'read')).toBe(true)
  })
})
