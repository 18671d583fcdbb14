import { workOffQueue } from './queue-load.js'

const BASE = { seed: 1, concurrency: 10, handlerMilliseconds: 50 }

/** Throughput by workers, and operations that take effect once while workers are killed. */
export async function queueLoadTable(): Promise<string> {
  const rows: string[] = []
  for (const workers of [1, 4, 16]) {
    const rates: number[] = []
    for (const shards of [8, 64]) {
      const operations = 500 * workers
      const load = {
        ...BASE,
        operations,
        workers,
        shards,
        lostReplies: 0,
        killMilliseconds: Number.POSITIVE_INFINITY,
      }
      rates.push(Math.round((await workOffQueue(load)).perSecond))
    }
    rows.push(`| ${workers} | ${rates.join(' | ')} |`)
  }
  const hard = await workOffQueue({
    ...BASE,
    operations: 10_000,
    shards: 8,
    workers: 16,
    lostReplies: 0.01,
    killMilliseconds: 2_000,
  })
  return [
    '| workers, 10 operations of 50 ms at a time each | operations a second, `shards: 8` | `shards: 64` |',
    '|---:|---:|---:|',
    ...rows,
    '',
    '| 10,000 operations, 16 workers, 1 of 100 answers lost | workers killed | effects | of them not exactly once | seconds |',
    '|---|---:|---:|---:|---:|',
    `| each worker is killed after 2 s on average | ${hard.killed} | ${hard.effects} | ${hard.twice} | ${hard.seconds.toFixed(1)} |`,
  ].join('\n')
}
