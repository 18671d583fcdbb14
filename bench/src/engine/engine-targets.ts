import { LIMIT, percent, shares, whole } from './engine-figures.js'
import { type EngineRecord, type EngineRun, median } from './engine-record.js'

type Find = (contestant: string, operation: string, connections?: number) => EngineRecord | undefined

interface Verdict {
  readonly aim: string
  readonly measured: string
  readonly isMet: boolean
}

const CONNECTIONS = 32
const MEMORY = 'engine, in memory'
const DURABLE = 'engine, durable'
const PEERS = ['dynalite', 'DynamoDB Local']
const QUERY = 'Query of 100 items of 100 bytes'
const UPDATE = 'UpdateItem with condition'
const BATCH = 'BatchWriteItem of 25'
const TRANSACTION = 'TransactWriteItems of 4'

/** The aims of the engine, and whether a run has met them. Those whose contestants did not take part are left out. */
export function targetTable({ records }: Pick<EngineRun, 'records'>): string {
  const find: Find = (contestant, operation, connections = CONNECTIONS) =>
    records.find(
      (record) =>
        record.contestant === contestant &&
        record.operation === operation &&
        record.connections === connections &&
        record.rounds.length > 0,
    )
  const verdicts = [
    ofLimit(find, 'PutItem', 0.9),
    ofLimit(find, 'GetItem', 0.9),
    ofLimit(find, UPDATE, 0.7),
    ofLimit(find, TRANSACTION, 0.6),
    ofPeers(find, MEMORY, QUERY, 5),
    ofPeers(find, DURABLE, QUERY, 1),
    ofPeers(find, MEMORY, BATCH, 6),
    ...['PutItem', 'GetItem', UPDATE].map((operation) => tail(find, operation)),
    ...['PutItem', 'GetItem'].map((operation) => ofHttp(find, operation)),
    callsPerSecond(find, 'GetItem', 150_000),
    callsPerSecond(find, 'PutItem', 100_000),
  ].filter((verdict) => verdict !== undefined)
  if (verdicts.length === 0) return ''
  const rows = verdicts.map(
    ({ aim, measured, isMet }) => `| ${aim} | ${measured} | ${isMet ? 'yes' : '**no**'} |`,
  )
  return ['**Aims**', '', '| aim | measured | met |', '|---|---|---|', ...rows].join('\n')
}

function ofLimit(find: Find, operation: string, least: number): Verdict | undefined {
  const { rate, processor } = shares(find(MEMORY, operation), find(LIMIT, operation))
  if (rate === undefined) return undefined
  const byProcessor = processor === undefined ? '' : `, ${percent(processor)} by processor time`
  return {
    aim: `${operation} in memory: ${percent(least)} of ${LIMIT}`,
    measured: `${percent(rate)}${byProcessor}`,
    isMet: rate >= least,
  }
}

function ofPeers(find: Find, contestant: string, operation: string, least: number): Verdict | undefined {
  const record = find(contestant, operation)
  const rates = PEERS.flatMap((peer) => shares(record, find(peer, operation)).rate ?? [])
  if (rates.length === 0) return undefined
  const lead = Math.min(...rates)
  return {
    aim: `${operation}, ${contestant}: ${least} times the best other DynamoDB`,
    measured: `${lead.toFixed(1)} times`,
    isMet: lead >= least,
  }
}

const MOST_TAIL = 3

function tail(find: Find, operation: string): Verdict | undefined {
  const record = find(MEMORY, operation)
  if (record === undefined) return undefined
  const factor = median(record.rounds.map(({ p50, p99 }) => p99 / p50))
  const limit = find(LIMIT, operation)
  const bare = limit && median(limit.rounds.map(({ p50, p99 }) => p99 / p50))
  return {
    aim: `${operation} in memory: 99 of 100 requests within ${MOST_TAIL} times the median`,
    measured: `${factor.toFixed(1)} times${bare === undefined ? '' : `, ${LIMIT} ${bare.toFixed(1)} times`}`,
    isMet: factor <= MOST_TAIL,
  }
}

const LEAST_OVER_HTTP = 2

function ofHttp(find: Find, operation: string): Verdict | undefined {
  const { rate } = shares(find('SDK in process', operation), find('SDK over HTTP', operation))
  if (rate === undefined) return undefined
  return {
    aim: `${operation} through the SDK in process: ${LEAST_OVER_HTTP} times the SDK over HTTP`,
    measured: `${rate.toFixed(1)} times`,
    isMet: rate >= LEAST_OVER_HTTP,
  }
}

function callsPerSecond(find: Find, operation: string, least: number): Verdict | undefined {
  const record = find('engine calls', operation)
  if (record === undefined) return undefined
  const rate = median(record.rounds.map(({ requestsPerSecond }) => requestsPerSecond))
  return {
    aim: `${operation} without SDK and HTTP: ${whole(least)} calls a second`,
    measured: whole(rate),
    isMet: rate >= least,
  }
}
