import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { calculated, dynamicShards, isotherm } from 'isotherm'
import { cannedAnswer } from './canned-answer.js'
import type { ComparedCall } from './compared-calls.js'

/** How requests are answered: over HTTP by another process, or by a function below the SDK. */
export type Transport = { readonly endpoint: string } | 'stub'

/** Calls in flight, as in a service that is busy. */
const CALLS_AT_A_TIME = 10

/** Sends calls of one kind with a client of its own. */
export class Caller {
  readonly #send: (number: number) => Promise<unknown>
  #next = 0

  constructor(call: ComparedCall, isSharded: boolean, transport: Transport) {
    const client = clientOf(call, isSharded, transport)
    const table = isSharded ? tableOf(call) : 'plain'
    const plainCalls = isSharded ? 1 : (call.plainCalls ?? 1)
    const once = (number: number) => client.send(call.command(table, number) as never)
    this.#send =
      plainCalls === 1
        ? once
        : (number) => Promise.all(Array.from({ length: plainCalls }, () => once(number)))
  }

  /** Sends this many calls, several at a time. */
  async send(calls: number): Promise<void> {
    const end = this.#next + calls
    const sendInTurn = async () => {
      while (this.#next < end) await this.#send(this.#next++)
    }
    await Promise.all(Array.from({ length: CALLS_AT_A_TIME }, sendInTurn))
  }

  /** Sends this many calls. @returns the microseconds of processor time of one, collection of garbage included */
  async measure(calls: number): Promise<number> {
    const before = process.cpuUsage()
    await this.send(calls)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / calls
  }
}

function tableOf({ shards }: ComparedCall): string {
  return `log_${shards}`
}

function clientOf(
  call: ComparedCall,
  isSharded: boolean,
  transport: Transport,
): Pick<DynamoDBClient, 'send'> {
  const plain = new DynamoDBClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    ...(transport === 'stub'
      ? { endpoint: 'http://stub.invalid', requestHandler: { handle: answerWithout } }
      : { endpoint: transport.endpoint }),
  })
  const client = call.isDocument ? DynamoDBDocumentClient.from(plain) : plain
  if (!isSharded) return client as DynamoDBClient
  return isotherm(client, {
    tables: {
      [tableOf(call)]: {
        partitionKey: 'path',
        sortKey: 'at',
        suffix: call.suffix === 'random' ? 'random' : calculated(),
        shards: dynamicShards(),
      },
    },
  }) as unknown as DynamoDBClient
}

/** The part of the SDK's request that the stub reads. */
interface StubbedRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

async function answerWithout({ headers, body }: StubbedRequest) {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const operation = headers['x-amz-target']?.split('.')[1] ?? ''
  return {
    response: {
      statusCode: 200,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: new Uint8Array(Buffer.from(cannedAnswer(operation, text))),
    },
  }
}
