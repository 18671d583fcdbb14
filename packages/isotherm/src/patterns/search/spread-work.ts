import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { invalidOption } from '../../options/check.js'
import type { Duration } from '../../options/duration.js'
import { actionOfCaller } from '../caller-actions.js'
import type { Handler, Queue } from '../queue/index.js'
import type { DirectoryTarget } from './model/directory-target.js'
import { forgetTarget, type TargetName } from './writing/change-target.js'
import { spreadTarget } from './writing/spread-target.js'

/** An operation of the queue: a target of links has another name, or is gone, and the items that are linked to it follow page by page. */
export interface DirectoryWork {
  readonly table: string
  readonly tenant: string
  readonly kind: string
  readonly id: string
  /** The page: a position within the links. */
  readonly before?: string
  /** The second sweep finds links that the index did not show in the first. */
  readonly sweep: 1 | 2
}

/** The writes that store the work of a renamed target. */
export type SpreadWork = (of: TargetName) => Promise<readonly TransactWriteItem[]>

/** The index is usually a second behind its table at most. */
const SECOND_SWEEP: Duration = '60s'

/** @returns a function that throws if the directory has no queue */
export function spreadWork(
  { definition }: DirectoryTarget,
  jobs: Queue<DirectoryWork> | undefined,
): SpreadWork {
  return async ({ tenant, kind, id }) => {
    if (jobs === undefined)
      throw invalidOption(
        'directory.jobs',
        jobs,
        'a queue of isotherm/queue, to rename or delete what items are linked to',
      )
    const { actions } = await jobs.prepare({ table: definition.table, tenant, kind, id, sweep: 1 })
    return actions.map((action) => actionOfCaller(action))
  }
}

/** The handler of the queue's operations. Each changes a page of items, and stores the next page with the mark that this one is done. */
export function spreadHandler(
  target: DirectoryTarget,
  jobs: Queue<DirectoryWork> | undefined,
): Handler<DirectoryWork> {
  return async ({ payload }) => {
    const { tenant, kind, id, before, sweep } = payload
    if (jobs === undefined)
      throw invalidOption('directory.jobs', jobs, 'the queue whose operations are handled')
    const { now, next } = await spreadTarget(target, { tenant, kind, id }, before)
    const { before: _page, ...rest } = payload
    if (next !== undefined) return (await jobs.prepare({ ...rest, before: next })).actions
    if (sweep === 1) return (await jobs.prepare({ ...rest, sweep: 2 }, { delay: SECOND_SWEEP })).actions
    return now?.isGone ? [forgetTarget(target, now)] : []
  }
}
