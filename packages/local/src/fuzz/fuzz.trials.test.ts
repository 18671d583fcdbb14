import { expect, inject, it } from 'vitest'
import { createLocal } from '../local.js'
import { fuzz } from './fuzz.js'

const REQUESTS = inject('trials') === 'many' ? 4_000 : 800

it('the HTTP endpoint answers any input as the service would', async () => {
  const bugs: unknown[] = []
  const local = createLocal({ onBug: (bug) => bugs.push(bug) })
  const { port } = await local.listen({ port: 0 })
  const { faults, statuses } = await fuzz({ port, requests: REQUESTS, seed: 1, connections: 4 })
  await local.close()
  expect(faults).toEqual([])
  expect(bugs).toEqual([])
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 403, 404, 405]))
})
