import { Violation } from '../world/violation.js'
import type { Attributes } from './item-operations.js'

/** The entry of the ledger that counts all jobs of a tenant. */
export const TOTAL = 'total'

/** A job as its enqueuer knows it. */
export interface Job {
  readonly id: string
  readonly tenant: string
  /** Its handler fails each time. */
  readonly isPoison: boolean
  /** Whether it is known to be stored. */
  isSure: boolean
}

export interface EndedJobs {
  /** As they are stored when nothing is pending any more, by their ids. */
  readonly items: ReadonlyMap<string, Attributes>
  readonly entries: readonly Attributes[]
  readonly jobs: readonly Job[]
  readonly tenants: readonly string[]
}

/** Every job is there, and was done once, or is dead for a reason and was not done. @throws Violation */
export function checkJobs({ items, entries, jobs, tenants }: EndedJobs): void {
  const applied = new Map(
    entries.map(({ tenant, entry, applied: times }) => [
      `${textOf(tenant)} ${textOf(entry)}`,
      Number(times?.N ?? 0),
    ]),
  )
  const done = new Map<string, number>()
  for (const { id, tenant, isPoison, isSure } of jobs) {
    const item = items.get(id)
    if (item === undefined && isSure) throw new Violation('no job is lost', `${id} is nowhere`, [tenant, id])
    const times = applied.get(`${tenant} ${id}`) ?? 0
    if (item === undefined && times === 0) continue
    const isDead = item?.last_error !== undefined && item.pending !== undefined
    if (item?.ended_at === undefined)
      throw new Violation('every job comes to an end', `${id} has not`, [tenant, id])
    if (isPoison && !isDead) throw new Violation('poison is set apart', `${id} was done`, [tenant, id])
    if (isDead && item.last_error?.S?.includes('ConditionalCheckFailed')) {
      throw new Violation('jobs of an entity are done in their order', `${id} came too late`, [tenant, id])
    }
    if (times !== (isDead ? 0 : 1)) {
      const state = isDead ? `dead (${item.last_error?.S})` : 'done'
      throw new Violation('a job is done once', `${id} is ${state}, and took effect ${times} times`, [
        tenant,
        id,
      ])
    }
    done.set(tenant, (done.get(tenant) ?? 0) + times)
  }
  for (const tenant of tenants) {
    const [own, total] = [done.get(tenant) ?? 0, applied.get(`${tenant} ${TOTAL}`) ?? 0]
    if (total === own) continue
    throw new Violation('a job is done once', `${tenant} has ${own} done jobs and a total of ${total}`, [
      tenant,
      TOTAL,
    ])
  }
}

function textOf(value: Attributes[string] | undefined): string {
  return value?.S ?? ''
}
