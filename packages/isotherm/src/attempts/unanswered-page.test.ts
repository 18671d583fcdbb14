import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type Answer, answerWith, ScriptedClient, serviceError } from '../../test/scripted-client.js'
import { MoveSender } from './move-sender.js'

/** Reads a page whose first requests have no response. */
async function pageAfter(silent: number, answer: Answer) {
  const clock = new VirtualClock(0)
  const scripted = new ScriptedClient(answer)
  scripted.onAttempt = () => (scripted.requests.length > silent ? undefined : new Promise(() => {}))
  const table = { client: scripted.client, clock, random: new SeededRandom(1) }
  const sender = new MoveSender(table, { maxAttempts: 5, pace: undefined, signal: undefined })
  const result = await clock.run(() =>
    sender.queryPage({ TableName: 'log' }).catch((error: unknown) => error),
  )
  return { result, requests: scripted.requests.length, elapsed: clock.now() }
}

describe('a page that a move reads, whose request has no response', () => {
  it('is read again, each time after ten seconds', async () => {
    const { result, requests, elapsed } = await pageAfter(2, answerWith({ Count: 7 }))
    expect(result).toMatchObject({ Count: 7 })
    expect([requests, elapsed]).toEqual([3, 20_000])
  })

  it('fails after three requests', async () => {
    const { result, requests, elapsed } = await pageAfter(3, answerWith({ Count: 7 }))
    expect(result).toMatchObject({ name: 'TimeoutError' })
    expect([requests, elapsed]).toEqual([3, 30_000])
  })

  it('is not read again after an error of the service', async () => {
    const { result, requests } = await pageAfter(0, serviceError('ValidationException'))
    expect(result).toMatchObject({ name: 'ValidationException' })
    expect(requests).toBe(1)
  })
})
