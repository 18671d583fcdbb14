import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../message-of.js'
import type { LoadOrder, LoadReport } from './load-order.js'

/** The process that sends the requests. */
export class LoadGenerator {
  readonly #process: ChildProcess = fork(fileURLToPath(new URL('./load-process.js', import.meta.url)))

  /** @throws Error with the first answer that is not a success */
  async send(order: LoadOrder): Promise<LoadReport> {
    this.#process.send(order)
    const report = await messageOf<LoadReport | { readonly failure: string }>(this.#process)
    if ('failure' in report) throw new Error(report.failure)
    return report
  }

  close(): void {
    this.#process.disconnect()
  }
}
