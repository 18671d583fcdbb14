import { VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import type { Change } from '../storage/ordered-map.js'
import { fill } from './fill.js'

const MB = 1024 * 1024

/** Copies items of a size, and returns how many bytes each write held. */
async function copied(items: number, bytes: number): Promise<readonly number[]> {
  const storage = new MemoryStorage()
  const written: number[] = []
  const clock = new VirtualClock()
  const source = Array.from({ length: items }, (_, at): Change => {
    const after = { item: {}, bytes }
    return { keyspace: 'source', key: String(at).padStart(4, '0') as EncodedKey, before: undefined, after }
  })
  storage.write(source)
  const counting = {
    ...storage,
    settled: () => storage.settled(),
    write: (changes: readonly Change[]): void => {
      written.push(changes.reduce((sum, { after }) => sum + (after?.bytes ?? 0), 0))
      storage.write(changes)
    },
  } as unknown as MemoryStorage
  await clock.run(async () => {
    await fill({
      items: storage.open('source'),
      storage: counting,
      clock,
      signal: new AbortController().signal,
      isStopped: () => false,
      changeFor: (key, after) => ({ keyspace: 'copy', key, before: undefined, after }),
    })
  })
  expect(storage.open('copy').size).toBe(items)
  return written
}

it('writes a thousand small items at once', async () => {
  expect(await copied(2_500, 10)).toEqual([10_000, 10_000, 5_000])
})

it('writes few megabytes of large items at once', async () => {
  const written = await copied(100, 400 * 1024)
  expect(Math.max(...written)).toBeLessThan(5 * MB)
})
