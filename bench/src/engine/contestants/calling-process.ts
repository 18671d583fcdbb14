import * as sdk from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { SystemClock, SystemRandom } from '@isotherm/runtime'
import { Engine, MemoryStorage } from '../engine-parts.js'
import { type ApiRequest, fillingRequests, MEASURED_OPERATIONS, TABLES } from '../measured-operations.js'
import { type Measurement, Tally } from '../measurement.js'
import { UNREACHED_LIMITS } from '../unreached-limits.js'

/** What a process shall call in itself. */
export interface CallOrder {
  readonly operation: string
  /** Calls in flight. The engine alone answers each call before the next. */
  readonly calls: number
  readonly seconds: number
}

type Call = (request: ApiRequest) => object | Promise<object>

const REGION = 'us-east-1'
const clock = new SystemClock()
const [, , way, port] = process.argv
const call = way === 'sdk' ? callSdk() : callEngine()

// A server in another process has its items already.
if (port === undefined) {
  for (const input of TABLES) await call({ operation: 'CreateTable', input })
  for (const request of fillingRequests()) await call(request)
}
process.on('disconnect', () => process.exit())
process.on('message', async (order: CallOrder) => process.send?.(await measure(order)))
process.send?.({})

function callSdk(): Call {
  const client = port === undefined ? createLocal(UNREACHED_LIMITS).client() : clientOf(port)
  type AnyCommand = new (input: object) => sdk.ListTablesCommand
  const commands = new Map<string, AnyCommand>(
    Object.entries(sdk).filter(([name]) => name.endsWith('Command')) as unknown as [string, AnyCommand][],
  )
  return ({ operation, input }) => {
    const Command = commands.get(`${operation}Command`)
    if (Command === undefined) throw new Error(`The SDK has no ${operation}.`)
    return client.send(new Command(input))
  }
}

function clientOf(port: string): sdk.DynamoDBClient {
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
  return new sdk.DynamoDBClient({ endpoint: `http://127.0.0.1:${port}`, region: REGION, credentials })
}

function callEngine(): Call {
  const engine = new Engine({
    storage: new MemoryStorage(),
    clock,
    random: new SystemRandom(),
    throttle: true,
    capacity: UNREACHED_LIMITS.capacity ?? {},
    onPartitionEvent: () => {},
    stopwatch: clock,
  })
  return ({ operation, input }) => engine.execute(operation, input, REGION)
}

async function measure({ operation, calls, seconds }: CallOrder): Promise<Measurement> {
  const measured = MEASURED_OPERATIONS.find(({ name }) => name === operation)
  if (measured === undefined) throw new Error(`There is no operation ${operation}.`)
  const requests = Array.from({ length: measured.requests }, (_, number) => ({
    operation: measured.operation,
    input: measured.input(number),
  }))
  const tally = new Tally()
  const cpu = process.cpuUsage()
  const from = clock.now()
  const until = from + seconds * 1_000
  let sent = 0
  const callInTurn = async () => {
    for (let began = from; began < until; ) {
      const request = requests[sent++ % requests.length]
      if (request === undefined) return
      const answer = call(request)
      if (answer instanceof Promise) await answer
      const ended = clock.now()
      tally.add(ended - began)
      began = ended
    }
  }
  await Promise.all(Array.from({ length: calls }, callInTurn))
  const { user, system } = process.cpuUsage(cpu)
  return {
    requestsPerSecond: (tally.count * 1_000) / (clock.now() - from),
    p50: tally.percentile(0.5),
    p99: tally.percentile(0.99),
    processorMicroseconds: (user + system) / tally.count,
    generatorBusy: undefined,
  }
}
