import type { ObservedRequest, RequestObserver } from '../engine/observe-request.js'
import type { TraceFile } from './trace-file.js'
import type { TraceHeader } from './trace-format.js'
import { headerLine, requestLine } from './trace-line.js'

/** Writes each request to a file when it has been answered. */
export class TraceRecorder implements RequestObserver {
  readonly #file: TraceFile
  #begun = 0
  #startedAt: number | undefined

  constructor(file: TraceFile) {
    this.#file = file
  }

  /** Requests before this call are not recorded. */
  start(header: TraceHeader): void {
    this.#startedAt = header.startedAt
    this.#file.write(headerLine(header))
  }

  begin(): number {
    return this.#begun++
  }

  onRequest(request: ObservedRequest): void {
    if (this.#startedAt === undefined || this.#file.hasEnded) return
    this.#file.write(lineOf(request, this.#startedAt))
  }
}

/**
 * A request that JSON cannot print, such as one with a BigInt from a client in this process, was rejected, and will be
 * again without its content.
 */
function lineOf(request: ObservedRequest, startedAt: number): string {
  try {
    return requestLine(request, startedAt)
  } catch {
    return requestLine({ ...request, input: {} }, startedAt)
  }
}
