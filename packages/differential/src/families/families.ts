import { BATCH_GET_ITEM, BATCH_WRITE_ITEM } from './batches.js'
import type { Family } from './family.js'
import { GET_ITEM } from './get-item.js'
import { LIMITS } from './limits.js'
import { QUERY, SCAN } from './read-pages.js'
import { TABLE_OPERATIONS } from './table-operations.js'
import { TRANSACT_GET_ITEMS, TRANSACT_WRITE_ITEMS } from './transactions.js'
import { DELETE_ITEM, PUT_ITEM, UPDATE_ITEM } from './write-item.js'

/** All families of requests that are compared. */
export const FAMILIES: readonly Family[] = [
  PUT_ITEM,
  GET_ITEM,
  UPDATE_ITEM,
  DELETE_ITEM,
  QUERY,
  SCAN,
  BATCH_WRITE_ITEM,
  BATCH_GET_ITEM,
  TRANSACT_WRITE_ITEMS,
  TRANSACT_GET_ITEMS,
  TABLE_OPERATIONS,
  LIMITS,
]
