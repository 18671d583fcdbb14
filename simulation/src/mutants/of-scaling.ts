import { whileBatchesAreSteady, whileLoadIsSteady } from './made-settings.js'
import type { Mutant } from './mutant.js'
import { ITEMS, LOGS } from './shown-by.js'

/** Bugs of scaling. */
export const MUTANTS_OF_SCALING: readonly Mutant[] = [
  {
    name: 'a hot key never grows',
    file: 'scaling/scaler.js',
    text: 'consider(key) {',
    replacement: 'consider(key) { return;',
    seeds: 60,
    workloads: LOGS,
  },
  {
    name: 'a count changes without a cooldown',
    file: 'scaling/scaler.js',
    text: 'return clock.now() - countChangedAt(state) * 1_000 >= shards.cooldownMilliseconds;',
    replacement: 'return true;',
    seeds: 100,
    workloads: LOGS,
  },
  {
    name: 'every throttled key is taken for hot',
    file: 'scaling/sensing/own-evidence.js',
    text: 'return fleetUnitsPerSecond >= MIN_SHARE_OF_PARTITION * partitionUnitsPerSecond;',
    replacement: 'return true;',
    seeds: 200,
    workloads: ['hot-key-ramp', 'flash-crowd'],
  },
  {
    name: 'appends go to the first shard first',
    file: 'writes/shard-walk.js',
    text: 'this.shard = randomInteger(table.random, 1, view.shards);',
    replacement: 'this.shard = 1;',
    seeds: 20,
    workloads: LOGS,
    settings: whileLoadIsSteady,
  },
  {
    name: 'appends never go to the last shard first',
    file: 'writes/shard-walk.js',
    text: 'this.shard = randomInteger(table.random, 1, view.shards);',
    replacement: 'this.shard = randomInteger(table.random, 1, Math.max(1, view.shards - 1));',
    seeds: 20,
    workloads: LOGS,
    settings: whileLoadIsSteady,
  },
  {
    name: 'a calculated key never grows',
    file: 'scaling/count-changer.js',
    text: "const isRandom = this.#table.placementKind === 'random';",
    replacement:
      "const isRandom = this.#table.placementKind === 'random'; if (!isRandom && reason === 'hot') return undefined;",
    seeds: 20,
    workloads: ITEMS,
    settings: whileLoadIsSteady,
  },
  {
    name: 'a key that is written by batches never grows',
    file: 'batches/together-member.js',
    text: 'const scope = await table.throttled({',
    replacement: "const scope = await (async (_refused) => 'partition')({",
    seeds: 20,
    workloads: ['bulk-import', 'rotation'],
    settings: whileBatchesAreSteady,
  },
  {
    name: 'a calculated count changes without a cooldown',
    file: 'scaling/scaler.js',
    text: 'return clock.now() - countChangedAt(state) * 1_000 >= shards.cooldownMilliseconds;',
    replacement: 'return true;',
    seeds: 60,
    workloads: ITEMS,
    settings: whileLoadIsSteady,
  },
  {
    name: 'a quiet key keeps its shards',
    file: 'scaling/quiet-watch.js',
    text: 'silence >= quietMilliseconds',
    replacement: 'false',
    seeds: 20,
    workloads: LOGS,
    settings: whileLoadIsSteady,
  },
]
