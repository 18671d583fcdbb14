import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { KeepAliveCaller } from './keep-alive-caller.js'
import type { ProxiedCall } from './proxied-calls.js'
import type { ServingOrder } from './serving-process.js'

/** The endpoints that are compared, each in a process of its own. */
const TARGETS = ['direct', 'pass-through', 'proxy'] as const

type TargetName = (typeof TARGETS)[number]

/** A figure of each endpoint. */
type Figures = Readonly<Record<TargetName, number>>

/** One kind of call at each endpoint. */
export interface Comparison {
  /** The median of the milliseconds of a call. */
  readonly median: Figures
  /** 99 of 100 calls took fewer milliseconds. */
  readonly tail: Figures
  /** The processor time of a call in the process of the endpoint, in microseconds: the median of the rounds. */
  readonly processor: Figures
}

/** How much is measured. */
export interface Rounds {
  readonly rounds: number
  /** Calls to each endpoint in one round. */
  readonly calls: number
  /** Calls in flight. */
  readonly concurrency: number
}

const WARM_UP_CALLS = 1_000

/** An endpoint, and a caller of it. */
interface Target {
  readonly caller: KeepAliveCaller
  /** The processor time that its process has used, in microseconds. */
  processorTime(): Promise<number>
}

type Targets = Readonly<Record<TargetName, Target>>

/** Opens the endpoints, and closes them after the work. */
export async function withTargets<Result>(
  concurrency: number,
  work: (targets: Targets) => Promise<Result>,
): Promise<Result> {
  const servers: ChildProcess[] = []
  const callers: KeepAliveCaller[] = []
  const open = async (order: ServingOrder): Promise<Target & { readonly url: string }> => {
    const file = fileURLToPath(new URL('./serving-process.js', import.meta.url))
    const server = fork(file, [JSON.stringify(order)])
    servers.push(server)
    const { url } = await messageOf<{ readonly url: string }>(server)
    const caller = await KeepAliveCaller.open(url, concurrency)
    callers.push(caller)
    return { url, caller, processorTime: () => processorTime(server) }
  }
  try {
    const direct = await open({ kind: 'server', upstream: '' })
    return await work({
      direct,
      'pass-through': await open({ kind: 'pass-through', upstream: direct.url }),
      proxy: await open({ kind: 'proxy', upstream: direct.url }),
    })
  } finally {
    for (const caller of callers) caller.close()
    for (const server of servers) server.disconnect()
  }
}

async function processorTime(server: ChildProcess): Promise<number> {
  const answer = messageOf<{ readonly microseconds: number }>(server)
  server.send({})
  return (await answer).microseconds
}

async function messageOf<Message>(server: ChildProcess): Promise<Message> {
  const [message] = (await once(server, 'message')) as [Message]
  return message
}

/** Measures one call at all endpoints, which take turns, so that other work on the machine delays all of them. */
export async function compareProxies(
  call: ProxiedCall,
  targets: Targets,
  { rounds, calls }: Rounds,
): Promise<Comparison> {
  let next = 0
  // Only the proxy knows the shards, so without it the same request is for another table.
  const bodies = (target: TargetName, amount: number) => {
    const table = target === 'proxy' ? call.table : 'plain'
    return Array.from({ length: amount }, () => call.body(table, next++))
  }
  const times = noFigures()
  const processor = noFigures()
  for (const name of TARGETS) await targets[name].caller.send(call.operation, bodies(name, WARM_UP_CALLS))
  for (let round = 0; round < rounds; round++) {
    for (const name of TARGETS) {
      const { caller, processorTime } = targets[name]
      const before = await processorTime()
      times[name].push(...(await caller.send(call.operation, bodies(name, calls))))
      processor[name].push(((await processorTime()) - before) / calls)
    }
  }
  return { median: at(times, 0.5), tail: at(times, 0.99), processor: at(processor, 0.5) }
}

const noFigures = () => eachTarget((): number[] => [])

const at = (figures: Readonly<Record<TargetName, readonly number[]>>, share: number) =>
  eachTarget((name) => quantile(figures[name], share))

function eachTarget<Value>(value: (name: TargetName) => Value): Record<TargetName, Value> {
  return { direct: value('direct'), 'pass-through': value('pass-through'), proxy: value('proxy') }
}

function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
}
