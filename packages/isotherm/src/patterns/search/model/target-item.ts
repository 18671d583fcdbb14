import { utf8Length } from '@isotherm/semantics'
import type { StoredItem } from '../../read-items.js'
import { firstCharacters } from '../text/first-characters.js'
import { plainText } from '../text/plain-text.js'
import type { AttributeNames } from './attribute-names.js'
import { keyOf, searchType, targetId } from './keys.js'

/** Something that items are linked to, such as a category. */
export interface LinkTarget {
  readonly tenant: string
  readonly kind: string
  readonly id: string
  readonly name: string
  /** Higher with each new name. */
  readonly version: number
  /** It is deleted, and items are still linked to it. */
  readonly isGone: boolean
}

/** The sort key of a target. */
export const TARGET = 'target'
const MAX_CHARACTERS = 100
export const MAX_TARGET_NAME_BYTES = 1_024

export function fitsTargetName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && utf8Length(name) <= MAX_TARGET_NAME_BYTES
}

export function storedTarget(names: AttributeNames, target: LinkTarget): StoredItem {
  const { tenant, kind, id, name, version, isGone } = target
  const sorted = `${firstCharacters(plainText(name), MAX_CHARACTERS)}\t${id}`
  return {
    ...keyOf(names, targetId(tenant, kind, id), TARGET),
    name: { S: name },
    [names.version]: { N: String(version) },
    ...(isGone
      ? { gone: { BOOL: true } }
      : {
          [names.searchType]: { S: searchType.targets(tenant, kind) },
          [names.searchValue]: { S: sorted },
        }),
  }
}

export function targetOf(
  names: AttributeNames,
  tenant: string,
  kind: string,
  id: string,
  item: StoredItem | undefined,
): LinkTarget | undefined {
  const name = item?.name?.S
  if (item === undefined || name === undefined) return undefined
  return { tenant, kind, id, name, version: Number(item[names.version]?.N), isGone: item.gone?.BOOL === true }
}
