import { Violation } from '../world/violation.js'
import type { Attributes } from './item-operations.js'

/** The entry of the ledger that counts all jobs of a tenant. */
export const TOTAL = 'total'

export interface DoneJobs {
  /** As they are stored when everything is done. */
  readonly jobs: readonly Attributes[]
  readonly entries: readonly Attributes[]
  /** Names of the jobs that were enqueued for sure, and of all that may have been. */
  readonly sure: ReadonlySet<string>
  readonly perhaps: ReadonlySet<string>
  readonly tenants: readonly string[]
}

/** Every job is there and was done once. @throws Violation */
export function checkJobs({ jobs, entries, sure, perhaps, tenants }: DoneJobs): void {
  const applied = new Map(
    entries.map(({ tenant, entry, applied: times }) => [
      `${textOf(tenant)} ${textOf(entry)}`,
      Number(times?.N),
    ]),
  )
  const names = new Set(jobs.map(({ tenant, job }) => `${textOf(tenant)} ${textOf(job)}`))
  const lost = [...sure].find((name) => !names.has(name))
  if (lost !== undefined) throw new Violation('no job is lost', `${lost} is nowhere`, lost.split(' '))
  for (const name of names) {
    if (!perhaps.has(name)) throw new Violation('only what was enqueued is there', name, name.split(' '))
    const times = applied.get(name) ?? 0
    if (times === 1) continue
    throw new Violation('a job is done once', `${name} was done ${times} times`, name.split(' '))
  }
  for (const tenant of tenants) {
    const own = [...names].filter((name) => name.startsWith(`${tenant} `)).length
    const total = applied.get(`${tenant} ${TOTAL}`) ?? 0
    if (total === own) continue
    throw new Violation('a job is done once', `${tenant} has ${own} jobs and a total of ${total}`, [
      tenant,
      TOTAL,
    ])
  }
}

export function textOf(value: Attributes[string] | undefined): string {
  return value?.S ?? ''
}
