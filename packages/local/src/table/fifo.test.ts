import { expect, it } from 'vitest'
import { Fifo } from './fifo.js'

it('returns its elements in their order, also after many have left', () => {
  const fifo = new Fifo<number>()
  expect([fifo.isEmpty, fifo.first, fifo.last, fifo.shift()]).toEqual([true, undefined, undefined, undefined])
  let next = 0
  for (let pushed = 0; pushed < 10_000; pushed++) {
    fifo.push(pushed)
    if (pushed % 3 !== 0) expect(fifo.shift()).toBe(next++)
  }
  expect([fifo.first, fifo.last]).toEqual([next, 9_999])
  while (!fifo.isEmpty) expect(fifo.shift()).toBe(next++)
  expect(next).toBe(10_000)
})
