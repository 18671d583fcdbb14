import type { Mutant } from './mutant.js'

/** Bugs of directories. */
export const MUTANTS_OF_SEARCH: readonly Mutant[] = [
  {
    name: 'an item of a directory is changed whatever it has become',
    mark: 'item-is-changed-as-it-was-read',
    kind: 'value',
    becomes:
      "{ ConditionExpression: 'attribute_exists(#version) OR attribute_not_exists(#version)', ExpressionAttributeNames }",
    seeds: 40,
    workloads: ['search'],
  },
  {
    name: 'an item is linked by a name that its target no longer has',
    mark: 'link-has-the-name-of-its-target',
    kind: 'value',
    becomes:
      "{ ConditionCheck: { TableName: table, Key, ExpressionAttributeNames: { '#version': names.version }, ConditionExpression: 'attribute_exists(#version) OR attribute_not_exists(#version)' } }",
    seeds: 200,
    workloads: ['search'],
  },
  {
    name: 'an import ends the item of somebody else',
    mark: 'import-ends-what-it-began',
    kind: 'value',
    becomes:
      'putIf(target, { ...item, version: requestToken(target.patience.random) }, (await readBase(target, item.tenant, item.id)) ?? begun)',
    seeds: 200,
    workloads: ['search'],
  },
]
