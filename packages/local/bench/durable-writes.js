// Measures writes per second with many writers, in memory and durable, alternating in one run: `node
// packages/local/bench/durable-writes.js [writers]`
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemClock, SystemRandom } from '@isotherm/runtime'
import { Engine } from '../dist/engine/engine.js'
import { LmdbStorage } from '../dist/storage/lmdb/lmdb-storage.js'
import { MemoryStorage } from '../dist/storage/memory-storage.js'

const WRITERS = Number(process.argv[2] ?? 64)
const WRITES = 60_000
const ROUNDS = 5
const REGION = 'us-east-1'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-bench-'))

async function writesPerSecond(storage) {
  const clock = new SystemClock()
  const engine = new Engine({
    storage,
    clock,
    random: new SystemRandom(),
    capacity: {},
    throttle: false,
    onPartitionEvent: () => {},
    stopwatch: clock,
  })
  await engine.execute(
    'CreateTable',
    {
      TableName: 'bench',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    },
    REGION,
  )
  let next = 0
  const from = performance.now()
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (next < WRITES) {
        const pk = `item#${(next++ * 7919) % 100_000}`
        const Item = {
          pk: { S: pk },
          at: { S: '2026-11-21T10:00:00Z' },
          count: { N: '42' },
          text: { S: 'x'.repeat(100) },
        }
        await engine.execute('PutItem', { TableName: 'bench', Item }, REGION)
      }
    }),
  )
  const seconds = (performance.now() - from) / 1000
  await engine.close()
  return WRITES / seconds
}

for (let round = 0; round < ROUNDS; round++) {
  const memory = await writesPerSecond(new MemoryStorage())
  const durable = await writesPerSecond(new LmdbStorage(join(folder, String(round))))
  const share = ((100 * durable) / memory).toFixed(0)
  console.log(`memory ${memory.toFixed(0)}/s, durable ${durable.toFixed(0)}/s: ${share} %`)
}
rmSync(folder, { recursive: true })
