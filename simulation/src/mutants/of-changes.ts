import type { Mutant } from './mutant.js'
import { ITEMS } from './shown-by.js'

/** Bugs of the protocol that changes a calculated key's count. */
export const MUTANTS_OF_CHANGES: readonly Mutant[] = [
  {
    name: 'a change begins with its second phase',
    file: 'protocol/shard-map/count-change.js',
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
    file: 'protocol/shard-map/shard-map-store.js',
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
