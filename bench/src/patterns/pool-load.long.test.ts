import { expect, it } from 'vitest'
import { claimAll, registerIds } from './pool-load.js'

const LOAD = { seed: 1, ids: 100_000, idsPerSecond: 2_600 }

/** What one partition takes while the load lasts, with a tenth for what it had saved. */
const OF_ONE_PARTITION = (1.1 * 1_000 * LOAD.ids) / LOAD.idsPerSecond

it('a registration is throttled where status is the key of the index, and is not with a sparse index', async () => {
  const status = await registerIds({ ...LOAD, design: 'status' })
  expect(LOAD.ids - status.unprocessed).toBeLessThan(OF_ONE_PARTITION)
  expect(status.indexThrottles).toBeGreaterThanOrEqual(status.unprocessed)
  expect(await registerIds({ ...LOAD, design: 'sparse' })).toMatchObject({
    unprocessed: 0,
    indexThrottles: 0,
  })
})

/** More than a thousand for each claimer, and hundreds of lost answers. `npm run bench -- patterns` claims 100,000. */
const CLAIMED_IDS = 40_000

it('32 claimers take 40,000 ids, each once, and the index is empty then', async () => {
  const { claimed, different, entriesBefore, entriesAfter } = await claimAll({
    seed: 1,
    ids: CLAIMED_IDS,
    claimers: 32,
    lostReplies: 0.01,
  })
  expect({ claimed, different, entriesBefore, entriesAfter }).toEqual({
    claimed: CLAIMED_IDS,
    different: CLAIMED_IDS,
    entriesBefore: CLAIMED_IDS,
    entriesAfter: 0,
  })
})
