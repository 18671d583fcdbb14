import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { ItemHistory, ItemOperation } from '../invariants/item-history.js'
import type { Process } from '../world/process.js'
import type { World } from '../world/world.js'
import { mayHaveBeenDone } from './expected-error.js'
import type { SentGroup } from './item-groups.js'
import type { Target } from './item-operations.js'

/** An item of which each operation is followed. */
export interface FollowedItem {
  readonly target: Target
  readonly history: ItemHistory
}

/** Sends requests about followed items, and adds the result of each to the history of its item. */
export class FollowedRequests<Item extends FollowedItem> {
  readonly #world: World
  readonly #latestMilliseconds: number

  /** @param latestMilliseconds how long after it was sent a request may still be carried out */
  constructor(world: World, latestMilliseconds: number) {
    this.#world = world
    this.#latestMilliseconds = latestMilliseconds
  }

  /** @returns the answers of those items that had one */
  async send(
    process: Process,
    db: DynamoDBClient,
    { operations, send }: SentGroup<Item>,
  ): Promise<ReadonlyMap<Item, string>> {
    for (const [{ history }, operation] of operations) history.called(operation)
    const forget = () => {
      for (const [{ history }, operation] of operations) this.#forgetLater(history, operation)
    }
    process.whenCrashed(forget)
    try {
      const answers = await send(db)
      for (const [item, operation] of operations) {
        const answer = answers.get(item)
        if (answer === undefined) item.history.refused(operation)
        else item.history.answered(operation, answer)
      }
      return answers
    } catch (error) {
      if (mayHaveBeenDone(error, this.#world)) forget()
      else for (const [{ history }, operation] of operations) history.refused(operation)
      return new Map()
    } finally {
      process.notWhenCrashed(forget)
    }
  }

  /** The last attempt may still be on its way; afterwards nobody knows, and nothing can happen any more. */
  #forgetLater(history: ItemHistory, operation: ItemOperation): void {
    const check = (tell: () => void) => {
      try {
        tell()
      } catch (error) {
        this.#world.guard(error)
      }
    }
    check(() => history.unanswered(operation))
    this.#world.scheduler.after(this.#latestMilliseconds + 1, () =>
      check(() => history.neverAnswered(operation)),
    )
  }
}
