import { VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { KeptAnswers } from './kept-answers.js'

const MINUTE = 60_000

/** The seconds of ten minutes in which a question was asked that fails each time, and that pages ask every second. */
async function askedAt(milliseconds: number, failureMilliseconds?: number): Promise<readonly number[]> {
  const clock = new VirtualClock()
  const kept = new KeptAnswers(clock)
  const asked: number[] = []
  for (let second = 0; second < 600; second++) {
    const ask = () => {
      asked.push(second)
      return Promise.reject(new Error('It does not answer.'))
    }
    await expect(kept.get('question', milliseconds, ask, failureMilliseconds)).rejects.toThrow()
    clock.advance(1_000)
  }
  return asked
}

it('a failure is kept for seconds at first, and for a minute at most', async () => {
  const asked = await askedAt(10 * MINUTE)
  expect(asked.slice(0, 8)).toEqual([0, 2, 6, 14, 30, 62, 122, 182])
})

it('one that costs capacity is kept for a minute at once', async () => {
  expect((await askedAt(10 * MINUTE, MINUTE)).slice(0, 3)).toEqual([0, 60, 120])
})

it('an answer is kept for its time, also after failures', async () => {
  const clock = new VirtualClock()
  const kept = new KeptAnswers(clock)
  let asked = 0
  const look = () =>
    kept.get('question', 10 * MINUTE, async () => {
      if (asked++ < 3) throw new Error('It does not answer.')
      return asked
    })
  for (const pause of [2_000, 4_000, 8_000]) {
    await expect(look()).rejects.toThrow()
    clock.advance(pause)
  }
  expect(await look()).toBe(4)
  clock.advance(10 * MINUTE - 1)
  expect(await look()).toBe(4)
})

it('the latest answer stands for one that is missing because the endpoint is lost', async () => {
  const clock = new VirtualClock()
  const lost = new Error('lost')
  const kept = new KeptAnswers(clock, { isLost: (error) => error === lost })
  const get = (ask: () => Promise<string>) => kept.get('question', MINUTE, ask)
  const fails = (error: Error) => () => Promise.reject(error)
  await expect(get(fails(lost))).rejects.toThrow('lost')
  clock.advance(MINUTE)
  await get(async () => 'before')
  for (let minute = 0; minute < 3; minute++) {
    clock.advance(MINUTE)
    expect(await get(fails(lost))).toBe('before')
  }
  clock.advance(MINUTE)
  await expect(get(fails(new Error('refused')))).rejects.toThrow('refused')
})

it('a failure whose cause is over is forgotten, and an answer is not', async () => {
  const kept = new KeptAnswers(new VirtualClock())
  await expect(kept.get('one', MINUTE, () => Promise.reject(new Error('no')))).rejects.toThrow()
  await kept.get('other', MINUTE, async () => 'before')
  kept.forgetFailures()
  expect(await kept.get('one', MINUTE, async () => 'now')).toBe('now')
  expect(await kept.get('other', MINUTE, async () => 'now')).toBe('before')
})
