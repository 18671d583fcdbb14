import type { IndexModel, KeyModel, TableModel } from './table-model.js'

const key = (name: string, type: KeyModel['type']): KeyModel => ({ name, type })

/** Every key type in every place, and every projection in both kinds of index. */
export const TABLES: readonly TableModel[] = [
  { name: 'text', hash: key('pk', 'S'), indexes: [] },
  {
    name: 'number',
    hash: key('pk', 'N'),
    indexes: [global('by-text', key('g', 'S'), undefined, 'ALL')],
  },
  {
    name: 'binary',
    hash: key('pk', 'B'),
    indexes: [global('by-number', key('h', 'N'), undefined, 'KEYS_ONLY')],
  },
  {
    name: 'text-text',
    hash: key('pk', 'S'),
    range: key('sk', 'S'),
    indexes: [
      global('by-text', key('g', 'S'), key('h', 'N'), 'ALL'),
      global('by-sort-key', key('sk', 'S'), key('pk', 'S'), 'INCLUDE'),
    ],
  },
  {
    name: 'text-number',
    hash: key('pk', 'S'),
    range: key('sk', 'N'),
    indexes: [
      local('beside-all', key('pk', 'S'), key('g', 'S'), 'ALL'),
      local('beside-keys', key('pk', 'S'), key('h', 'N'), 'KEYS_ONLY'),
    ],
  },
  {
    name: 'number-binary',
    hash: key('pk', 'N'),
    range: key('sk', 'B'),
    indexes: [
      global('by-binary', key('b', 'B'), key('g', 'S'), 'KEYS_ONLY'),
      local('beside-some', key('pk', 'N'), key('b', 'B'), 'INCLUDE'),
    ],
  },
]

/** A name that no table has. */
export const MISSING_TABLE = 'nowhere'

function global(
  name: string,
  hash: KeyModel,
  range: KeyModel | undefined,
  projection: IndexModel['projection'],
): IndexModel {
  return { name, hash, ...(range === undefined ? {} : { range }), projection, kind: 'global' }
}

function local(
  name: string,
  hash: KeyModel,
  range: KeyModel,
  projection: IndexModel['projection'],
): IndexModel {
  return { name, hash, range, projection, kind: 'local' }
}
