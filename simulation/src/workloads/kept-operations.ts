import type { Process } from '../world/process.js'
import * as batch from './batch-operations.js'
import type { BatchMember, TransactMember } from './item-groups.js'
import type { SentOperation } from './item-operations.js'
import * as operations from './item-operations.js'
import type { KeptItem } from './kept-items.js'
import * as transaction from './transact-operations.js'

/**
 * An operation on an item by its key. One that would create the item is only for items that certainly exist.
 *
 * @param seen the value that the process saw last
 */
export function drawnOperation(
  process: Process,
  item: KeptItem,
  value: string,
  seen = item.value,
): SentOperation {
  return item.isLasting ? onLasting(process, item, value, seen) : onPassing(process, item, value, seen)
}

function onLasting({ name, random }: Process, { target }: KeptItem, value: string, seen: string) {
  const draw = random.next()
  if (draw < 0.35) return operations.get(name, target)
  if (draw < 0.45) return operations.put(name, target, value)
  if (draw < 0.55) return operations.create(name, target, value)
  if (draw < 0.65) return operations.replace(name, target, value, seen)
  if (draw < 0.75) return operations.updateIfThere(name, target, value)
  return operations.update(name, target, value)
}

function onPassing({ name, random }: Process, { target }: KeptItem, value: string, seen: string) {
  const draw = random.next()
  if (draw < 0.3) return operations.get(name, target)
  if (draw < 0.4) return operations.replace(name, target, value, seen)
  if (draw < 0.6) return operations.updateIfThere(name, target, value)
  return operations.remove(name, target)
}

/** A member of a transaction, in the same way. */
export function drawnMember(
  process: Process,
  item: KeptItem,
  value: string,
  seen = item.value,
): TransactMember<KeptItem> {
  const drawn = item.isLasting ? lastingMember : passingMember
  return { item, ...drawn(process, item, value, seen) }
}

function lastingMember({ name, random }: Process, { target }: KeptItem, value: string, seen: string) {
  const draw = random.next()
  if (draw < 0.1) return transaction.create(name, target, value)
  if (draw < 0.3) return transaction.check(name, target, seen)
  if (draw < 0.5) return transaction.replace(name, target, value, seen)
  return transaction.update(name, target, value)
}

function passingMember({ name, random }: Process, { target }: KeptItem, value: string, seen: string) {
  const draw = random.next()
  if (draw < 0.2) return transaction.check(name, target, seen)
  if (draw < 0.4) return transaction.replace(name, target, value, seen)
  if (draw < 0.7) return transaction.updateIfThere(name, target, value)
  return transaction.remove(name, target)
}

export function appendInBatch({ name }: Process, item: KeptItem): BatchMember<KeptItem> {
  return { item, ...batch.put(name, item.target, item.value) }
}

export function removeInBatch({ name }: Process, item: KeptItem): BatchMember<KeptItem> {
  return { item, ...batch.remove(name, item.target) }
}

export function appendInTransaction({ name }: Process, item: KeptItem): TransactMember<KeptItem> {
  return { item, ...transaction.append(name, item.target, item.value) }
}
