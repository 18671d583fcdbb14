import { type FaultKind, noFaultsYet } from '../world/faults.js'
import type { Tally } from './tally.js'

/** What many runs came to together. */
export class Summary {
  seeds = 0
  simulatedMilliseconds = 0
  requests = 0
  transactions = 0
  countChanges = 0
  readonly faults = noFaultsYet()

  add(result: Tally): void {
    this.seeds += 1
    this.simulatedMilliseconds += result.simulatedMilliseconds
    this.requests += result.requests
    this.transactions += result.transactions
    this.countChanges += result.countChanges
    for (const kind of Object.keys(this.faults) as FaultKind[]) this.faults[kind] += result.faults[kind]
  }

  /** @param cpuMilliseconds what it took of one core */
  lines(cpuMilliseconds: number): readonly string[] {
    const row = (name: string, value: number) => `${name.padEnd(18)} ${grouped(value).padStart(15)}`
    return [
      row('seeds', this.seeds),
      row('simulated hours', this.simulatedMilliseconds / 3_600_000),
      row('requests', this.requests),
      row('transactions', this.transactions),
      row('count changes', this.countChanges),
      ...Object.entries(this.faults).map(([kind, count]) => row(kind, count)),
      row('requests/s of CPU', (this.requests / cpuMilliseconds) * 1_000),
    ]
  }
}

function grouped(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 1 : 0 })
}
