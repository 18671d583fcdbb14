import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { backoffMilliseconds } from '../../../attempts/backoff.js'
import { IsothermError } from '../../../errors/isotherm-error.js'
import { readItem } from '../../read-items.js'
import { refusalOf } from '../../refusal.js'
import type { DirectoryTarget } from '../model/directory-target.js'
import { keyOf, targetId } from '../model/keys.js'
import { type LinkTarget, storedTarget, TARGET, targetOf } from '../model/target-item.js'
import { transact } from './actions.js'

const MAX_TRIES = 20

/** The name of something that items are linked to. */
export interface TargetName {
  readonly tenant: string
  readonly kind: string
  readonly id: string
}

export async function readTarget(
  { db, definition, patience }: DirectoryTarget,
  { tenant, kind, id }: TargetName,
): Promise<LinkTarget | undefined> {
  const { table, names } = definition
  const Key = keyOf(names, targetId(tenant, kind, id), TARGET)
  return targetOf(names, tenant, kind, id, await readItem(db, patience, table, Key))
}

/**
 * Names a target, or deletes it (`name` is `undefined`). When items may be linked to it, the work of changing them is stored in the same
 * transaction.
 *
 * @param work returns the writes that store the work
 * @returns whether anything was changed
 * @throws IsothermError `search.busy`
 */
export async function changeTarget(
  target: DirectoryTarget,
  of: TargetName,
  name: string | undefined,
  work: () => Promise<readonly TransactWriteItem[]>,
): Promise<boolean> {
  const { definition, patience } = target
  const { table: TableName, names } = definition
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const before = await readTarget(target, of)
    const isThere = before !== undefined && !before.isGone
    if (isThere ? before.name === name : name === undefined) return tries > 0
    // Above those that were there before the target was deleted and forgotten, too.
    const version = Math.max((before?.version ?? 0) + 1, Math.floor(patience.clock.now()))
    const after = { ...of, name: name ?? before?.name ?? '', version, isGone: name === undefined }
    const put: TransactWriteItem = {
      Put: { TableName, Item: storedTarget(names, after), ...targetAsRead(names.version, before) },
    }
    try {
      await transact(target, [put, ...(before === undefined ? [] : await work())])
      return true
    } catch (error) {
      if (refusalOf(error)?.kind !== 'condition') throw error
    }
    await patience.clock.sleep(backoffMilliseconds(patience.random, tries), patience.signal)
  }
  throw new IsothermError(
    'search.busy',
    `Others changed ${of.kind} ${of.id} of ${of.tenant} in ${TableName} before each of ${MAX_TRIES} attempts. Change it from fewer places at a time.`,
    { table: TableName, tenant: of.tenant, id: of.id },
  )
}

/** Removes what is left of a deleted target, unless it is there again. */
export function forgetTarget(target: DirectoryTarget, gone: LinkTarget): TransactWriteItem {
  const { table, names } = target.definition
  const Key = keyOf(names, targetId(gone.tenant, gone.kind, gone.id), TARGET)
  return { Delete: { TableName: table, Key, ...targetAsRead(names.version, gone) } }
}

/** The check that a target has the name that was read. */
export function targetCheck({ definition }: DirectoryTarget, read: LinkTarget): TransactWriteItem {
  const { table, names } = definition
  const Key = keyOf(names, targetId(read.tenant, read.kind, read.id), TARGET)
  // mark: link-has-the-name-of-its-target
  return { ConditionCheck: { TableName: table, Key, ...targetAsRead(names.version, read) } }
}

/** The check that there is no target, not even what is left of a deleted one. */
export function absenceCheck({ definition }: DirectoryTarget, of: TargetName): TransactWriteItem {
  const { table, names } = definition
  const Key = keyOf(names, targetId(of.tenant, of.kind, of.id), TARGET)
  return { ConditionCheck: { TableName: table, Key, ...targetAsRead(names.version, undefined) } }
}

function targetAsRead(version: string, read: LinkTarget | undefined) {
  const ExpressionAttributeNames = { '#version': version }
  return read === undefined
    ? { ConditionExpression: 'attribute_not_exists(#version)', ExpressionAttributeNames }
    : {
        ConditionExpression: '#version = :version',
        ExpressionAttributeNames,
        ExpressionAttributeValues: { ':version': { N: String(read.version) } },
      }
}
