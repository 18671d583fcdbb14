import type { LogicalKey } from '../../keys/key.js'
import type { ShardState } from '../states/shard-state.js'

/** A state of the shard map, and when a process sent the read for it. */
export interface SharedState {
  readonly state: ShardState
  /** Milliseconds since the Unix epoch, taken before the table responded. */
  readonly askedAt: number
}

/** The reads of the shard map that the processes of a fleet share. */
export interface SharedReads {
  /** @returns a recent read of another process, with its time on this process's clock; `undefined` if there is none */
  find(key: LogicalKey): Promise<SharedState | undefined>
  /** Does not wait: the current request already has its state. */
  share(key: LogicalKey, state: SharedState): void
}
