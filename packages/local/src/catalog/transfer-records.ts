import type { Clock } from '@isotherm/runtime'
import type { RecordChange, RecordValue } from '../storage/record.js'

/** Why a transfer failed, as `FailureCode` and `FailureMessage`. */
export interface TransferFailure {
  readonly code: string
  readonly message: string
}

/** An export or an import. Plain data. */
export interface TransferState {
  readonly arn: string
  readonly region: string
  readonly tableArn: string
  readonly clientToken: string
  /** The request as text, to tell a repeated request from another one with the same token. */
  readonly request: string
  readonly status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED'
  readonly failure?: TransferFailure
  /** In milliseconds since the epoch. */
  readonly startedAt: number
  readonly endedAt?: number
}

/** The service lists transfers of the last 90 days. */
const KEPT_MILLISECONDS = 90 * 24 * 3600 * 1000
/** More are of no use to anyone, and the records of all of them are loaded at the start. */
const MAX_KEPT = 1_000
/** The service remembers a token for eight hours after its request was completed. */
const TOKEN_MILLISECONDS = 8 * 3600 * 1000

/** A transfer that a process did not complete. */
const INTERRUPTED: TransferFailure = {
  code: 'InternalServerError',
  message:
    'The engine was closed, or read its data directory again after a failed write, before this was complete. Start it again.',
}

/** The dependencies of the records of transfers. */
export interface TransferParts {
  readonly clock: Clock
  /**
   * Why transfers failed whose records could not be saved, by ARN. It outlives the catalog, which is loaded again after
   * a failed write.
   */
  readonly failures: Map<string, TransferFailure>
}

/** The exports, or the imports, of all regions. */
export class TransferRecords<State extends TransferState> {
  readonly #kind: string
  readonly #parts: TransferParts
  readonly #completed: (state: State) => State | undefined
  readonly #states = new Map<string, State>()
  readonly #interrupted: State[] = []

  /**
   * @param kind the beginning of the records' names
   * @param completed returns a transfer in progress as it ended, if it is complete and only its record is not saved.
   */
  constructor(
    kind: 'export' | 'import',
    parts: TransferParts,
    completed: (state: State) => State | undefined = () => undefined,
  ) {
    this.#kind = kind
    this.#parts = parts
    this.#completed = completed
  }

  /** Transfers that a process has left unfinished, as they were. */
  get interrupted(): readonly State[] {
    return this.#interrupted
  }

  /** Loads a stored transfer. One that is in progress has failed, unless it is complete. @returns the record to save */
  load(value: RecordValue): RecordChange | undefined {
    const { failures, clock } = this.#parts
    const state = value as unknown as State
    this.#states.set(state.arn, state)
    if (state.status !== 'IN_PROGRESS') return undefined
    this.#interrupted.push(state)
    const failure = failures.get(state.arn) ?? INTERRUPTED
    const failed: State = { ...state, status: 'FAILED', failure, endedAt: clock.now() }
    const ended = this.#completed(state) ?? failed
    this.#states.set(ended.arn, ended)
    return this.#recordOf(ended.arn, ended)
  }

  /** Adds a transfer that begins, and forgets the oldest ones that have ended. @returns the records to save */
  begin(state: State): readonly RecordChange[] {
    this.#states.set(state.arn, state)
    return [this.#recordOf(state.arn, state), ...this.#forgetOld()]
  }

  /** Shows progress, which is not saved. */
  update(state: State): void {
    if (this.#states.has(state.arn)) this.#states.set(state.arn, state)
  }

  /** The record of a transfer that has ended. It must be saved, and then shown with `update`. */
  ended(state: State): RecordChange {
    return this.#recordOf(state.arn, state)
  }

  get(region: string, arn: string): State | undefined {
    const state = this.#states.get(arn)
    return state?.region === region && !this.#isOld(state) ? state : undefined
  }

  /** The transfers of a region in reverse order of their ARNs, as the service lists them: of a table, the latest first. */
  list(region: string): readonly State[] {
    return [...this.#states.values()]
      .filter((state) => state.region === region && !this.#isOld(state))
      .sort((a, b) => (a.arn < b.arn ? 1 : -1))
  }

  /** The transfer that a request with this token has begun within the last hours. */
  withToken(region: string, token: string): State | undefined {
    const oldest = this.#parts.clock.now() - TOKEN_MILLISECONDS
    return this.list(region).find(
      ({ clientToken, endedAt }) => clientToken === token && (endedAt === undefined || endedAt > oldest),
    )
  }

  #isOld({ endedAt }: State): boolean {
    return endedAt !== undefined && endedAt <= this.#parts.clock.now() - KEPT_MILLISECONDS
  }

  #forgetOld(): readonly RecordChange[] {
    const ended = [...this.#states.values()].filter(({ endedAt }) => endedAt !== undefined)
    const oldestFirst = ended.sort((a, b) => a.startedAt - b.startedAt)
    const tooMany = Math.max(0, this.#states.size - MAX_KEPT)
    const old = oldestFirst.filter((state, at) => at < tooMany || this.#isOld(state))
    for (const { arn } of old) this.#states.delete(arn)
    return old.map(({ arn }) => this.#recordOf(arn, undefined))
  }

  #recordOf(arn: string, state: State | undefined): RecordChange {
    return { name: `${this.#kind}/${arn}`, value: state as unknown as RecordValue | undefined }
  }
}
