import { expect, it } from 'vitest'
import type { LocalError } from '../errors/local-error.js'
import { HeapWatch } from './heap-watch.js'

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
  write(10_000)
  expect(reported).toHaveLength(1)
  expect(reported[0]).toMatchObject({ code: 'storage.memory' })
  expect(reported[0]?.message).toContain('881 of 1024 MB are in use')
})
