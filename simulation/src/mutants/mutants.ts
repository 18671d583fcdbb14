import { whileItemsMove, whileProcessesStandStill, whileReplicasLag } from './made-settings.js'
import type { Mutant } from './mutant.js'
import { MUTANTS_OF_MANY_ITEMS } from './of-many-items.js'

const ITEMS = ['shared-items', 'counters'] as const
const LOGS = ['hot-key-ramp', 'flash-crowd', 'moving-hot-spot', 'steady-zipf'] as const

/** Bugs of the protocol that changes a calculated key's count. */
const OF_CHANGES: readonly Mutant[] = [
  {
    name: 'a change begins with its second phase',
    file: 'shard-map/count-change.js',
    text: "change: { phase: 'announced', from: state.shards, to },",
    replacement: "shards: to, change: { phase: 'moved', from: state.shards, to },",
    seeds: 20,
    workloads: ITEMS,
  },
  {
    name: 'a driver does not wait',
    file: 'scaling/count-driver.js',
    text: 'await this.#wait();',
    replacement: '',
    seeds: 60,
    workloads: ITEMS,
  },
  {
    name: 'a driver waits for no cache',
    file: 'scaling/count-driver.js',
    text: 'left = cacheMilliseconds + lateRequestMilliseconds;',
    replacement: 'left = lateRequestMilliseconds - cacheMilliseconds;',
    seeds: 400,
    workloads: ITEMS,
  },
  {
    name: 'a driver waits for no late request',
    file: 'scaling/count-driver.js',
    text: 'left = cacheMilliseconds + lateRequestMilliseconds;',
    replacement: 'left = cacheMilliseconds;',
    seeds: 400,
    workloads: ITEMS,
  },
  {
    name: 'a change settles before its items are moved',
    file: 'scaling/count-driver.js',
    text: 'const { twoCopies } = await this.#drain();',
    replacement: 'const twoCopies = 0;',
    seeds: 20,
    workloads: ITEMS,
  },
  {
    name: 'a change that was left is not taken over',
    file: 'scaling/count-drivers.js',
    text: 'noticed(key, state) {',
    replacement: 'noticed(key, state) { return;',
    seeds: 60,
    workloads: ITEMS,
  },
  {
    name: 'the shard map has no lock',
    file: 'shard-map/shard-map-store.js',
    text: "ConditionExpression: '#lastUpdated = :seen'",
    replacement: "ConditionExpression: 'attribute_exists(#lastUpdated) OR #lastUpdated = :seen'",
    seeds: 100,
    workloads: ITEMS,
  },
  {
    name: 'attempts do not look at the age of their view',
    file: 'attempts/attempt-guard.js',
    text: 'if (clock.now() >= validUntil)',
    replacement: 'if (false)',
    seeds: 300,
    workloads: ITEMS,
  },
]

/** Bugs of where an item is looked for, and written to. */
const OF_PLACES: readonly Mutant[] = [
  {
    name: 'the old place is forgotten',
    file: 'placement/placement.js',
    text: '[from] : [from, to]',
    replacement: '[from] : [to]',
    seeds: 20,
    workloads: ITEMS,
  },
  {
    name: 'the new place is forgotten',
    file: 'placement/placement.js',
    text: '[from] : [from, to]',
    replacement: '[from] : [from]',
    seeds: 20,
    workloads: ITEMS,
  },
  {
    name: 'items are created at the new place at once',
    file: 'placement/placement.js',
    text: 'home: ({ shards }, key) => place(placeHash(source(key)), shards),',
    replacement: 'home: ({ shards, change }, key) => place(placeHash(source(key)), change?.to ?? shards),',
    seeds: 300,
    workloads: ITEMS,
  },
  {
    name: 'places are remainders of the hash',
    file: 'placement/placement.js',
    text: 'return jump(hash, shards) + 1;',
    replacement: 'return Number(hash % BigInt(shards)) + 1;',
    seeds: 60,
    workloads: ITEMS,
  },
  {
    name: 'a write does not respect a mark',
    file: 'writes/write-condition.js',
    text: 'if (guards.unmoved)',
    replacement: 'if (false)',
    seeds: 200,
    workloads: ITEMS,
  },
  {
    name: 'a write does not demand that the item is there',
    file: 'writes/write-condition.js',
    text: 'if (guards.exists) {',
    replacement: 'if (false) {',
    seeds: 200,
    workloads: ITEMS,
  },
  {
    name: 'a creation does not check the other place',
    file: 'writes/create-item.js',
    text: '[creation(placed, home), ...checks(placed, view, home)]',
    replacement: '[creation(placed, home)]',
    seeds: 300,
    workloads: ITEMS,
  },
  {
    name: 'a creation does not check its own place',
    file: 'writes/create-item.js',
    text: 'return { Put: { TableName: call.tableName, Item, ...nothingThere(partitionKey) } };',
    replacement: 'return { Put: { TableName: call.tableName, Item } };',
    seeds: 300,
    workloads: ITEMS,
  },
  {
    name: 'the new place is not looked at again',
    file: 'reads/locate-copies.js',
    text: 'if (copies.length > 0 || targets.length === places.length)',
    replacement: 'if (true)',
    seeds: 100,
    workloads: ['shared-items'],
    settings: whileItemsMove,
  },
  {
    name: 'an item is looked for in a stale replica',
    file: 'writes/write-item.js',
    text: 'ConsistentRead: true,',
    replacement: 'ConsistentRead: false,',
    seeds: 200,
    workloads: ITEMS,
  },
]

