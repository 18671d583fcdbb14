import type { Contestant, Missing, Refusal, RunningContestant } from './contestants/contestant.js'
import type { ContestantRecord, EngineRecord } from './engine-record.js'
import type { MeasuredOperation } from './measured-operations.js'
import type { Measurement } from './measurement.js'

/** What is compared, and how long. */
export interface ComparisonPlan {
  readonly contestants: readonly Contestant[]
  readonly operations: readonly MeasuredOperation[]
  readonly connections: readonly number[]
  readonly rounds: number
  /** Of one contestant in one round. */
  readonly seconds: number
  readonly onProgress: (line: string) => void
}

/** The records of a comparison. */
export interface Compared {
  readonly contestants: readonly ContestantRecord[]
  readonly records: readonly EngineRecord[]
}

interface Started {
  readonly name: string
  readonly running: RunningContestant
}

/** Starts all contestants and measures each operation with all of them in turn, so that other work on the machine delays all. */
export async function compareEngines(plan: ComparisonPlan): Promise<Compared> {
  const contestants: ContestantRecord[] = []
  const started: Started[] = []
  try {
    for (const { name, kind, start } of plan.contestants) {
      plan.onProgress(`starting ${name}`)
      const running = await startedOr(start)
      if ('missing' in running) {
        contestants.push({ name, kind, missing: running.missing })
        plan.onProgress(`${name} is missing. ${running.missing}`)
        continue
      }
      contestants.push({ name, kind, about: running.about, megabytes: running.megabytes })
      started.push({ name, running })
    }
    const records: EngineRecord[] = []
    for (const operation of plan.operations)
      records.push(...(await compareOperation(operation, started, plan)))
    return { contestants, records }
  } finally {
    for (const { running } of started) running.stop()
  }
}

async function compareOperation(
  operation: MeasuredOperation,
  started: readonly Started[],
  { connections, rounds, seconds, onProgress }: ComparisonPlan,
): Promise<readonly EngineRecord[]> {
  const refused = new Map<string, string>()
  for (const { name, running } of started) {
    // The code of an operation is compiled while it is used for the first time.
    const warmUp = await measuredOr(() => running.measure(operation, Math.max(...connections), seconds))
    if ('refused' in warmUp) refused.set(name, warmUp.refused)
  }
  const records: EngineRecord[] = []
  for (const amount of connections) {
    const measured = new Map<string, Measurement[]>(started.map(({ name }) => [name, []]))
    for (let round = 0; round < rounds; round++) {
      for (const { name, running } of started) {
        if (refused.has(name)) continue
        const measurement = await measuredOr(() => running.measure(operation, amount, seconds))
        if ('refused' in measurement) refused.set(name, measurement.refused)
        else measured.get(name)?.push(measurement)
      }
    }
    for (const [contestant, figures] of measured) {
      const why = refused.get(contestant)
      const record = { contestant, operation: operation.name, connections: amount, rounds: figures }
      records.push(why === undefined ? record : { ...record, refused: why })
      const rates = figures.map(({ requestsPerSecond }) => requestsPerSecond.toFixed(0))
      onProgress(`${operation.name}, ${amount} connections, ${contestant}: ${why ?? rates.join(' ')}`)
    }
  }
  return records
}

/** A contestant that fails is named, and the others are still measured. */
async function startedOr(
  start: () => Promise<RunningContestant | Missing>,
): Promise<RunningContestant | Missing> {
  try {
    return await start()
  } catch (error) {
    return { missing: `It did not start: ${messageOf(error)}` }
  }
}

async function measuredOr(measure: () => Promise<Measurement | Refusal>): Promise<Measurement | Refusal> {
  try {
    return await measure()
  } catch (error) {
    return { refused: `it failed: ${messageOf(error)}` }
  }
}

/** Answers of servers can be long. */
const MESSAGE_CHARACTERS = 200

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, MESSAGE_CHARACTERS)
}
