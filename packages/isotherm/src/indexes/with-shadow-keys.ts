import { answerWithoutShadowKeys, errorWithoutShadowKeys } from './answer-without-shadow-keys.js'
import type { IndexedTables } from './indexed-table.js'
import { requestWithShadowKeys } from './request-with-shadow-keys.js'
import { ShardChoice, type ViewUse } from './shard-choice.js'

type Input = Readonly<Record<string, unknown>>

/** The shadow keys of one request. */
export interface ShadowedRequest {
  readonly tables: IndexedTables
  /** The request without shadow keys. */
  readonly asked: Input
  readonly choice: ShardChoice
  /** Adds shadow keys to a request, or to a part of it, in other shards than before if they were throttled. */
  extended(input: Input): Promise<Input>
}

/** Adds shadow keys to the request, and removes them from the response. */
export async function withShadowKeys(
  tables: IndexedTables,
  {
    operation,
    input: asked,
    use,
  }: { readonly operation: string; readonly input: Input; readonly use: ViewUse },
  answer: (input: Input, shadowed: ShadowedRequest) => Promise<object>,
): Promise<object> {
  const choice = new ShardChoice(use)
  const extended = (part: Input) =>
    choice.settled(() => requestWithShadowKeys(tables, operation, part, choice))
  const input = await extended(asked)
  try {
    return answerWithoutShadowKeys(tables, input, await answer(input, { tables, asked, choice, extended }))
  } catch (error) {
    throw errorWithoutShadowKeys(tables, input, error)
  }
}
