import { rmSync } from 'node:fs'
import { expect, inject, it } from 'vitest'
import { createLocal } from '../local.js'
import { fuzz } from './fuzz.js'
import { makeBuckets } from './make-buckets.js'

const REQUESTS = inject('trials') === 'many' ? 4_000 : 800

it('the HTTP endpoint answers any input as the service would', async () => {
  const bugs: unknown[] = []
  const buckets = makeBuckets()
  const local = createLocal({ buckets, onBug: (bug) => bugs.push(bug) })
  const { port } = await local.listen({ port: 0 })
  const { faults, statuses } = await fuzz({ port, requests: REQUESTS, seed: 1, connections: 4 })
  await local.close()
  rmSync(buckets, { recursive: true })
  expect(faults).toEqual([])
  expect(bugs).toEqual([])
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 403, 404, 405]))
})
