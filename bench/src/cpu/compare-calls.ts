import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Transport } from './caller.js'
import type { CallerOrder } from './caller-process.js'
import { COMPARED_CALLS, type ComparedCall } from './compared-calls.js'

/** How much is measured. */
export interface Rounds {
  readonly rounds: number
  /** Calls of each process in one round, fewer if one call is many requests. */
  readonly calls: number
}

/**
 * The cost of one call with and without the library, in microseconds of processor time. Other processes make calls
 * dearer, because they share caches, so a cost is that of the calmest rounds.
 */
export interface Comparison {
  readonly call: ComparedCall
  readonly plainMicroseconds: number
  readonly shardedMicroseconds: number
  /** The median of the ratios of the rounds, and the quartiles around it. */
  readonly ratio: number
  readonly quartiles: readonly [number, number]
}

/** The share of the rounds that are taken for calm. */
const CALM_SHARE = 0.1

/** The code is optimised after some thousand calls. */
const WARM_UP_CALLS = 3_000

/** Compares one call in two processes that take turns. */
export async function compareCall(
  index: number,
  transport: Transport,
  { rounds, calls }: Rounds,
): Promise<Comparison> {
  const call = COMPARED_CALLS[index]
  if (call === undefined) throw new Error(`There is no call ${index}.`)
  const callers = [false, true].map((isSharded) => startCaller({ call: index, isSharded, transport }))
  try {
    const [plain, sharded] = callers as [ChildProcess, ChildProcess]
    const each = (amount: number) => Math.ceil(amount / (call.plainCalls ?? 1))
    await Promise.all(callers.map((caller) => measured(caller, each(WARM_UP_CALLS))))
    const pairs: { readonly plain: number; readonly sharded: number }[] = []
    for (let round = 0; round < rounds; round++) {
      // The first of the two runs in a cooler cache, so they take turns at that, too.
      const first = round % 2 === 0 ? await measured(plain, each(calls)) : undefined
      const second = await measured(sharded, each(calls))
      pairs.push({ plain: first ?? (await measured(plain, each(calls))), sharded: second })
    }
    const ratios = pairs.map((pair) => pair.sharded / pair.plain)
    return {
      call,
      plainMicroseconds: quantile(
        pairs.map((pair) => pair.plain),
        CALM_SHARE,
      ),
      shardedMicroseconds: quantile(
        pairs.map((pair) => pair.sharded),
        CALM_SHARE,
      ),
      ratio: quantile(ratios),
      quartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    }
  } finally {
    for (const caller of callers) caller.disconnect()
  }
}

/** Runs the work with the address of a process that answers every request. */
export async function withCannedService<Result>(
  work: (transport: Transport) => Promise<Result>,
): Promise<Result> {
  const service = fork(fileURLToPath(new URL('./canned-service.js', import.meta.url)))
  try {
    const [{ port }] = (await once(service, 'message')) as [{ readonly port: number }]
    return await work({ endpoint: `http://127.0.0.1:${port}` })
  } finally {
    service.disconnect()
  }
}

function startCaller(order: CallerOrder): ChildProcess {
  return fork(fileURLToPath(new URL('./caller-process.js', import.meta.url)), [JSON.stringify(order)])
}

function measured(caller: ChildProcess, calls: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`A caller ended with code ${code}.`))
    caller.once('exit', onExit)
    caller.once('message', (microseconds: number) => {
      caller.off('exit', onExit)
      resolve(microseconds)
    })
    caller.send(calls)
  })
}

/** The value below which this share of the figures lies; the median by default. */
function quantile(figures: readonly number[], share = 0.5): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const at = share * (sorted.length - 1)
  const [low = Number.NaN, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}
