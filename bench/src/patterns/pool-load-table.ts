import { claimAll, registerIds } from './pool-load.js'

const IDS = 100_000
const IDS_PER_SECOND = 2_600

/** Registration with both designs of the index, and claimers that take everything. */
export async function poolLoadTable(): Promise<string> {
  const load = { seed: 1, ids: IDS, idsPerSecond: IDS_PER_SECOND }
  const status = await registerIds({ ...load, design: 'status' })
  const sparse = await registerIds({ ...load, design: 'sparse' })
  const claiming = await claimAll({ seed: 1, ids: IDS, claimers: 32, lostReplies: 0.01 })
  const { claimed, different, seconds, entriesBefore, entriesAfter } = claiming
  return [
    `| ${IDS.toLocaleString('en')} ids by BatchWriteItem of 25, ${IDS_PER_SECOND.toLocaleString('en')} a second | unprocessed members | \`WriteThrottleEvents\` of the index |`,
    '|---|---:|---:|',
    `| \`status\` is the key of the index | ${status.unprocessed} | ${status.indexThrottles} |`,
    `| sparse index of a pool | ${sparse.unprocessed} | ${sparse.indexThrottles} |`,
    '',
    '| 32 claimers, 1 of 100 answers lost | claimed | of them different | seconds | entries of the index before | after |',
    '|---|---:|---:|---:|---:|---:|',
    `| \`claim(25)\`, then \`use\` | ${claimed} | ${different} | ${seconds.toFixed(1)} | ${entriesBefore} | ${entriesAfter} |`,
  ].join('\n')
}
