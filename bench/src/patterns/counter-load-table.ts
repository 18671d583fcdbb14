import { loadCounter } from './counter-load.js'

const COUNTS_PER_SECOND = 20_000

/** 20,000 counts a second to a counter that nobody has used, without tokens and with them. */
export async function counterLoadTable(): Promise<string> {
  const load = { seed: 1, countsPerSecond: COUNTS_PER_SECOND, processes: 50 }
  const plain = await loadCounter({ ...load, seconds: 5, tokens: false, lostReplies: 0 })
  const exact = await loadCounter({ ...load, seconds: 6, tokens: true, lostReplies: 0.01 })
  const rows = [
    { name: 'without tokens', ...plain },
    { name: 'with tokens, 1 of 100 answers lost', ...exact },
  ]
  return [
    '| 20,000 counts a second, 50 processes | sent | value | shards | answered within the same second, by second |',
    '|---|---:|---:|---:|---|',
    ...rows.map(
      ({ name, sent, value, shards, answeredBySecond }) =>
        `| ${name} | ${sent} | ${value} | ${shards} | ${answeredBySecond.slice(0, sent / COUNTS_PER_SECOND).join(', ')} |`,
    ),
  ].join('\n')
}
