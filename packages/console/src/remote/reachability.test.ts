import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { Reachability } from './reachability.js'

const START = 1_800_000_000_000
const REFUSED = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:8000'), { code: 'ECONNREFUSED' })
const DENIED = Object.assign(new Error('no'), {
  name: 'AccessDeniedException',
  $metadata: { httpStatusCode: 400 },
})
const BAD_GATEWAY = Object.assign(new Error('no'), { name: 'Unknown', $metadata: { httpStatusCode: 502 } })

type Answer = Error | 'tables' | 'nothing'

/** An endpoint whose answer can be changed, which is looked at once a second. */
function watched() {
  const clock = new VirtualClock(START)
  let answer: Answer = 'tables'
  let asked = 0
  let returns = 0
  const ask = (signal: AbortSignal) => {
    asked++
    if (answer === 'tables') return Promise.resolve({})
    if (answer !== 'nothing') return Promise.reject(answer)
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  }
  const reachability = new Reachability({
    ask,
    clock,
    checkMilliseconds: 60_000,
    onReturn: () => returns++,
  })
  return {
    clock,
    reachability,
    asked: () => asked,
    returns: () => returns,
    answers(next: Answer) {
      answer = next
    },
    /** Looks once a second. @returns the seconds in which it was lost, and since when, in seconds */
    look: async (seconds: number) => {
      const lost: (readonly [second: number, since: number])[] = []
      await clock.run(async () => {
        for (let at = 0; at < seconds; at++) {
          const since = reachability.lostSince()
          if (since !== undefined) lost.push([(clock.now() - START) / 1_000, (since - START) / 1_000])
          await clock.sleep(1_000)
        }
      })
      return lost
    },
  }
}

describe('the reachability of an endpoint', () => {
  it('is looked at once a minute while it answers, and every five seconds while it does not', async () => {
    const endpoint = watched()
    expect(await endpoint.look(120)).toEqual([])
    expect(endpoint.asked()).toBe(2)
    endpoint.answers(REFUSED)
    const lost = await endpoint.look(30)
    expect(lost[0]).toEqual([121, 120])
    expect(lost.at(-1)).toEqual([149, 120])
    expect(endpoint.asked()).toBe(2 + 6)
  })

  it('is looked at at once after a question failed', async () => {
    const endpoint = watched()
    await endpoint.look(10)
    endpoint.answers(REFUSED)
    endpoint.reachability.suspect()
    expect((await endpoint.look(3))[0]).toEqual([11, 10])
  })

  it('comes back by itself, which is reported once', async () => {
    const endpoint = watched()
    endpoint.answers(REFUSED)
    expect((await endpoint.look(11)).length).toBeGreaterThan(0)
    endpoint.answers('tables')
    await endpoint.look(6)
    expect(await endpoint.look(20)).toEqual([])
    expect(endpoint.returns()).toBe(1)
  })

  it('is lost without an answer within five seconds', async () => {
    const endpoint = watched()
    endpoint.answers('nothing')
    expect((await endpoint.look(8))[0]).toEqual([5, 0])
  })

  it.each([
    ['refuses', DENIED, false],
    ['is behind a gateway that does not reach it', BAD_GATEWAY, true],
    [
      'cannot be asked without credentials',
      Object.assign(new Error('no'), { name: 'CredentialsProviderError' }),
      false,
    ],
  ])('of one that %s', async (_what, answer, isLost) => {
    const endpoint = watched()
    endpoint.answers(answer)
    expect((await endpoint.look(5)).length > 0).toBe(isLost)
  })
})