/** Bugs of moves. */
const OF_MOVES: readonly Mutant[] = [
  {
    name: 'a moved item replaces what is at its target',
    file: 'moves/carry-over.js',
    text: "ConditionExpression: 'attribute_not_exists(#key)'",
    replacement: "ConditionExpression: 'attribute_not_exists(#key) OR attribute_exists(#key)'",
    seeds: 1_500,
    workloads: [...ITEMS, ...LOGS],
  },
  {
    name: 'a copy keeps the mark of its move',
    file: 'moves/carry-over.js',
    text: 'const { [MOVE_ATTRIBUTES.moving]: _mark, ...content } = item;',
    replacement: 'const content = item;',
    seeds: 60,
    workloads: ITEMS,
  },
  {
    name: 'an item is put and never deleted',
    file: 'moves/carry-over.js',
    text: '{ Delete: deleteOf(table, key, source, name) },',
    replacement: '',
    seeds: 20,
    workloads: ITEMS,
  },
  {
    name: 'retired shards are emptied from the first one on',
    file: 'shard-map/count-change.js',
    text: '.reverse()',
    replacement: '',
    seeds: 400,
    workloads: ['bulk-import'],
  },
]

/** Bugs of appends and queries. */
const OF_LOGS: readonly Mutant[] = [
  {
    name: 'an append ignores a lost reply',
    file: 'writes/shard-walk.js',
    text: 'const isTied = log.unanswered !== undefined;',
    replacement: 'const isTied = false;',
    seeds: 200,
    workloads: LOGS,
  },
  {
    name: 'an append goes on into a shard that was given up',
    file: 'writes/shard-walk.js',
    text: 'const isInUse = this.shard <= this.view.shards;',
    replacement: 'const isInUse = true;',
    seeds: 400,
    workloads: LOGS,
  },
  {
    name: 'an append goes on into a shard that was given up and is back',
    file: 'writes/shard-walk.js',
    text: 'stayedInUse(this.shard, before, this.view)',
    replacement: 'true',
    seeds: 400,
    workloads: LOGS,
    settings: whileProcessesStandStill,
  },
  {
    name: 'a batch takes what was left out for written',
    file: 'batches/write-together.js',
    text: 'const refused = sharded.filter(isAmong(tables, unprocessed));',
    replacement: 'const refused = [];',
    seeds: 60,
    workloads: ['bulk-import'],
  },
  {
    name: 'readers forget retired shards',
    file: 'shard-map/shard-state.js',
    text: 'return history.reduce((most, entry) => Math.max(most, countOf(entry)), shards);',
    replacement: 'return shards;',
    seeds: 60,
    workloads: LOGS,
  },
  {
    name: 'a consistent query uses the cache',
    file: 'shard-map/shard-map.js',
    text: 'if (consistent)',
    replacement: 'if (false)',
    seeds: 60,
    workloads: LOGS,
  },
  {
    name: 'the shard map is read from a stale replica',
    file: 'shard-map/shard-map-store.js',
    text: 'ConsistentRead: true,',
    replacement: 'ConsistentRead: false,',
    seeds: 40,
    workloads: LOGS,
    settings: whileReplicasLag,
  },
  {
    name: 'a query forgets the last shard',
    file: 'queries/open-streams.js',
    text: 'shard <= lastShard',
    replacement: 'shard < lastShard',
    seeds: 20,
    workloads: LOGS,
  },
  {
    name: 'a page begins with the last item of the one before',
    file: 'queries/shard-query.js',
    text: 'if (source.isUnique)\n        return { range, startKey: keyAt(source, shard, place.sort) };',
    replacement:
      'if (source.isUnique)\n        return { range: from(range, place.sort, order.direction), startKey: undefined };',
    seeds: 20,
    workloads: LOGS,
  },
  {
    name: 'a backward query is merged forward',
    file: 'queries/position.js',
    text: 'return direction * bySort;',
    replacement: 'return bySort;',
    seeds: 20,
    workloads: LOGS,
  },
  {
    name: 'a page gives more than is known to be in order',
    file: 'queries/scatter-gather.js',
    text: 'stream.takeUpTo(frontier)',
    replacement: 'stream.takeUpTo(undefined)',
    seeds: 30,
    workloads: LOGS,
  },
  {
    name: 'both copies of an item on its way are given',
    file: 'queries/query.js',
    text: 'copies: mayMove ? copyFilter(plan, options.partitionKey) : undefined',
    replacement: 'copies: undefined',
    seeds: 400,
    workloads: [...LOGS, 'bulk-import'],
  },
]

/** Bugs of what a process knows. */
const OF_CACHES: readonly Mutant[] = [
  {
    name: 'a reader ignores the lifetime of the cache',
    file: 'shard-map/shard-map.js',
    text: 'const entry = this.#usable(key, text);\n        if (entry === undefined)',
    replacement:
      'const entry = this.#entries.get(text) ?? this.#usable(key, text);\n        if (entry === undefined)',
    seeds: 60,
    workloads: LOGS,
  },
]

/** Bugs of scaling. */
const OF_SCALING: readonly Mutant[] = [
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
    file: 'sensing/own-evidence.js',
    text: 'return fleetUnitsPerSecond >= MIN_SHARE_OF_PARTITION * partitionUnitsPerSecond;',
    replacement: 'return true;',
    seeds: 200,
    workloads: ['hot-key-ramp', 'flash-crowd'],
  },
]

/**
 * Bugs that the simulator must find. Each is a mistake that somebody could make in the library; what is mistaken for a bug
 * and is none, because something else makes up for it, is not here.
 */
export const MUTANTS: readonly Mutant[] = [
  ...OF_CHANGES,
  ...OF_PLACES,
  ...OF_MOVES,
  ...OF_LOGS,
  ...OF_CACHES,
  ...OF_SCALING,
  ...MUTANTS_OF_MANY_ITEMS,
]
