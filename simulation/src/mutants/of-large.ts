import type { Mutant } from './mutant.js'

/** Bugs of items in pieces. */
export const MUTANTS_OF_LARGE: readonly Mutant[] = [
  {
    name: 'a put refers to pieces that were collected',
    mark: 'commit-needs-its-entry',
    kind: 'property',
    becomes: "ConditionExpression: '#state = :writing OR #state <> :writing OR attribute_not_exists(#state)'",
    seeds: 200,
    workloads: ['large'],
  },
  {
    name: 'a put forgets the pieces that it replaces',
    mark: 'old-content-gets-an-entry',
    kind: 'element',
    becomes: '',
    seeds: 200,
    workloads: ['large'],
  },
  {
    name: 'a collector does not wait for the put',
    mark: 'collector-fences-first',
    kind: 'condition',
    becomes: 'false',
    seeds: 200,
    workloads: ['large'],
  },
  {
    name: 'a reader looks for replaced pieces at a stale replica again',
    mark: 'second-look-is-consistent',
    kind: 'property',
    becomes: 'ConsistentRead: isConsistent',
    seeds: 200,
    workloads: ['large'],
  },
  {
    name: 'a put without an answer deletes its pieces',
    mark: 'unanswered-put-keeps-its-pieces',
    kind: 'condition',
    becomes: 'true',
    seeds: 200,
    workloads: ['large'],
  },
]
