import type { Clock, Random } from '@isotherm/runtime'
import type { ShardedTable } from '../../client/parse-options.js'
import type { Emit } from '../../events/event.js'
import type { Suffix } from '../../keys/suffix.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import type { PlacementKind } from '../placement/placement-kind.js'
import type { ShardViews } from '../shard-map/shard-views.js'

/** What moving items needs of a table. */
export interface MovingTable {
  readonly options: ShardedTable
  readonly client: PhysicalClient
  readonly clock: Clock
  readonly random: Random
  readonly suffix: Suffix
  readonly views: ShardViews
  readonly placementKind: PlacementKind
  readonly emit: Emit
}
