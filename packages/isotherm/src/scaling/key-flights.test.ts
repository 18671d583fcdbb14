import { describe, expect, it } from 'vitest'
import { KeyFlights } from './key-flights.js'

function flightsOf(max: number) {
  const stopped = new AbortController()
  const failed: unknown[] = []
  const flights = new KeyFlights({ max, signal: stopped.signal, onFailed: (error) => failed.push(error) })
  return { flights, failed, stopped }
}

/** Work that the test ends. */
function work() {
  let end: (error?: Error) => void = () => {}
  let begun = 0
  const run = () => {
    begun += 1
    return new Promise<void>((resolve, reject) => {
      end = (error) => (error === undefined ? resolve() : reject(error))
    })
  }
  const ended = async (error?: Error) => {
    end(error)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { run, ended, begun: () => begun }
}

describe('background work on keys', () => {
  it('is one task for each key at a time', async () => {
    const { flights } = flightsOf(5)
    const [one, other] = [work(), work()]
    flights.begin('k', one.run)
    flights.begin('k', other.run)
    flights.begin('j', other.run)
    expect([one.begun(), other.begun(), flights.mayBegin('k')]).toEqual([1, 1, false])
    await one.ended()
    expect(flights.mayBegin('k')).toBe(true)
  })

  it('is done for so many keys at a time, and the rest is left', async () => {
    const { flights } = flightsOf(2)
    const tasks = [work(), work(), work()]
    for (const [index, { run }] of tasks.entries()) flights.begin(String(index), run)
    expect(tasks.map(({ begun }) => begun())).toEqual([1, 1, 0])
    expect(flights.mayBegin('2')).toBe(false)
    await tasks[0]?.ended()
    expect(flights.mayBegin('2')).toBe(true)
  })

  it('reports its failures, and goes on with other work, until it is stopped', async () => {
    const { flights, failed, stopped } = flightsOf(1)
    const [one, other] = [work(), work()]
    flights.begin('k', one.run)
    await one.ended(new Error('denied'))
    expect(failed).toEqual([new Error('denied')])
    flights.begin('k', other.run)
    stopped.abort()
    await other.ended(new Error('stopped'))
    expect(failed).toHaveLength(1)
    expect(flights.mayBegin('k')).toBe(true)
  })
})
