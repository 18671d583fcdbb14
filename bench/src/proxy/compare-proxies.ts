import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { KeepAliveCaller } from './keep-alive-caller.js'
import type { ProxiedCall } from './proxied-calls.js'
import type { ServingOrder } from './serving-process.js'

/** The endpoints that are compared, each in a process of its own. */
const TARGETS = ['direct', 'pass-through', 'proxy'] as const

/** Milliseconds of one call at each endpoint. */
export type Times = Readonly<Record<(typeof TARGETS)[number], number>>

/** How much is measured. */
export interface Rounds {
  readonly rounds: number
  /** Calls to each endpoint in one round. */
  readonly calls: number
  /** Calls in flight. */
  readonly concurrency: number
}

const WARM_UP_CALLS = 1_000

type Callers = Readonly<Record<(typeof TARGETS)[number], KeepAliveCaller>>

/** Opens the endpoints, and closes them after the work. */
export async function withTargets<Result>(
  concurrency: number,
  work: (callers: Callers) => Promise<Result>,
): Promise<Result> {
  const servers: ChildProcess[] = []
  const serve = async (order: ServingOrder): Promise<string> => {
    const file = fileURLToPath(new URL('./serving-process.js', import.meta.url))
    const server = fork(file, [JSON.stringify(order)])
    servers.push(server)
    const [{ url }] = (await once(server, 'message')) as [{ readonly url: string }]
    return url
  }
  const opened: KeepAliveCaller[] = []
  const open = async (url: string) => {
    const caller = await KeepAliveCaller.open(url, concurrency)
    opened.push(caller)
    return caller
  }
  try {
    const upstream = await serve({ kind: 'server', upstream: '' })
    return await work({
      direct: await open(upstream),
      'pass-through': await open(await serve({ kind: 'pass-through', upstream })),
      proxy: await open(await serve({ kind: 'proxy', upstream })),
    })
  } finally {
    for (const caller of opened) caller.close()
    for (const server of servers) server.disconnect()
  }
}

/** Measures one call at all endpoints, which take turns, so that other work on the machine delays all of them. */
export async function compareProxies(
  call: ProxiedCall,
  callers: Callers,
  { rounds, calls }: Rounds,
): Promise<{ readonly median: Times; readonly tail: Times }> {
  let next = 0
  // Only the proxy knows the shards, so without it the same request is for another table.
  const bodies = (target: (typeof TARGETS)[number], amount: number) => {
    const table = target === 'proxy' ? call.table : 'plain'
    return Array.from({ length: amount }, () => call.body(table, next++))
  }
  const times = new Map<string, number[]>(TARGETS.map((target) => [target, []]))
  for (const target of TARGETS) await callers[target].send(call.operation, bodies(target, WARM_UP_CALLS))
  for (let round = 0; round < rounds; round++) {
    for (const target of TARGETS) {
      times.get(target)?.push(...(await callers[target].send(call.operation, bodies(target, calls))))
    }
  }
  const at = (share: number) =>
    Object.fromEntries(TARGETS.map((target) => [target, quantile(times.get(target) ?? [], share)])) as Times
  return { median: at(0.5), tail: at(0.99) }
}

function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
}
