import { type Clock, SeededRandom, SystemClock } from '@isotherm/runtime'
import { Engine } from '../engine-parts.js'
import { TABLES } from '../measured-operations.js'
import { UNREACHED_LIMITS } from '../unreached-limits.js'

export const REGION = 'us-east-1'

type EngineStorage = ConstructorParameters<typeof Engine>[0]['storage']

/** An engine on a store, with the tables of the benchmark. */
export async function benchEngine(storage: EngineStorage, clock: Clock = new SystemClock()): Promise<Engine> {
  const engine = new Engine({
    storage,
    clock,
    random: new SeededRandom(1),
    throttle: true,
    capacity: UNREACHED_LIMITS.capacity ?? {},
    onPartitionEvent: () => {},
    stopwatch: new SystemClock(),
  })
  for (const input of TABLES) await engine.execute('CreateTable', input, REGION)
  return engine
}
