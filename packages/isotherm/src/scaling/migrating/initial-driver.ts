import type { Clock } from '@isotherm/runtime'
import { MoveSender } from '../../attempts/move-sender.js'
import { openPace } from '../../attempts/spare-pace.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import {
  beginInitial,
  complete,
  drain,
  growInitial,
  type InitialChange,
  type KnownCard,
  type Migration,
  move,
  phaseMilliseconds,
  RENEW_MILLISECONDS,
  REPLICAS_MILLISECONDS,
  renew,
  type ShardState,
  type Unfinished,
} from '../../protocol/index.js'
import type { DriveOutcome } from '../count-driver.js'
import { PassOvertaken } from '../drain-pass.js'
import { type InitialPassProgress, initialPass } from './initial-pass.js'
import type { MigratedTable } from './migrated-table.js'
import { refuseChangesFromBefore } from './own-counts.js'

/** With waits of a second each. A move that is throttled for longer is abandoned, and the migration can be resumed later. */
const MAX_MOVE_ATTEMPTS = 120

export interface InitialDriveOptions {
  /** The fixed rate of the work; `undefined` to use the capacity that the partitions have to spare. */
  readonly unitsPerSecond: number | undefined
  /** Whether the copy in a source shard is deleted if the target shard has another item. */
  readonly discards: boolean
  readonly signal: AbortSignal
  readonly onPhase: (phase: ShardState['phase']) => void
  readonly onProgress: (progress: InitialPassProgress) => void
}

/**
 * Changes the count of all keys without a count of their own, by the same phases as that of one key. Their state is on the card, and every
 * process reads the card again before it is a cache lifetime old.
 *
 * It runs in one process. Ended anywhere, it is resumed by any process at the step that is on the card.
 */
export class InitialDriver {
  readonly #at: MigratedTable
  readonly #options: InitialDriveOptions
  readonly #clock: Clock
  readonly #sender: MoveSender
  #accepted: ReadonlySet<string>
  #migration: Migration
  #state: Unfinished
  #writtenAt: number

  private constructor(
    at: MigratedTable,
    options: InitialDriveOptions,
    { state, accepted, migration }: { readonly state: Unfinished } & Begun,
  ) {
    this.#at = at
    this.#options = options
    this.#clock = at.table.clock
    const { unitsPerSecond, signal } = options
    const pace = openPace(this.#clock, unitsPerSecond)
    this.#sender = new MoveSender(at.table, { maxAttempts: MAX_MOVE_ATTEMPTS, pace, signal })
    this.#accepted = accepted
    this.#migration = migration
    this.#state = state
    this.#writtenAt = this.#clock.now()
  }

  /**
   * Begins a migration, or resumes the one to the same count.
   * @throws IsothermError `migration.other` if the table is being migrated to another count
   */
  static async drive(
    at: MigratedTable,
    card: KnownCard,
    to: number,
    options: InitialDriveOptions,
  ): Promise<DriveOutcome> {
    const begun = await beginOrResume(at, card, to)
    return typeof begun === 'string' ? begun : new InitialDriver(at, options, begun).#run()
  }

  async #run(): Promise<DriveOutcome> {
    try {
      for (;;) {
        const state = this.#state
        this.#options.onPhase(state.phase)
        if (state.phase === 'announced') {
          await this.#waitForOthers()
          await this.#write(move(this.#state as typeof state, this.#epochSeconds()))
        } else if (state.phase === 'moved') {
          await this.#wait()
          await this.#write(drain(this.#state as typeof state, this.#epochSeconds()))
        } else if (state.phase === 'retired' && state.shards !== this.#migration.to) {
          await this.#waitForOthers()
          const retired = this.#state as typeof state
          return await this.#end(growInitial(retired, this.#migration.to, this.#epochSeconds()))
        } else {
          if (state.phase === 'retired') await this.#waitForOthers()
          const { twoCopies } = await this.#pass()
          if (twoCopies > 0) return 'two-copies'
          await this.#clock.sleep(REPLICAS_MILLISECONDS, this.#options.signal)
          return await this.#end(complete(this.#state as typeof state, this.#epochSeconds()))
        }
      }
    } catch (error) {
      if (error instanceof PassOvertaken) return 'overtaken'
      throw error
    }
  }

  /** Waits until no request, and no change of a key, can take effect that was based on the state before. */
  async #waitForOthers(): Promise<void> {
    await refuseChangesFromBefore(this.#at, this.#sender, this.#options.signal)
    await this.#wait()
  }

  async #wait(): Promise<void> {
    let left = phaseMilliseconds(this.#at.table.options)
    while (left > 0) {
      const part = Math.min(left, RENEW_MILLISECONDS)
      // mark: migration-waits
      await this.#clock.sleep(part, this.#options.signal)
      left -= part
      await this.#renewIfDue()
    }
  }

  async #pass(): Promise<InitialPassProgress> {
    const { discards, onProgress, signal } = this.#options
    // mark: migration-ends-with-a-pass
    return initialPass(this.#at, {
      sender: this.#sender,
      written: () => this.#state,
      position: this.#migration.position,
      discards,
      signal,
      onPage: async (progress, position) => {
        onProgress(progress)
        this.#migration = { ...this.#migration, position }
        await this.#renewIfDue()
      },
    })
  }

  async #renewIfDue(): Promise<void> {
    if (this.#clock.now() - this.#writtenAt < RENEW_MILLISECONDS) return
    await this.#write(renew(this.#state, this.#epochSeconds()))
  }

  async #write(next: Unfinished): Promise<void> {
    await this.#replace(next, { accepted: this.#accepted, migration: this.#migration })
    this.#state = next
    this.#writtenAt = this.#clock.now()
  }

  async #end(next: ShardState): Promise<'settled'> {
    await this.#replace(next, { accepted: this.#accepted, migration: undefined })
    return 'settled'
  }

  async #replace(next: ShardState, change: InitialChange): Promise<void> {
    const { cards, like } = this.#at
    if (!(await cards.replaceInitial(like, this.#state, next, change))) throw new PassOvertaken()
    // This process uses the new state at once.
    await cards.readNow(like)
  }

  #epochSeconds(): number {
    return Math.floor(this.#clock.now() / 1_000)
  }
}

interface Begun {
  readonly accepted: ReadonlySet<string>
  readonly migration: Migration
}

async function beginOrResume(
  { cards, table, like }: MigratedTable,
  { initial, acceptedInitials, migration: running, settings }: KnownCard,
  to: number,
): Promise<({ readonly state: Unfinished } & Begun) | 'settled' | 'overtaken'> {
  const epochSeconds = Math.floor(table.clock.now() / 1_000)
  if (running !== undefined && running.to !== to) throw otherMigration(table.options.name, running, to)
  if (running === undefined && (initial.phase !== 'settled' || initial.shards === to)) return 'settled'
  const migration = running ?? { to }
  const accepted = new Set([...acceptedInitials, settings.initial ?? '', String(to)])
  const state =
    initial.phase === 'settled'
      ? beginInitial(table.placementKind, initial, to, epochSeconds)
      : renew(initial, epochSeconds)
  if (!(await cards.replaceInitial(like, initial, state, { accepted, migration }))) return 'overtaken'
  await cards.readNow(like)
  return { state: state as Unfinished, accepted, migration }
}

function otherMigration(table: string, { to }: Migration, asked: number): IsothermError<'migration.other'> {
  return new IsothermError(
    'migration.other',
    `${table} is being migrated to ${to} initial shards, and now ${asked} were asked for. Finish that migration first: ask for ${to}.`,
    { table, to, asked },
  )
}
