import { requireObject } from '../../../options/check.js'
import type { StoredItem } from '../../read-items.js'
import type { BaseItem } from '../model/base-item.js'
import { type DerivedItems, derivedItems, differenceOf } from '../model/derived-items.js'
import type { DirectoryTarget } from '../model/directory-target.js'
import { baseOf } from '../model/stored-base.js'
import { settleSearchItems } from './settle-search-items.js'

/** A record of the table's stream, as `GetRecords` returns it and AWS Lambda passes it. Both images are needed. */
export interface DirectoryStreamRecord {
  readonly dynamodb?:
    | { readonly OldImage?: object | undefined; readonly NewImage?: object | undefined }
    | undefined
}

const NONE: DerivedItems = new Map()

/**
 * Writes the search items that a change of an item has made different. They are written as the item is now, so records may come late, twice, and in
 * any order.
 *
 * @returns whether there was something to do
 * @throws IsothermError `options.invalid`
 */
export async function onStreamRecord(
  target: DirectoryTarget,
  record: DirectoryStreamRecord,
): Promise<boolean> {
  requireObject('directory.onStreamRecord', record, "a record of the table's stream")
  const { dynamodb } = record
  const { definition } = target
  const before = baseOf(definition, dynamodb?.OldImage as StoredItem | undefined)
  const after = baseOf(definition, dynamodb?.NewImage as StoredItem | undefined)
  const item = after ?? before
  // An import writes the search items itself.
  if (item === undefined || after?.importing !== undefined || before?.importing !== undefined) return false
  const { put, remove } = differenceOf(derived(before), derived(after))
  const names = [...put.keys(), ...remove]
  await settleSearchItems(target, item.tenant, item.id, names)
  return names.length > 0

  function derived(image: BaseItem | undefined): DerivedItems {
    return image === undefined ? NONE : derivedItems(definition, image)
  }
}
