/** What a contestant did within some seconds. */
export interface Measurement {
  readonly requestsPerSecond: number
  /** Half of the requests took fewer milliseconds. */
  readonly p50: number
  /** 99 of 100 requests took fewer milliseconds. */
  readonly p99: number
  /** The processor time of a request in the contestant's own process, in microseconds, where the system reports it. */
  readonly processorMicroseconds: number | undefined
  /** The share of the time for which the process that sent the requests was busy. */
  readonly generatorBusy: number | undefined
}

/** Counts requests and their times, without an object for each. */
export class Tally {
  #times = new Float64Array(1 << 16)
  #count = 0

  add(milliseconds: number): void {
    if (this.#count === this.#times.length) {
      const longer = new Float64Array(2 * this.#times.length)
      longer.set(this.#times)
      this.#times = longer
    }
    this.#times[this.#count++] = milliseconds
  }

  get count(): number {
    return this.#count
  }

  /** The milliseconds that this share of the requests did not exceed. */
  percentile(share: number): number {
    const sorted = this.#times.subarray(0, this.#count).toSorted()
    return sorted[Math.max(0, Math.ceil(share * this.#count) - 1)] ?? 0
  }
}
