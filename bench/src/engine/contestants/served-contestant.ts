import type { ChildProcess } from 'node:child_process'
import { parsedAnswer } from '../load/answer-reader.js'
import type { LoadGenerator } from '../load/load-generator.js'
import type { LoadOrder, LoadReport } from '../load/load-order.js'
import type { MeasuredOperation } from '../measured-operations.js'
import type { Measurement } from '../measurement.js'
import { processorTime, residentMegabytes } from '../processor-time.js'
import type { Refusal, RunningContestant } from './contestant.js'

/** A server, and how it is reached. */
export interface Served {
  readonly process: ChildProcess
  readonly port: number
  readonly protocol: LoadOrder['protocol']
  readonly about: string
  /** The operations that it has. All by default. */
  readonly operations?: readonly string[]
  /** Whether its answers are those of a service with the data. */
  readonly hasData: boolean
  readonly stop: () => void
}

/** A contestant that other processes send requests to. */
export class ServedContestant implements RunningContestant {
  readonly about: string
  readonly megabytes: number | undefined
  readonly #served: Served
  readonly #generator: LoadGenerator

  constructor(served: Served, generator: LoadGenerator) {
    this.about = served.about
    this.megabytes = residentMegabytes(pidOf(served))
    this.#served = served
    this.#generator = generator
  }

  async measure(
    operation: MeasuredOperation,
    connections: number,
    seconds: number,
  ): Promise<Measurement | Refusal> {
    const { port, protocol, operations } = this.#served
    if (operations?.includes(operation.operation) === false) return { refused: 'none' }
    const pid = pidOf(this.#served)
    const before = processorTime(pid)
    const report = await this.#send({
      port,
      protocol,
      operation: operation.name,
      connections,
      until: { seconds },
    })
    if ('refused' in report) return report
    const after = processorTime(pid)
    if (this.#served.hasData) check(operation, report)
    return {
      requestsPerSecond: report.requests / report.seconds,
      p50: report.p50,
      p99: report.p99,
      processorMicroseconds:
        before === undefined || after === undefined ? undefined : (after - before) / report.requests,
      generatorBusy: report.microseconds / (report.seconds * 1_000_000),
    }
  }

  stop(): void {
    this.#served.stop()
  }

  async #send(order: LoadOrder): Promise<LoadReport | Refusal> {
    try {
      return await this.#generator.send(order)
    } catch (error) {
      const name = /UnknownOperationException/.exec(String(error))?.[0]
      if (name === undefined) throw error
      return { refused: name }
    }
  }
}

function check(operation: MeasuredOperation, { answer }: LoadReport): void {
  const { body } = parsedAnswer(Buffer.from(answer))
  if (operation.isAnswered(JSON.parse(body))) return
  throw new Error(`${operation.name} was answered ${body.slice(0, 300)}`)
}

function pidOf({ process }: Served): number {
  if (process.pid === undefined) throw new Error('The process of the contestant has not started.')
  return process.pid
}
