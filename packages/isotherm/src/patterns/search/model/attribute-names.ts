import { invalidOption, refuseUnknown, requireText } from '../../../options/check.js'

/** Names of the attributes of a directory's table, all of them text but `createdAt`, a number, and `links`, a map. */
export interface AttributeNames {
  /** Partition key of the table: the tenant and the item. */
  readonly id: string
  /** Sort key of the table: the item itself, or one of its search items. */
  readonly dataType: string
  /** Partition key of the index: the tenant, and by what is searched. */
  readonly searchType: string
  /** Sort key of the index. */
  readonly searchValue: string
  readonly createdAt: string
  readonly version: string
  readonly links: string
}

const DEFAULTS: AttributeNames = {
  id: 'ID',
  dataType: 'DataType',
  searchType: 'SearchType',
  searchValue: 'SearchValue',
  createdAt: 'CreatedAt',
  version: 'Version',
  links: 'Links',
}

/** The attribute of an item that an import has not finished. */
export const IMPORTING = 'Importing'

/** Attributes that no option names: that one, and those of the target of a link. */
const FIXED = [IMPORTING, 'name', 'gone']

/** @throws IsothermError `options.invalid` or `options.unknown` */
export function parseAttributeNames(given: Partial<AttributeNames>): AttributeNames {
  refuseUnknown('directory.names', given, Object.keys(DEFAULTS))
  const names = { ...DEFAULTS, ...given }
  const all = Object.entries(names).map(([name, value]) =>
    requireText(`directory.names.${name}`, value, 'the name of an attribute'),
  )
  const twice = all.find((name, index) => all.indexOf(name) !== index || FIXED.includes(name))
  if (twice !== undefined)
    throw invalidOption(
      'directory.names',
      twice,
      `the name of one attribute, and none of ${FIXED.join(', ')}`,
    )
  return names
}
