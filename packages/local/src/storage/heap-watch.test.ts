import { getHeapStatistics } from 'node:v8'
import { expect, it } from 'vitest'
import type { LocalError } from '../errors/local-error.js'
import { HeapWatch, nodeHeap } from './heap-watch.js'

it('looks at the heap with every two thousandth write', () => {
  let looks = 0
  const watch = new HeapWatch(
    () => expect.fail('The heap is empty.'),
    () => {
      looks += 1
      return { usedBytes: 0, limitBytes: 2 ** 30 }
    },
  )
  for (let each = 0; each < 1_999; each++) watch.look()
  expect(looks).toBe(0)
  for (let each = 0; each < 2_001; each++) watch.look()
  expect(looks).toBe(2)
})

it('looks at the heap of this process unless it is given another one', () => {
  const reported: LocalError[] = []
  const watch = new HeapWatch((error) => reported.push(error))
  for (let each = 0; each < 2_000; each++) watch.look()
  // Other tests in this process may have filled it.
  for (const { details } of reported) expect(details.usedBytes).toBeGreaterThan(0)
})

it('leaves 48 MB of the limit of Node to young objects', () => {
  expect(nodeHeap().limitBytes).toBe(getHeapStatistics().heap_size_limit - 48 * 1_024 * 1_024)
})

it('reports from 85 of 100 bytes up', () => {
  const reported: LocalError[] = []
  const watchOf = (usedBytes: number) =>
    new HeapWatch(
      (error) => reported.push(error),
      () => ({ usedBytes, limitBytes: 100 }),
    )
  for (const usedBytes of [84, 85]) {
    const watch = watchOf(usedBytes)
    for (let each = 0; each < 2_000; each++) watch.look()
  }
  expect(reported.map(({ details }) => details.usedBytes)).toEqual([85])
})

it('reports once that the heap is nearly full, before it is', () => {
  const reported: LocalError[] = []
  let usedBytes = 0
  const watch = new HeapWatch(
    (error) => reported.push(error),
    () => ({ usedBytes, limitBytes: 2 ** 30 }),
  )
  const write = (times: number) => {
    for (let each = 0; each < times; each++) watch.look()
  }
  usedBytes = 0.84 * 2 ** 30
  write(10_000)
  expect(reported).toEqual([])
  usedBytes = 0.86 * 2 ** 30
  write(1_999)
  expect(reported).toEqual([])
  write(8_001)
  expect(reported).toHaveLength(1)
  expect(reported[0]).toMatchObject({
    code: 'storage.memory',
    details: { usedBytes, limitBytes: 2 ** 30 },
  })
  expect(reported[0]?.message).toContain('881 of 1024 MB are in use')
})
