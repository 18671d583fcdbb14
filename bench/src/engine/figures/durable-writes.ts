import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemClock } from '@isotherm/runtime'
import { percent, whole } from '../engine-figures.js'
import { LmdbStorage, MemoryStorage } from '../engine-parts.js'
import { median } from '../engine-record.js'
import { putAt } from '../measured-operations.js'
import { benchEngine, REGION } from './bench-engine.js'
import type { Figure } from './figure.js'

const WRITERS = 64
const MILLISECONDS = 1_500
const ROUNDS = 3
const LEAST_SHARE = 0.6

type EngineStorage = Parameters<typeof benchEngine>[0]

interface Writes {
  readonly perSecond: number
  /** Writes that share one commit, and so one `fsync`. */
  readonly perCommit: number
}

/** Writes of many writers, on disk and in memory in turn. */
export async function durableWrites(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-bench-'))
  const rounds: { readonly memory: Writes; readonly durable: Writes; readonly alone: Writes }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const memory = await writes(new MemoryStorage(), WRITERS)
    const durable = await writes(new LmdbStorage(join(folder, `${round}-many`)), WRITERS)
    const alone = await writes(new LmdbStorage(join(folder, `${round}-one`)), 1)
    // The first round is a warm-up.
    if (round > 0) rounds.push({ memory, durable, alone })
  }
  rmSync(folder, { recursive: true })
  const of = (figure: (round: (typeof rounds)[number]) => number) => median(rounds.map(figure))
  const share = of(({ memory, durable }) => durable.perSecond / memory.perSecond)
  return [
    {
      name: `Puts of ${WRITERS} writers, durable, of the puts in memory`,
      measured: `${percent(share)} (${whole(of(({ durable }) => durable.perSecond))} of ${whole(of(({ memory }) => memory.perSecond))} a second)`,
      aim: { text: `at least ${percent(LEAST_SHARE)}`, isMet: share >= LEAST_SHARE },
    },
    {
      name: `Puts that share one \`fsync\`, ${WRITERS} writers`,
      measured: of(({ durable }) => durable.perCommit).toFixed(1),
    },
    { name: 'Durable puts of one writer, a second', measured: whole(of(({ alone }) => alone.perSecond)) },
  ]
}

async function writes(storage: EngineStorage, writers: number): Promise<Writes> {
  const engine = await benchEngine(storage)
  const clock = new SystemClock()
  const commits = new Set<Promise<void>>()
  const from = clock.now()
  let next = 0
  const write = async () => {
    while (clock.now() - from < MILLISECONDS) {
      const answer = engine.execute('PutItem', putAt(next++), REGION)
      const commit = storage.settled()
      if (commit !== undefined) commits.add(commit)
      await answer
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  const seconds = (clock.now() - from) / 1_000
  await engine.close()
  return { perSecond: next / seconds, perCommit: next / commits.size }
}
