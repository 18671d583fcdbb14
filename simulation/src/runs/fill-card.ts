import { untilTaken } from '../world/until-taken.js'
import { shardMapOf, type WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'

/** As many as a card lists, but for one. */
const OTHERS = 999

/** How often it is looked whether a process has made the card. */
const LOOK_MILLISECONDS = 500

/** Lists so many keys that nobody uses on the card of a table, as if they were hot, that there is room for one more. */
export async function fillCard(world: World, table: WorkloadTable): Promise<void> {
  const keys = Array.from({ length: OTHERS }, (_, number) => `other${number}`)
  while (world.isLoading) {
    await world.scheduler.sleep(LOOK_MILLISECONDS)
    const filled = await untilTaken(world, () =>
      world.lane.execute('UpdateItem', {
        TableName: shardMapOf(table),
        Key: { [table.partitionKey]: { S: 'isotherm:card' } },
        UpdateExpression: 'ADD listed_keys :keys, version :one',
        ConditionExpression: 'attribute_exists(settings) AND attribute_not_exists(lists_all)',
        ExpressionAttributeValues: { ':keys': { SS: keys }, ':one': { N: '1' } },
      }),
    ).catch(refused)
    if (filled !== undefined) return
  }
}

/** There is no card yet. */
function refused(error: unknown): undefined {
  if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return undefined
  throw error
}
