import type { Workload } from '../workloads/workload.js'
import { untilTaken } from '../world/until-taken.js'
import type { World } from '../world/world.js'
import type { Surroundings } from './live.js'
import type { Settings } from './settings.js'

/** Puts the items that exist before the tables are sharded, and waits until every replica and index has them. */
export async function fillTables(
  world: World,
  workload: Workload,
  { stored, recording }: Pick<Surroundings, 'stored' | 'recording'>,
  { engine, index }: Settings,
): Promise<void> {
  for (const table of workload.tables) {
    for (const item of workload.existing(table)) {
      await untilTaken(world, () => world.lane.execute('PutItem', { TableName: table.name, Item: item }))
      stored.put(table.name, item)
      recording?.stored(table.name, item)
    }
  }
  await world.scheduler.sleep(engine.readLagMilliseconds + index.lagMilliseconds)
}
