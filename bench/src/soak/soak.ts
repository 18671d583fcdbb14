import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDBClient, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreamsClient, type _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams'
import { type Random, SystemClock, SystemRandom } from '@isotherm/runtime'
import { type IsothermEvent, isotherm } from 'isotherm'
import { type Append, AppendLedger } from './append-ledger.js'
import { DocumentLedger } from './document-ledger.js'
import { ServedProcess } from './served-process.js'
import { type PeriodFigures, SoakMeasures } from './soak-measures.js'
import { type SoakPlan, soakPlan } from './soak-plan.js'
import { createSoakTables, LOG, REGION, SHARDED_TABLES, writeProxyConfiguration } from './soak-tables.js'
import { type SteadyLoad, writeSteadily } from './steady-writers.js'
import { StreamReader } from './stream-reader.js'
import { WindowReader } from './window-reader.js'

/** What the soak found. */
export interface SoakResult {
  readonly plan: SoakPlan
  readonly periods: readonly PeriodFigures[]
  readonly appends: AppendLedger['totals']
  readonly streamRecords: number
  readonly windows: WindowReader['totals']
  readonly documents: DocumentLedger['totals']
  /** Appends that a scan still found after all had expired. */
  readonly left: number
}

const WRITERS = 32
const APPENDS_PER_SECOND = { library: 120, proxy: 60 }
const DOCUMENT_WRITES_PER_SECOND = 80
const DOCUMENTS_PER_WRITER = 4
/** Of an append. With the rates above, one key gets about 1.8 times the units of a partition. */
const APPEND_BYTES = 10_000
/** Of a document. */
const DOCUMENT_BYTES = 15_000
/** Sort keys are microseconds, of which the last three digits number the writers. */
const WRITERS_PER_MILLISECOND = 1_000
/** After the load, for the stream and time to live. */
const PATIENCE_MILLISECONDS = 180_000

const CREDENTIALS = { accessKeyId: 'any', secretAccessKey: 'any' }
const clock = new SystemClock()

