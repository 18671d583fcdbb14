import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { concurrently, concurrentlyToTheEnd } from './concurrently.js'

it.each([1, 3, 20])('works on %i members at a time at most', async (atATime) => {
  let [now, most] = [0, 0]
  const done: number[] = []
  await concurrently([...Array(10).keys()], atATime, async (member) => {
    now += 1
    most = Math.max(most, now)
    await sleep(1)
    now -= 1
    done.push(member)
  })
  expect(done.toSorted((a, b) => a - b)).toEqual([...Array(10).keys()])
  expect(most).toBe(Math.min(10, atATime))
})

it.each([3, 20])('a failure is thrown when nothing goes on any more (%i at a time)', async (atATime) => {
  let now = 0
  const begun: number[] = []
  const working = concurrentlyToTheEnd([...Array(10).keys()], atATime, async (member) => {
    begun.push(member)
    if (member === 1) throw new Error('one')
    now += 1
    await sleep(5)
    now -= 1
    if (member === 2) throw new Error('two')
  })
  await expect(working).rejects.toThrow('one')
  expect(now).toBe(0)
  expect(begun).toHaveLength(atATime === 3 ? 3 : 10)
})
