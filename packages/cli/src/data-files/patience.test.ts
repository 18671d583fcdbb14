import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { patiently } from './patience.js'

const THROTTLED = new ProvisionedThroughputExceededException({ message: 'exceeded', $metadata: {} })

describe('a request of long work', () => {
  it('is sent again while the table lacks capacity', async () => {
    let throttles = 2
    const answer = await patiently(async () => {
      if (throttles-- > 0) throw THROTTLED
      return 'page'
    }, new AbortController().signal)
    expect(answer).toBe('page')
  })

  it('fails at once for another reason', async () => {
    let sent = 0
    const send = async () => {
      sent++
      throw new TypeError('broken')
    }
    await expect(patiently(send, new AbortController().signal)).rejects.toThrow('broken')
    expect(sent).toBe(1)
  })

  it('is not sent again after Ctrl-C', async () => {
    const ended = AbortSignal.abort(new Error('ended'))
    let sent = 0
    const send = async () => {
      sent++
      throw THROTTLED
    }
    await expect(patiently(send, ended)).rejects.toThrow('ended')
    expect(sent).toBe(1)
  })
})
