import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { ServiceError } from '../errors/service-error.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import { Engine, type EngineParts } from './engine.js'

export const REGION = 'eu-central-1'

/** An engine on virtual time, with methods for tests. */
export class EngineFixture {
  readonly clock = new VirtualClock(1_800_000_000_000)
  readonly storage = new MemoryStorage()
  readonly #parts: Partial<EngineParts>
  engine: Engine

  constructor(parts: Partial<EngineParts> = {}) {
    this.#parts = parts
    this.engine = this.#newEngine()
  }

  /** Creates a new engine on the store of the old one. */
  restart(): void {
    this.engine = this.#newEngine()
  }

  /** The response to a request. @throws ServiceError */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers without declaring their shapes.
  ask(operation: string, input: object): any {
    return this.engine.execute(operation, input, REGION)
  }

  /** The error that a request must fail with, as `Name: message`. */
  failure(operation: string, input: object): string {
    try {
      this.ask(operation, input)
    } catch (error) {
      if (error instanceof ServiceError) return `${error.name}: ${error.message}`
      throw error
    }
    throw new Error(`${operation} was expected to fail.`)
  }

  #newEngine(): Engine {
    return new Engine({
      storage: this.storage,
      clock: this.clock,
      random: new SeededRandom(5),
      capacity: {},
      throttle: true,
      onPartitionEvent() {},
      stopwatch: this.clock,
      ...this.#parts,
    })
  }
}

/** Request members that define key attributes: `a` for a string, or `a:N` for another type. */
export function attributes(...declared: string[]): object[] {
  return declared.map((each) => {
    const [name, type = 'S'] = each.split(':')
    return { AttributeName: name, AttributeType: type }
  })
}

export function keys(hash: string, range?: string): object[] {
  const sort = range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' }]
  return [{ AttributeName: hash, KeyType: 'HASH' }, ...sort]
}
