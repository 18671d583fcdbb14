import { table } from '@isotherm/fixtures'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { Engine } from '../engine/engine.js'
import { ServiceError } from '../errors/service-error.js'
import { MemoryStorage } from '../storage/memory-storage.js'

const REGION = 'eu-central-1'

export const ENVELOPE = '1 validation error detected: '

/** An engine with tables for observations: `t` with a key `pk`, `s` with `pk` and `sk:N`, and `i` with indexes. */
export class FactBench {
  readonly #clock = new VirtualClock(1_800_000_000_000)
  readonly #engine = new Engine({
    storage: new MemoryStorage(),
    clock: this.#clock,
    random: new SeededRandom(5),
    capacity: {},
    throttle: false,
    onPartitionEvent() {},
    stopwatch: this.#clock,
    transactionMilliseconds: 0,
  })

  constructor() {
    this.ask('CreateTable', table('ttt', ['pk']))
    this.ask('CreateTable', table('sss', ['pk', 'sk:N']))
    this.ask('CreateTable', {
      TableName: 'iii',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: ['pk', 'k', 'b', 'h', 'r1', 'r2', 'r3'].map((AttributeName) => ({
        AttributeName,
        AttributeType: AttributeName === 'b' ? 'B' : 'S',
      })),
      GlobalSecondaryIndexes: [
        index('gsi1', [['k', 'HASH']], { ProjectionType: 'KEYS_ONLY' }),
        index('bin', [['b', 'HASH']]),
        index('many', [
          ['h', 'HASH'],
          ['r1', 'RANGE'],
          ['r2', 'RANGE'],
          ['r3', 'RANGE'],
        ]),
        index('hashes', [
          ['h', 'HASH'],
          ['r1', 'HASH'],
          ['r2', 'RANGE'],
        ]),
      ],
    })
  }

  /** The response to a request. @throws ServiceError */
  // biome-ignore lint/suspicious/noExplicitAny: facts look into answers without declaring their shapes.
  ask(operation: string, input: object): any {
    return this.#engine.execute(operation, input, REGION)
  }

  /** The error that a request must fail with. */
  failure(operation: string, input: object): ServiceError {
    try {
      this.ask(operation, input)
    } catch (error) {
      if (error instanceof ServiceError) return error
      throw error
    }
    throw new Error(`${operation} was expected to fail.`)
  }

  /** The message of the ValidationException that a request must fail with. */
  refusal(operation: string, input: object): string {
    const { name, message } = this.failure(operation, input)
    if (name === 'ValidationException') return message
    throw new Error(`${operation} failed with ${name}: ${message}`)
  }

  /** The refusals of an item or its key by the three operations that write one item. */
  writeRefusals(value: object): string[] {
    return [
      this.refusal('PutItem', { TableName: 'ttt', Item: { ...KEY, v: value } }),
      this.refusal('UpdateItem', {
        TableName: 'ttt',
        Key: KEY,
        UpdateExpression: 'SET v = :v',
        ExpressionAttributeValues: { ':v': value },
      }),
      this.refusal('DeleteItem', {
        TableName: 'ttt',
        Key: KEY,
        ConditionExpression: 'v = :v',
        ExpressionAttributeValues: { ':v': value },
      }),
    ]
  }
}

export const KEY = { pk: { S: 'p' } }

type KeyElement = readonly [name: string, type: 'HASH' | 'RANGE']

export function index(
  name: string,
  key: readonly KeyElement[],
  projection = { ProjectionType: 'ALL' },
): object {
  return {
    IndexName: name,
    KeySchema: key.map(([AttributeName, KeyType]) => ({ AttributeName, KeyType })),
    Projection: projection,
  }
}

/** A scalar inside of so many maps. */
export function nested(levels: number): object {
  return levels === 0 ? { S: 'x' } : { M: { a: nested(levels - 1) } }
}

/** Values of an expression, by letter. */
export function values(given: Readonly<Record<string, object>>): { ExpressionAttributeValues: object } {
  return {
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries(given).map(([name, value]) => [`:${name}`, value]),
    ),
  }
}
