import { describe, expect, it } from 'vitest'
import { throttleByIndex } from './throttled-index.js'

const TABLE = 'arn:aws:dynamodb:eu-central-1:000000000000:table/files'

function refusal(...reasons: readonly (readonly [reason: string, resource?: string])[]): Error {
  return Object.assign(new Error('full'), {
    ThrottlingReasons: reasons.map(([reason, resource]) => ({ reason, resource })),
  })
}

const HOT = 'IndexWriteKeyRangeThroughputExceeded'

describe('the part of an index in a throttle', () => {
  it.each([
    ['its own full partition', refusal([HOT, `${TABLE}/index/by_status`]), 'partition'],
    ['the full partition of another index', refusal([HOT, `${TABLE}/index/status`]), undefined],
    ['a full partition of an index that is not named', refusal([HOT]), 'partition'],
    ['a full partition of the table', refusal(['TableWriteKeyRangeThroughputExceeded', TABLE]), undefined],
    [
      'the limit of the whole index',
      refusal(['IndexWriteProvisionedThroughputExceeded', `${TABLE}/index/by_status`]),
      'index',
    ],
    [
      'both, of which the wider one counts',
      refusal(
        [HOT, `${TABLE}/index/by_status`],
        ['IndexWriteProvisionedThroughputExceeded', `${TABLE}/index/by_status`],
      ),
      'index',
    ],
    ['no reasons', new Error('full'), undefined],
  ])('is seen in %s', (_what, error, part) => {
    expect(throttleByIndex(error, 'by_status')).toBe(part)
  })

  it('is seen in the exception that spells its member without a capital', () => {
    const throttlingReasons = [{ reason: HOT, resource: `${TABLE}/index/by_status` }]
    expect(throttleByIndex(Object.assign(new Error('full'), { throttlingReasons }), 'by_status')).toBe(
      'partition',
    )
  })
})
