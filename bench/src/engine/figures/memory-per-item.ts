import { whole } from '../engine-figures.js'
import { MemoryStorage } from '../engine-parts.js'
import { fillingRequests, ITEM_BYTES, ITEMS } from '../measured-operations.js'
import { benchEngine, REGION } from './bench-engine.js'
import type { Figure } from './figure.js'
import { usedBytes } from './used-bytes.js'

const MOST_TIMES = 2

/** The memory of an item, when items come as JSON, as they do over HTTP. */
export async function memoryPerItem(): Promise<readonly Figure[]> {
  const engine = await benchEngine(new MemoryStorage())
  const before = usedBytes()
  for (const { operation, input } of fillingRequests()) {
    // Equal texts of one program share their memory, and those of requests do not.
    engine.execute(operation, JSON.parse(JSON.stringify(input)), REGION)
  }
  const bytes = (usedBytes() - before) / ITEMS
  await engine.close()
  return [
    {
      name: `Bytes of memory for an item of ${whole(ITEM_BYTES)} bytes`,
      measured: whole(bytes),
      aim: { text: `under ${MOST_TIMES} times its size`, isMet: bytes < MOST_TIMES * ITEM_BYTES },
    },
  ]
}