/** Runs a load on `isotherm local --data` and `isotherm proxy`, kills both at times, and checks that nothing is lost. */
export async function soak(minutes: number, onPeriod: (figures: PeriodFigures) => void): Promise<SoakResult> {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-soak-'))
  const data = join(folder, 'data')
  const running: ServedProcess[] = []
  try {
    const engine = await ServedProcess.start(['local', '--data', data, '--region', REGION])
    running.push(engine)
    const client = clientOf(engine.url)
    const streamArn = await createSoakTables(client)
    const configuration = join(folder, 'isotherm.yaml')
    writeProxyConfiguration(configuration)
    const upstream = ['--upstream', engine.url]
    const proxy = await ServedProcess.start(['proxy', '--config', configuration, ...upstream])
    running.push(proxy)
    return await runSoak({
      plan: soakPlan(minutes),
      engine,
      proxy,
      client,
      streamArn,
      data,
      random: new SystemRandom(),
      onPeriod,
    })
  } finally {
    for (const each of running) await each.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface SoakWorld {
  readonly plan: SoakPlan
  readonly engine: ServedProcess
  readonly proxy: ServedProcess
  readonly client: DynamoDBClient
  readonly streamArn: string
  readonly data: string
  readonly random: Random
  readonly onPeriod: (figures: PeriodFigures) => void
}

async function runSoak(world: SoakWorld): Promise<SoakResult> {
  const { plan, engine, proxy, client } = world
  const measures = new SoakMeasures()
  const onEvent = (event: IsothermEvent) => {
    if (event.type === 'scaled') measures.scaled(event)
  }
  const db = isotherm(client, { tables: SHARDED_TABLES, onEvent })
  const appends = new AppendLedger()
  const documents = new DocumentLedger(db, 'd'.repeat(DOCUMENT_BYTES))
  const windows = new WindowReader(db, appends, clock)
  const streamClient = new DynamoDBStreamsClient({
    endpoint: engine.url,
    region: REGION,
    credentials: CREDENTIALS,
  })
  const stream = new StreamReader(streamClient, world.streamArn, (record) => note(record, appends))

  const from = clock.now()
  const until = from + plan.duration
  const keyAt = (moment: number) => Math.floor((moment - from) / plan.keyLifetime)
  const fileAt = (moment: number) => `/sale-${keyAt(moment)}`
  const text = 'a'.repeat(APPEND_BYTES)
  const appending = (via: DynamoDBClient, load: 'library' | 'proxy', firstWriter: number): SteadyLoad => {
    const last = new Map<number, Append>()
    return {
      writers: WRITERS,
      perSecond: APPENDS_PER_SECOND[load],
      prepare: (writer) => {
        const now = clock.now()
        const append = { file: fileAt(now), at: idAt(now) + firstWriter + writer }
        last.set(writer, append)
        const Item = {
          file: { S: append.file },
          at: { N: String(append.at) },
          expires: { N: String(Math.ceil((now + plan.appendLifetime) / 1_000)) },
          text: { S: text },
        }
        return () => via.send(new PutItemCommand({ TableName: LOG, Item }))
      },
      onAcknowledged: (writer, milliseconds, errors) => {
        const append = last.get(writer)
        if (append !== undefined) appends.acknowledged(append, errors)
        measures.wrote(load, milliseconds, errors)
      },
    }
  }
  const turns = new Map<number, number>()
  const replacing: SteadyLoad = {
    writers: WRITERS,
    perSecond: DOCUMENT_WRITES_PER_SECOND,
    prepare: (writer) => {
      const turn = turns.get(writer) ?? 0
      turns.set(writer, turn + 1)
      return documents.nextVersion(`sale-${keyAt(clock.now())}`, `${writer}-${turn % DOCUMENTS_PER_WRITER}`)
    },
    onAcknowledged: (_, milliseconds, errors) => measures.wrote('documents', milliseconds, errors),
  }
  const viaProxy = clientOf(proxy.url)
  let isOver = false
  const reading = stream.readUntil(() => isOver, clock)
  await Promise.all([
    writeSteadily(clock, until, appending(db, 'library', 0)),
    writeSteadily(clock, until, appending(viaProxy, 'proxy', WRITERS)),
    writeSteadily(clock, until, replacing),
    windows.readUntil(until, fileAt, idAt),
    killAtTimes(world, from, measures),
    measurePeriods(world, from, measures),
  ])
  await documents.readAll()
  const patience = clock.now() + plan.appendLifetime + PATIENCE_MILLISECONDS
  while (clock.now() < patience && appends.totals.notInStream + appends.totals.notExpired > 0) {
    await clock.sleep(1_000)
  }
  isOver = true
  await reading
  const left = await countOf(db)
  for (const each of [db, viaProxy, client, streamClient]) each.destroy()
  return {
    plan,
    periods: measures.periods,
    appends: appends.totals,
    streamRecords: stream.records,
    windows: windows.totals,
    documents: documents.totals,
    left,
  }
}

const clientOf = (endpoint: string) =>
  new DynamoDBClient({ endpoint, region: REGION, credentials: CREDENTIALS })

const idAt = (moment: number) => Math.floor(moment) * WRITERS_PER_MILLISECOND

function note({ eventName, dynamodb, userIdentity }: StreamRecord, appends: AppendLedger): void {
  const at = Number(dynamodb?.Keys?.at?.N)
  if (eventName === 'INSERT') appends.inserted(at)
  // Other deletions are those of the library, which moves items out of shards that a key no longer needs.
  if (eventName === 'REMOVE' && userIdentity?.PrincipalId === 'dynamodb.amazonaws.com') appends.expired(at)
}

async function killAtTimes({ plan, engine, proxy, random }: SoakWorld, from: number, measures: SoakMeasures) {
  for (let kill = 0; ; kill++) {
    // Half to one and a half times the distance.
    await clock.sleep(plan.killEvery * (0.5 + random.next()))
    if (clock.now() - from > plan.killsUntil) return
    await (kill % 3 === 2 ? proxy : engine).killAndRestart()
    measures.killed()
  }
}

async function measurePeriods(
  { plan, engine, proxy, data, onPeriod }: SoakWorld,
  from: number,
  measures: SoakMeasures,
) {
  const periods = Math.round(plan.duration / plan.period)
  const usedTime = () => sum(engine.processorTime(), proxy.processorTime())
  let before = usedTime()
  for (let period = 1; period <= periods; period++) {
    await clock.sleep(Math.max(0, from + period * plan.period - clock.now()))
    const used = usedTime()
    onPeriod(
      measures.endPeriod({
        engineMemory: engine.memory(),
        proxyMemory: proxy.memory(),
        dataMegabytes: bytesIn(data) / 1_024 ** 2,
        machineLoad: loadavg()[0] ?? 0,
        microseconds: used === undefined || before === undefined ? undefined : used - before,
      }),
    )
    before = used
  }
}

const sum = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? undefined : one + other

function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

async function countOf(db: DynamoDBClient): Promise<number> {
  let count = 0
  const scan = paginateScan({ client: db }, { TableName: LOG, ConsistentRead: true })
  for await (const { Count = 0 } of scan) count += Count
  return count
}
